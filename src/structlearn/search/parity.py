"""Sets of columns that depend on each other although no pair of them does, such as c = a xor b.

A search that adds one arc at a time cannot see them: the first arc of such a set brings nothing.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.options import Whole
from structlearn.rounding import ENOUGH
from structlearn.run import Status
from structlearn.scores.families import gained
from structlearn.search.kernels.parent_sets import subsets
from structlearn.search.space import Space

CHECK_PARITY = Whole(0, "the largest sets to search for joint dependence that no pair shows; below 3, none")
MOST_SETS = 50_000  # beyond, the scan would take longer than the search it follows
FEWEST_SETS = 2_000  # however long the table: all sets of three of 23 columns
MOST_VISITS = 2e8  # rows times sets: some tenths of a second
MOST_VISITS_TO_WARN = 5e7  # for a climb that takes as long itself, and will not put in what is found
MOST_FOUND = 20  # more than a person reads
AT_ONCE = 1_000  # families: their tables stay in a cache
STRONG = 5.0  # a logarithm of odds that Kass and Raftery (1995) call very strong


Columns = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class HiddenSet:
    """Columns that depend jointly, and what the score gains when one gets the others as parents."""

    names: tuple[str, ...]
    gain: float


@dataclass(frozen=True, slots=True)
class ParityScan:
    """What a search for hidden sets found, and how far it looked."""

    size: int
    n_sets: int
    found: tuple[HiddenSet, ...]

    def __str__(self) -> str:
        sets = "1 set" if self.n_sets == 1 else f"{self.n_sets:,} sets"
        size = "3" if self.size <= 3 else f"3 to {self.size}"
        looked = f"{sets} of {size} columns searched for hidden joint dependence: "
        if not self.found:
            return f"{looked}none found."
        found = [f"{{{', '.join(hidden.names)}}} (gain {hidden.gain:.1f})" for hidden in self.found]
        return f"{looked}{'; '.join(found)} depend jointly though no pair does."


class ParityCheck:
    """Looks for hidden sets around a DAG.

    A set counts as hidden when one of its columns, the child, gains from all others together and
    from none of them alone. As chance would find some among many sets, the gain must exceed 5 and the
    logarithm of their number, the prior of the extended BIC of Chen and Chen (2008). Where there are
    too many sets, the columns with the fewest neighbours come first: those of a hidden set seem to have none.
    """

    def __init__(self, space: Space, size: int) -> None:
        self._space = space
        self._size = size

    def scan(self, parents: Sequence[Sequence[int]], most_visits: float | None = None) -> ParityScan:
        """Search the sets of up to `size` columns around the DAG with these parents."""
        visits = (most_visits or MOST_VISITS) / max(self._space.statistics.n_rows, 1)
        most_sets = int(min(max(visits, FEWEST_SETS), MOST_SETS))
        n_sets = 0
        found: list[HiddenSet] = []
        for size in range(3, min(self._size, len(parents)) + 1):
            sets = _unlinked_sets(parents, size, most_sets)
            if len(self._space.limits.contexts):
                sets = sets[:, ~np.isin(sets, self._space.limits.contexts).any(axis=0)]
            n_sets += sets.shape[1]
            found += self._hidden(parents, sets)
        return self._of_strongest(n_sets, found)

    def among_arcs(self, parents: Sequence[Sequence[int]]) -> ParityScan:
        """The hidden sets that the best DAG of all has joined: parents that help together, and none alone."""
        if self._space.run.must_stop():
            return self.no_scan()
        contexts, n_columns = set(self._space.limits.contexts.tolist()), len(self._space.columns)
        sizes = range(3, min(self._size, n_columns) + 1)
        n_sets = sum(math.comb(n_columns, size) for size in sizes)
        found = [
            hidden
            for child, members in enumerate(parents)
            for size in sizes
            for others in combinations(sorted(set(members) - contexts), size - 1)
            if (hidden := self._joined(child, set(members), others)).gain > STRONG + math.log(n_sets)
        ]
        return self._of_strongest(n_sets, found)

    def no_scan(self) -> ParityScan:
        """What is known without a search, where there was no time for one."""
        return ParityScan(self._size, 0, ())

    def scan_and_warn(self, parents: Sequence[Sequence[int]]) -> ParityScan:
        """Search, and warn of hidden sets, for a search that cannot give them their arcs."""
        if self._space.run.status is not Status.COMPLETE:
            return self.no_scan()
        scan = self.scan(parents, MOST_VISITS_TO_WARN)
        if scan.found:
            advice = "The graph leaves this out; method 'boss' puts it in."
            self._space.run.warn(f"{scan} {advice}")
        return scan

    def _hidden(self, parents: Sequence[Sequence[int]], sets: Columns) -> Iterator[HiddenSet]:
        n_parents = np.array([len(members) for members in parents])
        children, others = _split(sets, n_parents)
        needed = STRONG + math.log(max(len(children), 1))
        has_room = n_parents + len(others) <= self._space.limits.most_parents
        children, others = children[has_room[children]], others[:, has_room[children]]
        for size in np.unique(n_parents[children]).tolist():
            of_size = np.flatnonzero(n_parents[children] == size)
            of_size = of_size[np.argsort(children[of_size], kind="stable")]
            yield from self._hidden_among(parents, children[of_size], others[:, of_size], needed)

    def _hidden_among(
        self,
        parents: Sequence[Sequence[int]],
        children: Columns,
        others: Columns,
        least: float,
    ) -> Iterator[HiddenSet]:
        """The sets whose children, all with as many parents, gain so much from the other columns."""
        space = self._space
        nodes, rows = np.unique(children, return_inverse=True)
        roots = np.array([[child, *parents[child]] for child in nodes.tolist()])
        now = self._scored(roots)
        is_allowed = (self._alone(roots) <= ENOUGH) & ~space.limits.closed[nodes]
        is_left = np.logical_and.reduce([is_allowed[rows, other] for other in others])
        rows, others = rows[is_left], others[:, is_left]
        gains = gained(self._scored(np.concatenate([roots[rows], others.T], axis=1)), now[rows])
        for i in np.flatnonzero(gains > least).tolist():
            names = sorted(space.names[j] for j in (nodes[rows[i]], *others[:, i]))
            yield HiddenSet(tuple(names), float(gains[i]))

    def _joined(self, child: int, parents: set[int], others: tuple[int, ...]) -> HiddenSet:
        """What some parents bring beyond the rest; nothing if one does so alone, or not without the rest."""
        scores, rest = self._space.scores, parents.difference(others)
        least = scores.local(child, rest)
        is_hidden = all(scores.local(child, {*rest, other}) - least <= ENOUGH for other in others)
        is_hidden &= scores.local(child, others) - scores.local(child, ()) > ENOUGH
        names = sorted(self._space.names[j] for j in (child, *others))
        return HiddenSet(tuple(names), scores.local(child, parents) - least if is_hidden else 0.0)

    def _of_strongest(self, n_sets: int, found: list[HiddenSet]) -> ParityScan:
        strongest = sorted(found, key=lambda hidden: -hidden.gain)
        return ParityScan(self._size, n_sets, tuple(_apart(strongest))[:MOST_FOUND])

    def _alone(self, roots: Columns) -> NDArray[np.float64]:
        """What each column adds to each family as one more parent; infinity where it is in it."""
        families = [(child, tuple(sorted(members))) for child, *members in roots.tolist()]
        self._space.scores.prepare_toggles(families)
        gains = np.array([self._space.scores.toggles(*family) for family in families])
        gains[np.arange(len(roots))[:, None], roots] = np.inf
        return gains

    def _scored(self, families: Columns) -> NDArray[np.float64]:
        blocks = [families[start : start + AT_ONCE] for start in range(0, len(families), AT_ONCE)]
        return np.concatenate([np.empty(0), *(self._space.scores.many(block) for block in blocks)])


def _unlinked_sets(parents: Sequence[Sequence[int]], size: int, most_sets: int) -> Columns:
    """Sets of columns without an arc among them, from the columns with the fewest neighbours.

    A set is no row but a column: numpy takes long over short rows.
    """
    linked = np.zeros((len(parents), len(parents)), dtype=np.bool_)
    for child, members in enumerate(parents):
        linked[child, list(members)] = linked[list(members), child] = True
    n_columns = len(parents)
    while math.comb(n_columns, size) > most_sets:
        n_columns -= 1
    columns = np.sort(np.argsort(linked.sum(axis=1), kind="stable")[:n_columns])
    positions = np.empty((math.comb(n_columns, size), size), dtype=np.int64)
    subsets(positions)
    sets: Columns = columns[np.ascontiguousarray(positions.T)]
    is_linked = np.logical_or.reduce([linked[one, other] for one, other in combinations(sets, 2)])
    return sets[:, ~is_linked]


def _split(sets: Columns, n_parents: Columns) -> tuple[Columns, Columns]:
    """The child of each set, and the others from the last to the first.

    The child is the last of those with the fewest parents: its table is the smallest.
    """
    falling = sets[::-1]
    place = np.argmin(n_parents[falling], axis=0)
    child = np.take_along_axis(falling, place[None], axis=0)[0]
    return child, np.where(np.arange(len(sets) - 1)[:, None] < place, falling[:-1], falling[1:])


def _apart(strongest: Sequence[HiddenSet]) -> Iterator[HiddenSet]:
    """Leave out sets that share two columns with a stronger one: they repeat it."""
    kept: list[set[str]] = []
    for hidden in strongest:
        if all(len(other.intersection(hidden.names)) < 2 for other in kept):
            kept.append(set(hidden.names))
            yield hidden
