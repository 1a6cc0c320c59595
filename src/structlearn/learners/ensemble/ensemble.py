"""What learners around a learner share: the options, the resamples and how a run ends."""

import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from structlearn.data import Dataset, Knowledge, Oracle
from structlearn.errors import DataError, OptionError
from structlearn.learners.base import Learner
from structlearn.learners.catalog import CATALOG
from structlearn.learners.ensemble.checkpoints import Checkpoint
from structlearn.learners.ensemble.confidence import Confidence, confidence_of
from structlearn.learners.ensemble.consensus import with_facts
from structlearn.learners.ensemble.drawing import Draw, has_counts
from structlearn.learners.ensemble.drawn_tables import DifferentRows, Drawable, drawable
from structlearn.learners.ensemble.identity import identity_of
from structlearn.learners.ensemble.pattern import Directions, Pattern
from structlearn.learners.ensemble.resampling import Resampling, in_parallel, quiet
from structlearn.learners.ensemble.rows_in_blocks import RowsInBlocks, courses_in_blocks
from structlearn.learners.ensemble.rows_in_time import RowsInTime
from structlearn.learners.option_groups import Coursed, Seeded, Tested, Threaded, Timed
from structlearn.learners.preconditions import ready_statistics
from structlearn.learners.time.learner import TimeLearner
from structlearn.options import Either, Instance, OrNone, Whole, one_of, option, result
from structlearn.outcome import Outcome
from structlearn.run import Run, Status
from structlearn.scores import Penalised, is_wide
from structlearn.scores.prices import Akaike
from structlearn.statistics import (
    MISSING_BY_ROW,
    Missing,
    Source,
    SourceTable,
    Statistics,
    complete_cases,
    opened,
    refuse_missing,
    rows_by,
)
from structlearn.statistics.experiments import rows_and_targets
from structlearn.statistics.time_courses import check_names_aside
from structlearn.statistics.weightless import without_weightless_rows
from structlearn.why import Record


class Findings(NamedTuple):
    """What the resamples say together."""

    names: tuple[str, ...]
    confidence: Confidence
    n_resamples: int
    knowledge: Knowledge
    facts: Mapping[str, Mapping[str, Any]]


class Ensemble(Threaded, Seeded, Timed, Learner):
    """Learn from many resamples; subclasses say in `_draw` of which rows, and in `_conclude` what follows."""

    learner: Learner = option(
        Instance(Learner), "What learns from each resample; it is not changed.", kw_only=False
    )
    directions: Directions = option(
        one_of(Directions),
        "Which directions of a learnt DAG count. Those that all DAGs equivalent to it share (and that honour "
        "the learner's knowledge), or all. Graphs with undirected edges are counted as they are; edges with "
        "circles or two arrows count as undirected.",
        default="class",
    )
    checkpoint: str | Path | None = option(
        OrNone(Either((Instance(str), Instance(Path))), "none is kept"),
        "A file that keeps the resamples done. A run that finds it goes on from there, also to more "
        "resamples; one with other data or options refuses it.",
        default=None,
    )
    n_resamples: int = option(Whole(1), "How many tables to draw.", default=200)
    n_jobs: int | None = option(
        OrNone(Whole(-64), "one"),
        "How many workers share the resamples; -1 for all. The learner itself gets one thread.",
        default=None,
    )
    random_state: int | None = option(
        OrNone(Whole(0), "a new one each time"),
        "The seed of the rows drawn and of the learner in each resample, in place of its own.",
        default=None,
    )
    missing: Missing = option(
        MISSING_BY_ROW,
        "What to do about missing values. Leave them to the learner, which by default refuses them, or leave "
        "out every row that has one before any are drawn.",
        default="error",
    )
    confidence_: Confidence = result()
    n_resamples_: int = result()

    def fit(self, X: Any, y: None = None) -> Self:  # noqa: N803, ARG002, scikit-learn's names
        """Learn from resamples of the rows of `X`.

        Parameters
        ----------
        X : data frame, array, dict of columns, path, Dataset or source
            The table. A row with a whole weight is drawn as often as the rows that it stands for; other
            weights go along with their rows. Of a table that stays in an engine, the different rows are drawn
            where they are few, each as often as it would be row by row; otherwise workers of Dask or Spark
            draw a Poisson number for each of their rows.
        y : None
            Ignored; scikit-learn's pipelines pass it.

        Returns
        -------
        self
        """
        owner = type(self).__name__
        self.check_options()
        started = time.perf_counter()
        with Run(owner, time_limit_s=self._option("time_limit"), progress=self._option("progress")) as run:
            source = self._opened(X)
            table = self._table(source, run)
            aside = self.columns_aside().values()
            names = tuple(name for name in table.names if name not in aside)
            knowledge, facts = self._knowledge(), {}
            knowledge.check(names)
            if isinstance(table, RowsInTime):
                facts, knowledge = table.facts(), table.knowledge(knowledge)
                names = tuple(facts)
            patterns = self._patterns(table, knowledge, run)
            self._refuse_other_nodes(patterns, len(names))
            findings = Findings(names, confidence_of(names, patterns), len(patterns), knowledge, facts)
            outcome = self._outcome(findings, patterns, run.status)
            self._publish(outcome, names, knowledge, run)
        if isinstance(source, SourceTable):
            self.statistics_ = source.account
        self._say_how_many(outcome.status)
        self._remember_columns(X, table.names)
        run.say_warnings()
        self.seconds_ = time.perf_counter() - started
        return self

    @property
    def _is_cyclic(self) -> bool:
        """Whether arrows of the learner's graphs mean what they say, and may close cycles."""
        cyclic = {method.learner for method in CATALOG.values() if method.returns == "cyclic"}
        return any(each.__name__ in cyclic for each in type(self.learner).__mro__)

    @property
    def _draw(self) -> Draw:
        raise NotImplementedError

    @property
    def _n_draws(self) -> int:
        return self.n_resamples

    def _conclude(self, findings: Findings) -> Outcome:
        raise NotImplementedError

    def _opened(self, X: Any) -> Source:  # noqa: N803, scikit-learn's name
        if isinstance(X, Oracle):
            raise DataError(f"{type(self).__name__} needs data to draw rows from: an Oracle has none.")
        self.learner.check_options()
        return opened(X, aside=self.columns_aside())

    def columns_aside(self) -> dict[str, str]:
        """Those of the learner."""
        return self.learner.columns_aside()

    def _table(self, source: Source, run: Run) -> Drawable:
        """The rows; what the learner cannot use in them is refused before any resample."""
        owner, learner = type(self).__name__, self.learner
        if isinstance(source, Dataset):
            counted = without_weightless_rows(source)
            kept = complete_cases(counted, owner) if self.missing == "drop" else counted
            has_copies = has_counts(kept.weights) and not self._n_before(source)
            table: Dataset | DifferentRows | SourceTable = DifferentRows(kept) if has_copies else kept
        elif isinstance(source, SourceTable):
            table = drawable(source, owner, missing=self.missing)
        else:
            raise DataError(
                f"{owner} draws rows, and {type(source).__name__} gives counts and moments only. Read the "
                "table into memory."
            )
        if isinstance(learner, TimeLearner) and isinstance(table, Dataset):
            check_names_aside(owner, learner.columns_aside(), table.names)
            table = learner.prepared(owner, table)
        checked = table.dataset if isinstance(table, DifferentRows) else table
        self._sets: tuple[tuple[str, ...], ...] = ()
        self._minds_copies = False
        if learner.get_params(deep=False).get("targets") is not None:
            checked = self._without_targets(checked)
        refuse_missing(
            checked,
            owner,
            missing=learner.missing,
            offered=MISSING_BY_ROW.words,
            takes_targets=learner.takes_targets,
        )
        statistics = ready_statistics(
            checked,
            run,
            only=learner.only,
            needs_full_rank=learner.needs_full_rank,
            missing="testwise" if learner.missing == "em" else rows_by(learner.missing),
            aside=[name for role, name in learner.columns_aside().items() if role != "targets"],
            in_time="time" in learner.options,
        )
        if self._n_before(source):
            return self._in_time(table, statistics, run)
        self._minds_copies = is_wide(statistics) or _takes_copies_for_dependence(learner)
        return table

    def _n_before(self, source: Source) -> int:
        """How many times before it a row is read with; 0 where rows may be drawn one by one."""
        learner = self.learner
        if isinstance(learner, Coursed):
            return learner.times_before(source.names)
        return learner.furthest() if isinstance(learner, TimeLearner) else 0

    def _in_time(self, table: object, statistics: Statistics, run: Run) -> RowsInBlocks:
        """The blocks of rows that follow each other; lags that are chosen are so once, from all rows."""
        if not isinstance(table, Dataset):
            raise DataError(
                f"{run.owner} draws blocks of rows in the order of time. Read the table into memory."
            )
        learner = self.learner
        if self.missing == "drop":
            raise OptionError(
                f"{run.owner}(missing='drop'): rows in time that are left out are gaps. Say so to the "
                f"learner: {type(learner).__name__}(missing='drop', time=…)."
            )
        if not isinstance(learner, TimeLearner):
            return courses_in_blocks(run.owner, learner, table, self._n_before(table))
        lags = learner.asked_lags(statistics, self._knowledge(), run)
        return RowsInTime.of(run.owner, learner, table, lags)

    def _without_targets(self, table: Source) -> Dataset:
        """The columns that are learnt from; a column has to say what was set, as rows are drawn with it."""
        owner, targets = type(self).__name__, self.learner.get_params(deep=False)["targets"]
        if not isinstance(targets, str) or self.missing == "drop":
            raise OptionError(
                f"{owner}: rows are drawn, so that a column has to say what was set in them. Name it in the "
                "targets= of the learner, and leave gaps to the learner's option missing."
            )
        rows, rows_set = rows_and_targets(owner, table, targets)
        if rows_set:
            together = np.unique(list(rows_set.values()), axis=1).T
            self._sets = tuple(tuple(compress(rows_set, is_in)) for is_in in together)
        return rows

    def _record(self, knowledge: Knowledge) -> Record:
        """That of resamples, tested or scored as the learner inside does."""
        inner = self.learner.get_params(deep=False)
        method = f"{type(self).__name__} of {type(self.learner).__name__}"
        record = super()._record(knowledge)
        direction = self.learner.tells_direction if self.directions == "graph" else ""
        return replace(
            record,
            method=method,
            alpha=inner.get("alpha"),
            score=getattr(self.learner, "maximised_on", None) or inner.get("score"),
            direction=direction,
            experiments=self._sets,
            targets=inner.get("targets"),
            is_soft=self.learner.is_soft,
            missing=self.learner.missing if self.missing == "error" else self.missing,
        )

    def _knowledge(self) -> Knowledge:
        return self.learner.get_params(deep=False).get("knowledge") or Knowledge()

    def _patterns(self, table: Drawable, knowledge: Knowledge, run: Run) -> list[Pattern]:
        """The patterns of the draws that were done, in the order of their numbers."""
        is_kept = self.checkpoint is not None
        identity = identity_of(table, self.learner, self._draw, self.directions) if is_kept else {}
        checkpoint = Checkpoint(self.checkpoint, identity, self.random_state)
        try:
            with quiet():
                self._resample(table, knowledge, checkpoint, run)
        finally:
            checkpoint.write()
        done = [number for number in range(self._n_draws) if number in checkpoint.draws]
        if not done:
            raise KeyboardInterrupt
        return [pattern for number in done for pattern in checkpoint.draws[number]]

    def _refuse_other_nodes(self, patterns: list[Pattern], n_nodes: int) -> None:
        if any(ends.max(initial=-1) >= n_nodes for pattern in patterns for ends in pattern):
            raise DataError(
                f"{type(self).__name__}: graphs of {type(self.learner).__name__} have nodes that are no "
                "columns, and only edges between columns are counted. Let it join columns, as "
                "reading='variables' or reading='genes' do."
            )

    def _resample(self, table: Drawable, knowledge: Knowledge, checkpoint: Checkpoint, run: Run) -> None:
        """Learn from the draws that the checkpoint does not have."""
        owner, n_draws = type(self).__name__, self._n_draws
        learner = table.learner if isinstance(table, RowsInBlocks) else self.learner
        directions: Directions = "graph" if self._is_cyclic else self.directions
        resampling = Resampling(owner, learner, self._draw, directions, checkpoint.entropy, knowledge)
        missing = [number for number in range(n_draws) if number not in checkpoint.draws]
        if isinstance(table, Dataset):  # rows drawn have no order that could be looked for
            table = Dataset(table, rows="independent")
        for number, patterns in in_parallel(resampling, table, missing, n_jobs=self.n_jobs, run=run):
            if patterns is None:
                run.status = Status.INTERRUPTED
                continue
            checkpoint.add(number, patterns)
            run.show(f"draw {len(checkpoint.draws)} of {n_draws}", len(checkpoint.draws), n_draws)

    def _outcome(self, findings: Findings, patterns: list[Pattern], status: Status) -> Outcome:
        outcome = self._conclude(findings)
        extra = {"confidence": findings.confidence, "n_resamples": findings.n_resamples, **outcome.extra}
        trace = {"edges": np.array([pattern.n_edges for pattern in patterns])}
        graph = with_facts(outcome.graph, findings.facts)
        return replace(outcome, graph=graph, status=status, trace=trace, extra=extra)

    def _say_how_many(self, status: Status) -> None:
        if status is not Status.COMPLETE:
            how = status.value.partition(":")[0]
            self.status_ = (
                f"{how}: this is the result of {self.n_resamples_} of {self.n_resamples} resamples."
            )


def _takes_copies_for_dependence(learner: Learner) -> bool:
    """Whether copies of rows are found to depend however many rows there are.

    A likelihood ratio grows with copies by one for each degree of freedom, on average. Scores whose price of
    a parameter grows with the rows hardly mind.
    """
    score = learner.get_params(deep=False).get("score")
    is_aic = score == "aic" or (isinstance(score, Penalised) and isinstance(score.price, Akaike))
    return is_aic or isinstance(learner, Tested)
