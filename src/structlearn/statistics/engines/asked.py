"""Statistics that an engine is asked for question by question: few and large ones, and none twice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from structlearn.data import Kind
from structlearn.errors import DataError
from structlearn.statistics.engines.collapsed import CollapsedStatistics, Part
from structlearn.statistics.engines.power_sums import Tails
from structlearn.statistics.engines.protocol import Engine, Groups
from structlearn.statistics.memory import ALWAYS_DENSE_CELLS, DENSE_CELLS_PER_ROW, one_behind_the_other
from structlearn.statistics.protocol import (
    Columns,
    Counts,
    FourthMoments,
    GroupedMoments,
    Moments,
    Tables,
)

Key = tuple[int, ...]
MOST_GROUPS = 1 << 22  # of one answer: 32 MiB and as much again for every column
MOST_KEPT_CELLS = 1 << 26  # of tables that were answered: half a gibibyte


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that count: those that have all of the `complete` columns, how many, and their weight.

    Where not `is_complete`, each question is answered by those of them that have what it asks for.
    """

    n_rows: int
    size: float
    complete: tuple[int, ...]
    is_complete: bool


class AskedStatistics:
    """Counts and moments by an engine; `places` are the columns' numbers there."""

    def __init__(
        self, engine: Engine, places: Sequence[int], part: Part, scope: Scope, *, n_jobs: int = 1
    ) -> None:
        self._engine, self._places = engine, np.asarray(places, dtype=np.int64)
        self._part, self._complete = part, scope.complete
        self._tails = Tails(engine, places, scope.complete)
        self.names, self.labels, self.n_jobs = part.names, part.labels, n_jobs
        self.levels = np.array([len(known) for known in part.labels], dtype=np.int64)
        self.kinds: tuple[Kind, ...] = tuple("discrete" if known else "continuous" for known in part.labels)
        self.n_rows, self.size, self.is_complete = scope.n_rows, scope.size, scope.is_complete
        self.log_units, self.origins = part.measures.log_units, part.measures.starts
        self._kept: dict[Key, Groups] = {}
        self._n_kept = 0

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        """Count the states of each of these discrete columns, one by one."""
        everyone = [(int(j),) for j in np.flatnonzero(self.levels)]
        self._ask([(int(j),) for j in columns], else_all=everyone)
        return [self._dense((int(j),)) for j in columns]

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state of discrete columns: one axis per column."""
        key = tuple(int(j) for j in columns)
        self._ask([key])
        return self._dense(key)

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of two or more discrete columns, one per row of `sets`."""
        keys = [tuple(columns) for columns in sets.tolist()]
        # Who asks for one pair will ask for others, and all of them cost one pass like one.
        pairs = combinations(np.flatnonzero(self.levels).tolist(), 2) if sets.shape[1] == 2 else ()
        self._ask(keys, else_all=pairs)
        widths = self.levels[sets[:, -2]] * self.levels[sets[:, -1]]
        most = max(DENSE_CELLS_PER_ROW * self.n_rows, ALWAYS_DENSE_CELLS)
        is_dense = self.levels[sets].astype(np.float64).prod(axis=1).max(initial=0.0) <= most
        filled = [self._dense(key).ravel() if is_dense else self._occurring(key) for key in keys]
        strata = np.array([table.size for table in filled], dtype=np.int64) // widths
        return one_behind_the_other(filled, strata, widths)

    def moments(self) -> Moments:
        """The moments of the continuous columns, computed once."""
        return self._moments

    def grouped_moments(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        """The moments of sets of continuous columns within the strata of discrete ones."""
        asked, which = np.unique(sets, return_inverse=True)
        within = self._collapsed([int(j) for j in discrete], asked.tolist())
        n_discrete = len(discrete)
        return within.grouped_moments(range(n_discrete), n_discrete + which.reshape(sets.shape))

    def fourth_moments(self, columns: Sequence[int]) -> FourthMoments:
        """The fourth moments of these continuous columns."""
        return self._tails.of(columns)

    @cached_property
    def _moments(self) -> Moments:
        continuous = np.flatnonzero(self.levels == 0)
        found = self._collapsed([], continuous.tolist()).moments()
        p, both = len(self.names), np.ix_(continuous, continuous)
        mean, covariance, correlation = np.zeros(p), np.zeros((p, p)), np.zeros((p, p))
        mean[continuous], covariance[both], correlation[both] = (
            found.mean,
            found.covariance,
            found.correlation,
        )
        return Moments(self.size, mean, covariance, correlation)

    def _collapsed(self, discrete: list[int], continuous: list[int]) -> CollapsedStatistics:
        columns = [*discrete, *continuous]
        there = self._there(discrete), self._there(continuous)
        groups = self._engine.groups(*there, self._complete, MOST_GROUPS)
        if groups is None:
            raise DataError(
                f"{self._engine.title}: {', '.join(repr(self.names[j]) for j in columns[:5])} have more than "
                f"{MOST_GROUPS:,} joint states. Use missing='drop', fewer columns, or sample_rows=…."
            )
        tails = Tails(self._engine, [*there[0], *there[1]], self._complete)
        return CollapsedStatistics(self._part.of(columns), groups, tails)

    def _there(self, columns: Iterable[int]) -> list[int]:
        return [int(self._places[j]) for j in columns]

    def _ask(self, keys: Iterable[Key], else_all: Iterable[Key] = ()) -> None:
        """Ask for tables that were not asked for before: if for some, then for all that cost no more."""
        asked = {tuple(sorted(key)) for key in keys}
        if asked <= self._kept.keys():
            return
        if self._n_kept > MOST_KEPT_CELLS:
            self._kept.clear()
            self._n_kept = 0
        wanted = sorted((asked | {tuple(sorted(key)) for key in else_all}) - self._kept.keys())
        answers = self._engine.tables([self._there(key) for key in wanted], self._complete)
        for key, groups in zip(wanted, answers, strict=True):
            self._kept[key] = groups
            self._n_kept += groups.codes.size

    def _ordered(self, key: Key) -> tuple[Columns, Counts]:
        """The joint states of these columns that occur, in their order, and their counts."""
        found = self._kept[tuple(sorted(key))]
        return found.codes[:, np.argsort(np.argsort(key))], found.sizes

    def _dense(self, key: Key) -> Counts:
        codes, sizes = self._ordered(key)
        shape = self.levels[list(key)]
        counts = np.zeros(shape)
        np.add.at(counts, tuple(codes.T), sizes)
        return counts

    def _occurring(self, key: Key) -> Counts:
        """The counts of the strata that occur only, in mixed-radix order, one behind the other."""
        codes, sizes = self._ordered(key)
        _, strata = np.unique(codes[:, :-2], axis=0, return_inverse=True)
        counts = np.zeros((int(strata.max(initial=-1)) + 1, *self.levels[list(key[-2:])]))
        np.add.at(counts, (strata.ravel(), codes[:, -2], codes[:, -1]), sizes)
        return counts.ravel()
