"""What learners of lagged networks share: the way in, what is known, and the order of the results."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Edge, Graph
from structlearn.graphs.lags import lag_facts, lagged_name
from structlearn.learners.base import ATTRIBUTES, Learner
from structlearn.learners.option_groups import Informed, Threaded, Timed
from structlearn.learners.preconditions import SAME
from structlearn.learners.time.best_lags import furthest_parent, most_lags, order_by_regression
from structlearn.learners.time.hints import warn_of_series
from structlearn.learners.time.options import Lagged
from structlearn.learners.time.prepared import S, prepared
from structlearn.numerics.autoregression import LaggedRows
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import Score
from structlearn.search.limits import NO_LIMIT, Limits
from structlearn.search.possible import refuse_impossible_arcs
from structlearn.search.space import Space
from structlearn.statistics import Source, Statistics
from structlearn.statistics.lagged import LaggedTable, checked_lags, lagged_table

Flags = NDArray[np.bool_]
ROWS_PER_LAG = 3  # with fewer, most rows are lost to the lags
NOT_COMPARED = (
    "families are chosen by a score, and those on different rows cannot be compared. Use missing='drop'."
)
IN_TIME = {
    "step_": "step_ : float\n    The time between two steps.",
    "lags_": "lags_ : tuple of int\n    The lags that were looked at.",
    "n_lagged_rows_": "n_lagged_rows_ : int\n    How many rows have all lags within their series.",
}


@dataclass(frozen=True, slots=True)
class KnownInTime:
    """What is known of arrows between variables, as matrices `[source, target]`.

    What is forbidden is so at every lag, what is required is there at the smallest. Tiers say what may come
    first within a step: they hold at lag 0 only. `at_lags` says which variables may act at a lag, all at one
    that it does not have.
    """

    required: Flags
    forbidden: Flags
    forbidden_now: Flags
    by_tiers: Flags
    at_lags: Mapping[int, Flags] = field(default_factory=dict)

    @classmethod
    def of(cls, knowledge: Knowledge, variables: Sequence[str]) -> "KnownInTime":
        """Look up the variables."""
        required, forbidden_now = knowledge.matrices(variables)
        _, forbidden = Knowledge(forbidden=knowledge.forbidden).matrices(variables)
        _, by_tiers = Knowledge(tiers=knowledge.tiers).matrices(variables)
        return cls(required, forbidden, forbidden_now, by_tiers)

    def acting(self, lags: Sequence[int]) -> Flags:
        """Which variables may act at which of these lags, (lags, variables)."""
        anyone = np.ones(len(self.required), dtype=np.bool_)
        return np.array([self.at_lags.get(lag, anyone) for lag in lags])

    @property
    def may_act(self) -> Flags:
        """Which variables (rows) may act on which (columns) from the past: what is required always may."""
        return self.required | ~self.forbidden

    def regressions(self, lags: Sequence[int]) -> Iterator[tuple[NDArray[np.int64], Flags]]:
        """Variables that may follow from the same columns of the past, lag by lag, and which these are."""
        alike, of = np.unique(self.may_act.T, axis=0, return_inverse=True)
        acting = self.acting(lags)
        for place, sources in enumerate(alike):
            yield np.flatnonzero(of.ravel() == place), (acting & sources).ravel()

    def beside_context(self, table: LaggedTable) -> "KnownInTime":
        """With what never changes within a series: it follows from nothing, and has one past for all lags."""
        if not table.is_context.any():
            return self
        acting = self.acting(table.asked)
        is_first = np.arange(len(table.asked))[:, None] == self.first_places(table.asked)
        acting = np.where(table.is_context, acting & is_first, acting)
        return replace(
            self,
            forbidden=self.forbidden | table.is_context,
            at_lags=dict(zip(table.asked, acting, strict=True)),
        )

    def first_places(self, lags: Sequence[int]) -> NDArray[np.int64]:
        """Where the smallest lag of each variable stands among these."""
        found: NDArray[np.int64] = self.acting(lags).argmax(axis=0)
        return found

    def limits(
        self, table: LaggedTable, *, within_step: bool, own_past: bool = False, max_parents: int | None = None
    ) -> Limits:
        """Which arcs a search may make and must keep: only what is now has parents.

        What never changes within a series may be a parent, always within the step, and has none. With
        `own_past` every variable follows from itself a step ago.
        """
        n, n_columns = len(table.variables), len(table.statistics.names)
        closed, frozen = (
            np.ones((n_columns, n_columns), dtype=np.bool_),
            np.zeros((n_columns, n_columns), np.bool_),
        )
        closed[:n, n:] = np.tile(self.forbidden.T | table.is_context, (1, len(table.lags)))
        closed[:n, n:] |= ~self.acting(table.lags).ravel()
        if within_step:
            closed[:n, :n] = self.forbidden_now.T
        closed[:n, :n][:, table.is_context] = self.forbidden.T[:, table.is_context]
        closed[:n][table.is_context] = True
        first = np.where(table.is_context, 0, n * (1 + self.first_places(table.lags))) + np.arange(n)
        frozen[:n, first] = self.required.T
        if own_past:
            frozen[:n, first] |= np.diag(~(table.is_context | self.forbidden.diagonal()))
        np.fill_diagonal(closed, val=False)
        return Limits(frozen, closed & ~frozen, NO_LIMIT if max_parents is None else max_parents)


class TimeLearner(Lagged, Informed, Threaded, Timed, Learner):
    """A learner that sees each row beside those some steps before it; subclasses say how in `_learn_lagged`.

    Arrays of an outcome's `by_pair` and `by_node` are by variable, in the order of the lagged table.
    """

    needs_full_rank: ClassVar[bool] = False
    attributes: ClassVar[Mapping[str, str]] = IN_TIME | ATTRIBUTES
    step_: float = result()
    n_lagged_rows_: int = result()
    lags_: tuple[int, ...] = result()

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        lags, n_rows = self.asked_lags(statistics, knowledge, run), statistics.n_rows
        most = lags[-1]
        table = lagged_table(
            run.owner,
            statistics,
            self.lags_of_table(lags),
            asked=lags,
            equal_series=self.equal_series,
            **self.when(),
        )
        if table.n_short_series:
            n_series = len(table.steps.labels)
            run.note(
                f"{table.n_short_series:,} of {n_series:,} series are too short for a row with all lags."
            )
        if most > 1 and ROWS_PER_LAG * most >= n_rows:
            run.warn(f"rows are few for {most} lags: {n_rows}, before any is lost.")
        warn_of_series(table, run, are_changes=self.difference)
        if self.resample:
            run.note("Values between rows are on lines, and remember more than those that were measured.")
        if self.difference:
            run.note("Arrows are between changes from step to step.")
        if self.trend or self.season is not None:
            run.note("Arrows are between numbers less their trend or season.")
        outcome = self._learn_lagged(table, self.known(run.owner, knowledge, table.variables), run)
        about = {"step": table.steps.step, "n_lagged_rows": table.n_rows, "lags": lags}
        return replace(outcome, extra={**outcome.extra, **about})

    def _learn_lagged(self, table: LaggedTable, known: KnownInTime, run: Run) -> Outcome:
        raise NotImplementedError

    def prepared(self, owner: str, table: S, *, until: float = math.inf) -> S | Dataset:
        """The table at even steps, without trend and season, and its changes, as far as the options ask."""
        return prepared(owner, table, self, only=self.only, until=until)

    @property
    def within_step(self) -> bool:
        """Whether there may be edges within a step."""
        return bool(self._option("contemporaneous"))

    def known(self, owner: str, knowledge: Knowledge, variables: Sequence[str]) -> KnownInTime:
        """What is known, and what the options say of the lags and the own past of variables."""
        found = KnownInTime.of(knowledge, variables)
        by_variable = self.lags_by_column(owner, variables) or {}
        at_lags = {
            lag: np.array([lag in by_variable[variable] for variable in variables])
            for lag in sorted(set().union(*by_variable.values()))
        }
        own = np.array(self.without_own_past(owner, variables))
        if own.any() and self._option("own_past"):
            raise OptionError(f"{owner}(own_past=True, no_own_past=…): one cannot be had with the other.")
        forbidden = found.forbidden | np.diag(own)
        return replace(found, forbidden=forbidden, at_lags=at_lags)

    def asked_lags(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> tuple[int, ...]:
        """The lags as they were given, or from 1 up to as many as are best."""
        aside = self.columns_aside().values()
        variables = [name for name in statistics.names if name not in aside]
        if (by_column := self.lags_by_column(run.owner, variables)) is not None:
            return tuple(sorted(set().union(*by_column.values())))
        if not isinstance(self.lags, str | Mapping):
            return checked_lags(self.lags)
        if not statistics.is_complete:
            raise OptionError(f"{run.owner}(lags='bic', missing='testwise'): {NOT_COMPARED}")
        first = lagged_table(run.owner, statistics, (1,), **self.when())
        most = most_lags(first.steps.longest_run(), self.max_lags)
        table = lagged_table(run.owner, statistics, checked_lags(most), **self.when())
        order = order_by_regression(table)
        if order is None:
            limits = self.known(run.owner, knowledge, table.variables).limits(table, within_step=False)
            # Of many columns BIC takes some by chance, and one far back would bring all lags before it.
            order = furthest_parent(space_in_time(table, limits, "ebic", run), table)
        return checked_lags(order)

    def lags_of_table(self, lags: tuple[int, ...]) -> tuple[int, ...]:
        """The lags that the method looks at; some condition on more than may be causes."""
        return lags

    def _statistics(self, source: Source, run: Run) -> Statistics:
        return super()._statistics(self.prepared(run.owner, source), run)

    def _publish(self, outcome: Outcome, names: tuple[str, ...], knowledge: Knowledge, run: Run) -> None:
        super()._publish(_in_order_of_columns(outcome, names), names, knowledge, run)


def space_in_time(table: LaggedTable, limits: Limits, score: str | Score | None, run: Run) -> Space:
    """The networks that limits leave, over the columns of a lagged table."""
    usual = score is None
    _warn_of_echoes(table, run)
    space = Space.of(run.owner, table.statistics, Knowledge(), run, score=score or "bic", is_usual=usual)
    refuse_impossible_arcs(run.owner, table.statistics, space.scores, limits)
    return space.within(limits)


def _warn_of_echoes(table: LaggedTable, run: Run) -> None:
    """Warn of a column that is another some steps ago: what has no error has no Gaussian score."""
    kinds = table.statistics.kinds[: len(table.variables)]
    chosen = [j for j, kind in enumerate(kinds) if kind == "continuous" and not table.is_context[j]]
    now, past = table.values()
    rows = LaggedRows.of(now[:, chosen], past[:, :, chosen])
    likeness = np.abs(rows.past.T @ rows.now) / rows.n_rows
    if rows.n_rows > 2 and likeness.max(initial=0.0) > SAME:  # any two columns of two rows are alike
        column, target = divmod(int(likeness.argmax()), len(chosen))
        lag, source = divmod(column, len(chosen))
        before = lagged_name(table.variables[chosen[source]], table.lags[lag])
        run.warn(
            f"{table.statistics.names[chosen[target]]!r} is {before!r} but for scale. What follows without "
            "error has no score here, and may have no arrow; PCMCI shows it."
        )


def graph_in_time(variables: Sequence[str], lags: Sequence[int], edges: Sequence[Edge]) -> Graph:
    """A graph of all variables now and at these lags, the furthest back first."""
    facts = lag_facts(variables, (0, *lags))
    return Graph(facts, edges=edges, facts=facts)


def _in_order_of_columns(outcome: Outcome, names: Sequence[str]) -> Outcome:
    """The variables of each lag in the order of the table's columns."""
    facts = outcome.graph.facts
    place = {name: i for i, name in enumerate(names)}
    nodes = sorted(facts, key=lambda node: (-facts[node]["lag"], place[facts[node]["variable"]]))
    variables = [facts[node]["variable"] for node in facts if facts[node]["lag"] == 0]
    order = np.argsort([place[variable] for variable in variables])
    arrays = {name: values[..., order[:, None], order] for name, values in outcome.by_pair.items()}
    arrays |= {name: values[order] for name, values in outcome.by_node.items()}
    return replace(
        outcome,
        graph=outcome.graph.reordered(nodes),
        by_pair={},
        by_node={},
        extra={**outcome.extra, **arrays},
    )
