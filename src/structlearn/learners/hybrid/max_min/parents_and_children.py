"""Max-min parents and children of all columns: the search from start to end, and what it found."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.independence.asking import Asker, SeparatedPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.learners.hybrid.max_min.max_min_search import MaxMinSearch
from structlearn.learners.hybrid.max_min.options import MaxMin
from structlearn.learners.hybrid.max_min.reliable_asker import ReliableAsker
from structlearn.learners.hybrid.skeletons.joins import Joins
from structlearn.run import Run

Matrix = NDArray[np.bool_]
Symmetry = Literal["and", "or"]


@dataclass(frozen=True, slots=True)
class ParentsAndChildren:
    """The columns joined to each other; `one_sided` has a row per target, before ends are compared."""

    skeleton: Skeleton
    one_sided: Matrix
    asker: Asker
    n_skipped: int

    @property
    def is_neighbor(self) -> Matrix:
        """Whether two columns are joined."""
        joined = np.zeros(self.one_sided.shape, dtype=np.bool_)
        a, b = self.skeleton.edges.T
        joined[a, b] = joined[b, a] = True
        return joined

    def p_values(self, names: tuple[str, ...]) -> dict[frozenset[str], float]:
        """The largest p-value that each edge survived, by the names of its ends."""
        pairs = zip(self.skeleton.edges.tolist(), self.skeleton.largest_p.tolist(), strict=True)
        return {frozenset((names[a], names[b])): p for (a, b), p in pairs}

    def graph(self, names: tuple[str, ...]) -> Graph:
        """The skeleton by name."""
        return Graph(names, undirected=[(names[a], names[b]) for a, b in self.skeleton.edges.tolist()])


def find_parents_and_children(
    asker: Asker, joins: Joins, options: MaxMin, run: Run, *, symmetry: Symmetry = "and"
) -> ParentsAndChildren:
    """Search the parents and children of each column, then keep the pairs that both or one of them say."""
    reliable = ReliableAsker(
        asker, reliability=options.reliability, min_rows_per_cell=options.min_rows_per_cell
    )
    search = MaxMinSearch(reliable, joins.is_possible, joins.is_required, options.max_conditioning)
    trace = _search(search, asker, run)
    chosen = search.is_member | joins.is_required  # which there may have been no time to choose
    is_edge = chosen | chosen.T if symmetry == "or" else chosen & chosen.T
    edges = np.argwhere(np.triu(is_edge)).astype(np.int64)
    largest_p = np.exp(np.maximum(search.log_p, search.log_p.T)[tuple(edges.T)])
    skeleton = Skeleton(edges, largest_p, _separators(search, is_edge), trace)
    return ParentsAndChildren(skeleton, chosen, asker, reliable.n_skipped)


def _search(search: MaxMinSearch, asker: Asker, run: Run) -> dict[str, list[object]]:
    """Choose columns until none is left, then take out what is not needed; returns how it went."""
    trace: dict[str, list[object]] = {"step": [], "tests": [], "members": []}

    def note(step: str, done: int | None = None, total: int | None = None) -> None:
        n_members = int((search.members >= 0).sum())
        for column, value in zip(trace.values(), (step, asker.n_tests, n_members), strict=True):
            column.append(value)
        run.show(f"{step}: {n_members} parents and children after {asker.n_tests} tests", done, total)

    search.ask_marginally()
    note("alone")
    while not run.must_stop() and search.grow():
        note("grow")
    n_places = search.members.shape[1]
    for place in range(n_places):
        search.shrink(place)
        note("shrink", place + 1, n_places)
    return trace


def _separators(search: MaxMinSearch, is_edge: Matrix) -> Separators:
    """The first set found to separate each pair that is not joined."""
    kept = []
    for pairs, level in search.separated:
        left = np.flatnonzero(~is_edge[tuple(pairs.T)])
        kept.append((pairs, SeparatedPairs(left, level.given[left], level.p_value[left], level.largest_p)))
    return Separators(len(is_edge), kept)
