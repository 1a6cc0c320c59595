"""A learner of databases: reading one is its own group of options."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np

from structlearn.data import Kind, Knowledge, Label
from structlearn.data.relational import Database, Schema, SchemaOptions, opened_database, read_schema
from structlearn.errors import DataError
from structlearn.learners.base import Learner
from structlearn.learners.option_groups import Informed, Timed
from structlearn.options import Either, Instance, ListOf, OneOf, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.run import Run

MOST_SAID = 8  # columns that were left out are all in the schema


class DatabaseLearner(Informed, Timed, Learner):
    """Learns from a database what each class of objects is like."""

    tables: Sequence[str] | None = option(
        OrNone(ListOf(str), "all of them"), "The tables to learn from.", default=None
    )
    keys: Mapping[Any, Any] | Literal["proposed"] | None = option(
        OrNone(Either((Instance(Mapping), OneOf(("proposed",)))), "those that the database declares"),
        'Foreign keys that the database does not declare. {"Registration.student": "Student.id"}, with '
        'tuples of columns for composite keys, or "proposed" for those that both names and values suggest.',
        default=None,
    )
    kinds: Mapping[str, Kind] | None = option(
        OrNone(Instance(Mapping), "the values decide"),
        'Whether columns are "discrete" or "continuous". {"Student.age": "continuous"}; a column that would '
        "be left out is kept.",
        default=None,
    )
    order: Mapping[str, Sequence[Label] | Mapping[Label, float]] | None = option(
        OrNone(Instance(Mapping), "numbers have one and text has none"),
        "The order of the states of columns, from low to high. A list, or the number that each state stands "
        "for; means, minima, maxima and medians need one.",
        default=None,
    )
    bins: int = option(
        Whole(2),
        "Into how many intervals numbers are cut, with as many objects each as ties allow.",
        default=4,
    )
    dangling: Literal["error", "none"] = option(
        OneOf(("error", "none")),
        "What to do about references to objects that are not there. Refuse them, or take them for none.",
        default="error",
    )
    missing: Literal["none", "error"] = option(  # type: ignore[assignment]  # another choice than tables have
        OneOf(("none", "error")),
        "What to do about missing values. An object without a value of an attribute says nothing of it, and "
        'others see the state "none"; or refuse them.',
        default="none",
    )

    def fit(self, X: Any, y: None = None) -> Self:  # noqa: N803, ARG002, scikit-learn's names
        """Learn how the attributes of a database depend on each other.

        Parameters
        ----------
        X : path, str, connection of duckdb, sqlite3 or ibis, or mapping of str to data frame
            A DuckDB or SQLite file, the address of a server ("postgresql://…", with the extra `sql`), an
            open connection, or tables by name. Nothing is written to it.
        y : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        self
        """
        self.check_options()
        started = time.perf_counter()
        knowledge = self.knowledge or Knowledge()
        with (
            Run(type(self).__name__, time_limit_s=self.time_limit, progress=self.progress) as run,
            opened_database(X) as database,
        ):
            schema = read_schema(database, self._schema_options())
            self._check(schema, knowledge)
            outcome = self._learn_from(database, schema, knowledge, run)
            _say_what_is_left_out(schema, run)
            self._publish(outcome, schema.nodes, knowledge, run)
        self.n_features_in_ = len(schema.nodes)
        self.feature_names_in_ = np.array(schema.nodes, dtype=object)
        run.say_warnings()
        self.seconds_ = time.perf_counter() - started
        return self

    def _learn_from(self, database: Database, schema: Schema, knowledge: Knowledge, run: Run) -> Outcome:
        raise NotImplementedError

    def _schema_options(self) -> SchemaOptions:
        return SchemaOptions(
            tables=self.tables,
            keys=self.keys,
            kinds=self.kinds or {},
            order=self.order or {},
            bins=self.bins,
            dangling=self.dangling,
        )

    def _check(self, schema: Schema, knowledge: Knowledge) -> None:
        knowledge.check(schema.nodes)
        gaps = [f"{each.node!r} ({each.n_missing})" for each in schema.attributes if each.n_missing]
        if gaps and self.missing == "error":
            raise DataError(
                f"{type(self).__name__}: values are missing in {', '.join(gaps)}. Fill them in, or pass "
                'missing="none" to learn each attribute from the objects that have it.'
            )


def _say_what_is_left_out(schema: Schema, run: Run) -> None:
    left_out = [
        f"{each.name}.{column} ({why})" for each in schema.classes for column, why in each.left_out.items()
    ]
    if left_out:
        more = f" and {len(left_out) - MOST_SAID} more" if len(left_out) > MOST_SAID else ""
        run.note(f"Left out: {', '.join(left_out[:MOST_SAID])}{more}.")
