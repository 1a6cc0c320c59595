"""What every learner is: a scikit-learn estimator that turns a table into a graph."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Kind, Knowledge, Oracle
from structlearn.data.targets import Rows
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.independence.registry import minds_order
from structlearn.learners.option_groups import Tolerant
from structlearn.learners.preconditions import ready_statistics, warn_of_rare_levels
from structlearn.learners.table_order import in_table_order
from structlearn.options import result
from structlearn.options.documented import with_attributes
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.run import Run, Status
from structlearn.scores.interventional import says_shifted
from structlearn.statistics import (
    ADVICE,
    Source,
    SourceTable,
    Statistics,
    opened,
    refuse_missing,
    rows_by,
    without_empty_rows,
)
from structlearn.statistics.contexts import Contexts
from structlearn.statistics.experiments import experiments_of, rows_and_targets
from structlearn.statistics.missing import n_incomplete
from structlearn.statistics.time_courses import check_names_aside
from structlearn.statistics.weightless import have_weight
from structlearn.why import Record

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from sklearn.utils import Tags

ATTRIBUTES = {
    "status_": "status_ : str\n    How the run ended.",
    "seconds_": "seconds_ : float\n    How long it took.",
    "n_features_in_": "n_features_in_ : int\n    The number of columns.",
    "statistics_": (
        "statistics_ : Account\n    What was asked of the engine that has the table, where it stays there: "
        "the way, round trips, rows scanned and bytes moved."
    ),
    "experiments_": (
        "experiments_ : dict\n    With `targets`: what was set together, as a tuple of names, and in how "
        "many rows."
    ),
    "feature_names_in_": "feature_names_in_ : array of str\n    Their names, where the table has them.",
}
ASIDE = ("time", "series", "mask", "targets")
FOR_SERIES = "Rows that follow each other in time are for PCMCI, SparseVAR, VARLiNGAM and DynamicNetwork."
ELSEWHERE = {
    "targets": "Rows in which something was set are for methods that look for a DAG, such as BOSS, "
    "HillClimbing, GreedyEquivalence and PC.",
    "prove": "BOSS, the default, has it; ExactSearch proves what it finds in any case.",
    **dict.fromkeys(("time", "series", "lags", "mask"), FOR_SERIES),
}


class Learner(Tolerant):
    """Learn a graph from a table with `fit`; subclasses say how in `_learn`.

    A subclass declares its own options as fields and names the groups of options that it shares with others
    among its bases (`learners/option_groups.py`). It says in `only` if it can use columns of one kind only,
    in `needs_full_rank` whether continuous columns may not be linear combinations of others, in
    `needs_more_rows` whether there must be more rows than columns, in
    `work_is_known` whether it can be told how much there is to do, which it cannot of a search that goes on
    for as long as something gains, in `weight_means` whether the weight of an edge is a gain or the
    strength of a connection, in `sign_matters` whether the graph may be another one where a column is
    turned upside down, in `refuses_targets` why it has no use for rows in which something was
    set or changed, in `refuses_set` why only for those in which something was set, and in `tells_direction`
    in a sentence what directs its arrows, where that is more than which graphs are equivalent.
    """

    only: ClassVar[Kind | None] = None
    needs_full_rank: ClassVar[bool] = True
    needs_more_rows: ClassVar[bool] = False
    work_is_known: ClassVar[bool] = True
    weight_means: ClassVar[Literal["score gain", "weight"]] = "score gain"
    sign_matters: ClassVar[bool] = False
    refuses_targets: ClassVar[str] = ""
    refuses_set: ClassVar[str] = ""
    tells_direction: ClassVar[str] = ""
    attributes: ClassVar[Mapping[str, str]] = ATTRIBUTES
    graph_: Graph = result()
    score_: float = result()
    trace_: Mapping[str, NDArray[Any]] = result()
    evidence_: Mapping[Pair, EdgeEvidence] = result()
    status_: str = result()
    seconds_: float = result()

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.__doc__:
            cls.__doc__ = with_attributes(cls.__doc__, cls.attributes)

    @classmethod
    def no_option(cls, name: str, value: Any = None) -> str:
        """What to say of an option that there is not: it may be one of the score or the test."""
        from structlearn.learners.borrowed_options import whose_option  # noqa: PLC0415, loads all tests

        belongs = whose_option(name, value, cls.options)
        plain = super().no_option(name, value)
        if name in ELSEWHERE:
            return f"{plain} {ELSEWHERE[name]}"
        return f"{cls.__name__} has no option {name!r}; {belongs}" if belongs else plain

    def fit(self, X: Any, y: None = None) -> Self:  # noqa: N803, ARG002, scikit-learn's names
        """Learn the graph of the columns of `X`.

        Parameters
        ----------
        X : data frame, array, dict of columns, path, Dataset, relation, source, Statistics or Oracle
            The table, or what answers for one: any object of `structlearn.statistics.Statistics`;
            `sl.Oracle(graph)` for methods that only test independence.
        y : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        self
        """
        owner = type(self).__name__
        self.check_options()
        started = time.perf_counter()
        knowledge = self._option("knowledge") or Knowledge()
        source = X if isinstance(X, Oracle) else opened(X, aside=self.columns_aside())
        knowledge.check(source.names)
        limit, progress = self._option("time_limit"), self._option("progress")
        stops = "time_limit" in self.options
        with Run(owner, time_limit_s=limit, progress=progress, stops=stops) as run:
            if isinstance(source, Oracle):
                self._refuse_targets_of_oracle()
                outcome = self._learn_from_oracle(source, knowledge, run)
            else:
                outcome = self._learn_from_table(self._observed(source, run), knowledge, run)
            self._publish(outcome, source.names, knowledge, run)  # Ctrl-C does not lose what was found
        self._remember_columns(X, source.names)
        if isinstance(source, SourceTable):
            self.statistics_ = source.account
        run.say_warnings()
        self.seconds_ = time.perf_counter() - started
        return self

    def _observed(self, source: Source, run: Run) -> Source:
        """The rows that say anything, where gaps are not refused; targets may name rows by their position."""
        self._note_rows_dropped(source, run)
        is_gapped = isinstance(source, Dataset) and self.missing in {"testwise", "familywise", "em"}
        if not is_gapped or self._option("targets") is not None or self._rows_are_steps(source.names):
            return source
        assert isinstance(source, Dataset)  # noqa: S101, just seen
        kept, n_empty = without_empty_rows(source)
        if n_empty:
            run.note(f"{counted(n_empty, 'row')} without any value left out.")
        return kept

    def _note_rows_dropped(self, source: Source, run: Run) -> None:
        aside = self.columns_aside()
        if (
            self.missing != "drop" or not isinstance(source, Dataset) or "time" in aside
        ):  # which has its own rows
            return
        n_left_out = n_incomplete(source, set(aside.values()))
        if n_left_out:
            run.note(f"{n_left_out:,} of {counted(source.n_rows, 'row')} left out for missing values.")

    def _learn_from_table(self, source: Source, knowledge: Knowledge, run: Run) -> Outcome:
        if self.is_soft:
            return self._learn_in_contexts(source, knowledge, run)
        statistics = self._statistics(source, run)
        outcome, experiments = self._learn(statistics, knowledge, run), experiments_of(statistics)
        if experiments is None:
            return outcome
        return replace(
            outcome, extra={**outcome.extra, "experiments": experiments.by_names(statistics.names)}
        )

    def _learn_in_contexts(self, source: Source, knowledge: Knowledge, run: Run) -> Outcome:
        if why := self.why_no_targets():
            raise OptionError(f"{run.owner}(targets=…): {why}")
        table, rows_set = rows_and_targets(run.owner, source, self._option("targets"), missing=self.missing)
        contexts = Contexts.of(run.owner, table, rows_set)
        known = contexts.known(knowledge, by_score="score" in self.options)
        statistics = self._ready(contexts.table, run, {}, contexts=tuple(contexts.acts_on))
        return contexts.left_out(self._learn(statistics, known, run))

    def plot_trace(self, path: str | Path | None = None) -> "Figure":
        """Draw what changed from step to step; of a method without steps, its strongest edges.

        The picture shows itself in a notebook, and is saved where a path is given: .svg, .png or .pdf.
        """
        from structlearn.plots import plot_learning  # noqa: PLC0415, a door to a later layer

        return plot_learning(self, path)

    def _statistics(self, source: Source, run: Run) -> Statistics:
        aside, targets, rows_set = self.columns_aside(), self._option("targets"), None
        check_names_aside(run.owner, aside, source.names)
        if targets is not None:
            if why := self.why_no_targets():
                raise OptionError(f"{run.owner}(targets=…): {why}")
            aside.pop("targets", None)
            source, rows_set = rows_and_targets(run.owner, source, targets, missing=self.missing)
        return self._ready(source, run, aside, rows_set=rows_set)

    def _ready(
        self,
        source: Source,
        run: Run,
        aside: Mapping[str, str],
        *,
        rows_set: Mapping[str, Rows] | None = None,
        contexts: Sequence[str] = (),
    ) -> Statistics:
        has_gaps = self.missing == "drop" and bool(getattr(source, "missing", None))
        # Methods of lags refuse all weights later.
        has_gaps |= (
            "lags" not in self.options and isinstance(source, Dataset) and not have_weight(source).all()
        )
        if has_gaps and self._rows_are_steps(source.names):
            raise DataError(
                f"{run.owner}: rows are counted as steps, and those left out, by missing='drop' or a weight "
                "of 0, would be skipped as if there were no gap. Name a column with the times as time=."
            )
        offered = [word for word in ADVICE if self.options["missing"].accepts(word)]
        refuse_missing(
            source, run.owner, missing=self.missing, offered=offered, takes_targets=self.takes_targets
        )
        statistics = ready_statistics(
            source,
            run,
            only=self.only,
            needs_full_rank=self.needs_full_rank,
            missing=rows_by(self.missing),
            n_jobs=self._option("n_jobs"),
            counting=self._option("statistics") or "memory",
            aside=tuple(aside.values()),
            rows_set=rows_set,
            contexts=contexts,
            in_time="time" in self.options or minds_order(self._option("test")),
        )
        if "test" in self.options and isinstance(self._option("test"), str | None):
            # Tests of one's own have rules of their own.
            warn_of_rare_levels(statistics, run, aside={*aside.values(), *contexts})
        return statistics

    def _rows_are_steps(self, names: Sequence[str]) -> bool:  # noqa: ARG002, some learners look at the columns
        """Whether only the places of rows say when they were, so that leaving some out moves the others."""
        return "time" in self.options and self._option("time") is None

    @property
    def is_soft(self) -> bool:
        """Whether what `targets` names was changed, and its contexts say so, not the score."""
        is_soft = self._option("targets") is not None and self._option("interventions") == "soft"
        return is_soft and not says_shifted(self._option("score"))

    def why_no_targets(self) -> str:
        """Why rows in which something was set are of no use to the method; nothing where they are."""
        by_family = {"score", "test"} & self.options.keys()
        if why := self.refuses_targets or ("" if self.is_soft else self.refuses_set):
            return why
        return "" if by_family else "it takes all rows for every column. Use BOSS."

    @property
    def takes_targets(self) -> bool:
        """Whether rows in which something was set are of use to the method."""
        return "targets" in self.options and not self.why_no_targets()

    def _refuse_targets_of_oracle(self) -> None:
        if self._option("targets") is not None:
            raise OptionError(f"{type(self).__name__}(targets=…): an Oracle has no rows to set anything in.")

    def columns_aside(self) -> dict[str, str]:
        """By option, the columns that say something of a row, such as its time; they become no nodes."""
        return {name: self._option(name) for name in ASIDE if isinstance(self._option(name), str)}

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        raise NotImplementedError

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:  # noqa: ARG002, some learners use them
        raise DataError(f"{type(self).__name__} needs data: an Oracle only answers tests of independence.")

    def _option(self, name: str) -> Any:
        return getattr(self, name, None)

    def _publish(self, outcome: Outcome, names: tuple[str, ...], knowledge: Knowledge, run: Run) -> None:
        if not isinstance(outcome, Outcome):
            raise TypeError(f"{run.owner}._learn gives an Outcome(graph=…), not a {type(outcome).__name__}.")
        outcome = in_table_order(outcome, names, n_jobs=self._option("n_jobs") or 1)
        broken = knowledge.restricted(outcome.graph.nodes).violations(outcome.graph) if knowledge else []
        if broken and outcome.status is Status.COMPLETE:
            run.warn(f"{'; '.join(broken)}.")
        if outcome.score is not None and not math.isfinite(outcome.score):
            raise DataError(
                f"{run.owner}: no graph was found whose score is a finite number, but {outcome.score}. Use "
                "another score, fewer columns or more rows."
            )
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)  # what an earlier fit found, with other options
        found = {field.name: getattr(outcome, field.name) for field in fields(outcome)}
        self._claims = found.pop("claims")
        found |= found.pop("by_node") | found.pop("by_pair") | found.pop("extra")
        for name, value in found.items():
            if value is not None:
                setattr(self, f"{name}_", value)
        self.graph_ = self.graph_.with_record(self._record(knowledge))
        self.status_ = " ".join([outcome.status.value, *run.notes])

    def _record(self, knowledge: Knowledge) -> Record:
        return Record(
            method=type(self).__name__,
            weight_means=self.weight_means,
            alpha=self._option("alpha"),
            score=self._option("_maximised") or self._option("score"),
            separations=self._option("separating_sets_") or {},
            shares=self._option("confidence_") or {},
            knowledge=knowledge,
            marks=self._option("mark_evidence_") or {},
            direction=self.tells_direction,
            experiments=tuple(self._option("experiments_") or ()),
            targets=self._option("targets"),
            is_soft=self.is_soft,
            missing=self.missing,
        )

    def _remember_columns(self, X: Any, names: tuple[str, ...]) -> None:  # noqa: N803, scikit-learn's name
        self.n_features_in_ = len(names)
        if not isinstance(X, np.ndarray) or X.dtype.names:
            self.feature_names_in_ = np.array(names, dtype=object)

    def __sklearn_tags__(self) -> "Tags":
        """What scikit-learn asks of an estimator; it is there then, and loaded only then."""
        from sklearn.utils import InputTags, Tags, TargetTags  # noqa: PLC0415, slow to load

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(categorical=self.only != "continuous"),
        )
