"""How parents are looked for along chains of references: the options, and the plan that they make."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from structlearn.data.relational import AGGREGATES, Aggregate, Database, Schema
from structlearn.data.relational.cycles import MOST_STEPS, refuse_cycles
from structlearn.errors import OptionError
from structlearn.learners.network.relational.database_learner import DatabaseLearner
from structlearn.learners.network.relational.search import Plan
from structlearn.learners.option_groups import Formed, Limited
from structlearn.naming import listed
from structlearn.options import Flag, ListOf, OneOf, OrNone, Whole, option
from structlearn.run import Run
from structlearn.scores import SCORE, Score
from structlearn.scores.tree_form import score_of_form


class ChainSearch(Formed, Limited, DatabaseLearner):
    """Looks for parents of attributes along chains of references."""

    max_parents = 4
    score: str | Score = option(
        SCORE,
        'What to maximise. "bdeu", "bic", another name of `structlearn.scores` for discrete columns, or any '
        "object with a `local` method.",
        default="bdeu",
    )
    max_chain: int = option(Whole(0), "The most references to follow from an object to a parent.", default=2)
    aggregates: Sequence[Aggregate] = option(
        ListOf(str),
        'What to make of the values of several objects. Some of "mode", "count", "mean", "min", "max", '
        '"median" and "exists"; those after "count" but for the last need states with an order.',
        default=("mode", "count", "mean"),
    )
    acyclic: Sequence[str] | None = option(
        OrNone(ListOf(str), "none"),
        'References that together lead from no object back to itself. ["Person.mother", "Person.father"]; an '
        "attribute may then depend on itself along them.",
        default=None,
    )
    extend: Literal["all", "used"] = option(
        OneOf(("all", "used")),
        "Which chains of references are tried. All, or only those that go on from one that is used already.",
        default="all",
    )
    pairs: bool = option(
        Flag(),
        "Whether two parents are tried together where none helps alone. It takes a table for each pair.",
        default=False,
    )

    def _plan(self, database: Database, schema: Schema, run: Run) -> Plan:
        unknown = [word for word in self.aggregates if word not in AGGREGATES]
        if unknown:
            raise OptionError(
                f"RelationalModel(aggregates=…): there is no {unknown[0]!r}; choose some of "
                f"{', '.join(AGGREGATES)}."
            )
        on_trust = refuse_cycles(database, [schema.slot(name) for name in self.acyclic or ()])
        if on_trust:
            run.note(
                f"That {listed([slot.full_name for slot in on_trust])} together make no cycle is taken on "
                f"trust: chains are longer than {MOST_STEPS} references."
            )
        return Plan(
            score=partial(score_of_form, "RelationalModel", self.score, self.cpd),
            aggregates=tuple(self.aggregates),
            max_chain=self.max_chain,
            extend=self.extend,
            max_parents=self.max_parents,
            pairs=self.pairs,
            acyclic=frozenset(self.acyclic or ()),
            bins=self.bins,
        )
