"""Sets of links that can be added to a decomposable graph at once, and what they bring."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.cliques.decomposable import attachments_of
from structlearn.learners.score.cliques.entropies import Entropies
from structlearn.learners.score.cliques.prices import Prices
from structlearn.learners.score.kernels.lookahead import complete_sets
from structlearn.rounding import ENOUGH, tie
from structlearn.run import Run
from structlearn.search.kernels.parent_sets import subsets
from structlearn.statistics import Statistics

SETS_AT_ONCE = 2**16  # some MiB of steps, and a look at the clock between two blocks

Link = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LinkSet:
    """Links with the bits by which they lower the entropy, and by how many more than their price."""

    links: tuple[Link, ...]
    gain: float
    excess: float

    def beats(self, other: "LinkSet") -> bool:
        """Whether it is worth more or, where that is a tie, comes first."""
        if abs(self.excess - other.excess) <= tie(other.excess):
            return self.links < other.links
        return self.excess > other.excess


class LinkSets:
    """Finds the best set of links between the nodes of one clique to be.

    Parameters
    ----------
    statistics : Statistics
        The data.
    closed : array of bool
        The pairs that may not be joined.
    max_clique : int
        The most nodes of a clique.
    prices : callable
        How many bits a set must bring more than, by the number of parameters that it adds.
    """

    def __init__(
        self, statistics: Statistics, closed: NDArray[np.bool_], max_clique: int, prices: Prices
    ) -> None:
        self._entropies = Entropies(statistics, max_clique)
        self._levels = statistics.levels.astype(np.float64)
        self._closed = closed
        self._max_clique = max_clique
        self._prices = prices

    def best(self, joined: NDArray[np.bool_], n_links: int, run: Run) -> LinkSet | None:
        """The set of so many links that is worth most beyond its price; None where none is worth it."""
        best: LinkSet | None = None
        for sets in self._node_sets(len(joined), n_links):
            if run.must_stop():
                break
            for found in self._leaders(joined, sets, n_links):
                best = found if best is None or found.beats(best) else best
        return best

    def _node_sets(self, n_nodes: int, n_links: int) -> Iterator[NDArray[np.int64]]:
        """The sets of nodes that so many links can be the missing ones of, in blocks."""
        for size in range(2, min(self._max_clique, 2 * n_links, n_nodes) + 1):
            if math.comb(size, 2) < n_links:
                continue
            if math.comb(n_nodes, size) <= SETS_AT_ONCE:
                yield _all_sets(n_nodes, size)
                continue
            for first in range(n_nodes - size + 1):
                others = _all_sets(n_nodes - first - 1, size - 1) + first + 1
                yield np.column_stack([np.full(len(others), first), others])

    def _leaders(self, joined: NDArray[np.bool_], sets: NDArray[np.int64], n_links: int) -> Iterator[LinkSet]:
        """The best of these sets, with all that tie; none where it is not worth its price."""
        steps = np.full((len(sets), n_links, self._max_clique), -1, dtype=np.int64)
        is_possible = np.zeros(len(sets), dtype=np.bool_)
        complete_sets(joined, self._closed, sets, self._max_clique, steps, is_possible)
        steps = steps[is_possible]
        if not len(steps):
            return
        gains = self._gains(steps.reshape(-1, self._max_clique)).reshape(len(steps), n_links).sum(axis=1)
        excesses = gains - self._prices(self._n_parameters(steps))
        most = float(np.nanmax(excesses, initial=0.0))
        if most <= ENOUGH:
            return
        for place in np.flatnonzero(excesses >= most - tie(most)).tolist():
            links = sorted((int(a), int(b)) for a, b in steps[place, :, :2])
            yield LinkSet(tuple(links), float(gains[place]), float(excesses[place]))

    def information(self, a: int, b: int, given: tuple[int, ...]) -> float:
        """What two nodes share given others, in bits."""
        return float(self._gains(np.array([[a, b, *given]], dtype=np.int64))[0])

    def entropy(self, joined: NDArray[np.bool_]) -> float:
        """The entropy of a network, in bits: that of each node given the clique it is attached to."""
        total = 0.0
        for node, clique in attachments_of([set(np.flatnonzero(row).tolist()) for row in joined]):
            family = np.array([[-1, *clique], [node, *clique]], dtype=np.int64)
            of_clique, of_both = self._entropies.of(family)
            total += float(of_both - of_clique)
        return total

    def _gains(self, steps: NDArray[np.int64]) -> NDArray[np.float64]:
        """I(a; b | common neighbours) of each step, in bits."""
        with_a, with_b, without = steps.copy(), steps.copy(), steps.copy()
        with_a[:, 1] = with_b[:, 0] = -1
        without[:, :2] = -1
        of_a, of_b, of_none, of_all = (self._entropies.of(s) for s in (with_a, with_b, without, steps))
        return of_a + of_b - of_none - of_all

    def _n_parameters(self, steps: NDArray[np.int64]) -> NDArray[np.float64]:
        """How many parameters all steps of a set add: a table's, or a correlation for each link."""
        if not self._levels.any():
            return np.full(len(steps), float(steps.shape[1]))
        levels = np.where(steps >= 0, self._levels[steps], 1.0)
        n_states = levels[:, :, 2:].prod(axis=2)
        added: NDArray[np.float64] = (n_states * (levels[:, :, 0] - 1.0) * (levels[:, :, 1] - 1.0)).sum(
            axis=1
        )
        return added


def _all_sets(n_nodes: int, size: int) -> NDArray[np.int64]:
    sets = np.empty((math.comb(n_nodes, size), size), dtype=np.int64)
    subsets(sets)
    return sets


def trace_of(names: tuple[str, ...], steps: list[LinkSet], entropy: float) -> dict[str, NDArray[Any]]:
    """The links that were added, step by step, down to an entropy."""
    gains = np.array([step.gain for step in steps], dtype=np.float64)
    links = [", ".join(f"{names[a]} — {names[b]}" for a, b in step.links) for step in steps]
    return {
        "links": np.array(links, dtype=object),
        "n_links": np.array([len(step.links) for step in steps], dtype=np.int64),
        "gain": gains,
        "entropy": entropy + gains.sum() - gains.cumsum(),
    }
