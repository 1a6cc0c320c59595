"""Local scores by family, remembered, and what one parent more or less would change."""

import math
from collections import OrderedDict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.scores.protocol import Score
from structlearn.statistics import Statistics

CACHE_BYTES = 256 * 2**20
Parents = tuple[int, ...]
Family = tuple[int, Parents]


class FamilyScores:
    """A score on given data, with a memory: asks for whole batches, and for none of them twice."""

    def __init__(self, score: Score, statistics: Statistics) -> None:
        self.n_nodes = len(statistics.names)
        self._score = score
        self._statistics = statistics
        self._locals: dict[Family, float] = {}
        self._with_one_more: OrderedDict[Family, NDArray[np.float64]] = OrderedDict()
        self._most_remembered = max(64, CACHE_BYTES // (8 * max(self.n_nodes, 1)))

    def local(self, child: int, parents: Iterable[int]) -> float:
        """The score of one family."""
        return self._locals_of(child, [tuple(sorted(parents))])[0]

    def total(self, parents: Sequence[Iterable[int]]) -> float:
        """The score of a DAG, given the parents of every node."""
        return sum(self.local(child, members) for child, members in enumerate(parents))

    def toggles(self, child: int, parents: Iterable[int]) -> NDArray[np.float64]:
        """What adding each node to the parents, or removing it, does to the family's score."""
        members = tuple(sorted(parents))
        smaller = [tuple(p for p in members if p != left_out) for left_out in members]
        now = self._locals_of(child, [members])[0]
        without = self._locals_of(child, smaller)
        gains = _gain(self._larger(child, members), now)
        gains[child] = 0.0
        for parent, score in zip(members, without, strict=True):
            gains[parent] = -math.inf if score == -math.inf else score - now
        return gains

    def toggles_without_parents(self) -> NDArray[np.float64]:
        """The toggles of every child while it has no parents: one row per child."""
        n = self.n_nodes
        alone = self._scored(np.arange(n, dtype=np.int64)[:, None])
        self._locals.update({(child, ()): float(alone[child]) for child in range(n)})
        gains = np.zeros((n, n))
        if not getattr(self._score, "is_equivalent", False):
            for child in range(n):
                gains[child] = self.toggles(child, ())
            return gains
        children, parents = np.triu_indices(n, k=1)
        if len(children):
            pairs = self._scored(np.column_stack([children, parents]))
            # An equivalent score gains the same from either direction of a lone edge.
            gains[parents, children] = gains[children, parents] = _gain(pairs, alone[children])
        for child in range(n):
            self._with_one_more[child, ()] = alone[child] + gains[child]
        return gains

    def _larger(self, child: int, parents: Parents) -> NDArray[np.float64]:
        """The scores with each other node as one more parent; NaN where it cannot be one."""
        family = (child, parents)
        if family in self._with_one_more:
            self._with_one_more.move_to_end(family)
            return self._with_one_more[family]
        scores = np.full(self.n_nodes, math.nan)
        others = np.delete(np.arange(self.n_nodes), [child, *parents])
        if len(others):
            scores[others] = self._scored(_families(child, parents, others))
        self._with_one_more[family] = scores
        if len(self._with_one_more) > self._most_remembered:
            self._with_one_more.popitem(last=False)
        return scores

    def _locals_of(self, child: int, sets: list[Parents]) -> list[float]:
        """The scores of several parent sets of one size, of which the unknown are one batch."""
        unknown = [parents for parents in sets if not self._is_known(child, parents)]
        if unknown:
            families = np.array([(child, *parents) for parents in unknown], dtype=np.int64)
            for parents, score in zip(unknown, self._scored(families).tolist(), strict=True):
                self._locals[child, parents] = score
        return [self._locals[child, parents] for parents in sets]

    def _is_known(self, child: int, parents: Parents) -> bool:
        if (child, parents) in self._locals:
            return True
        for last in parents:
            scores = self._with_one_more.get((child, tuple(p for p in parents if p != last)))
            if scores is not None:
                self._locals[child, parents] = float(scores[last])
                return True
        return False

    def _scored(self, families: NDArray[np.int64]) -> NDArray[np.float64]:
        return self._score.local(self._statistics, families)


def _families(child: int, parents: Parents, others: NDArray[np.int64]) -> NDArray[np.int64]:
    families = np.empty((len(others), len(parents) + 2), dtype=np.int64)
    families[:, 0] = child
    families[:, 1:-1] = parents
    families[:, -1] = others
    return families


def _gain(after: NDArray[np.float64], before: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """The difference of scores; an impossible family stays impossible, whatever it replaces."""
    with np.errstate(invalid="ignore"):
        gains = after - before
    gains[after == -math.inf] = -math.inf
    return gains
