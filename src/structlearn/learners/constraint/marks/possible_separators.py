"""The second stage of FCI: nodes further away that may separate two joined ones.

References
----------
.. [1] Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 6.7.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.orientation import outside_separators, unshielded_triples
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.learners.constraint.skeletons.tiers import Lists, Tiers, separate_level
from structlearn.run import Run


@dataclass(frozen=True)
class PossibleSeparators(Lists):
    """By node, the nodes that may be in a set that separates it from another; how many lists were cut."""

    n_cut: int

    @classmethod
    def of(cls, skeleton: Skeleton, asker: Asker, most: int | None) -> "PossibleSeparators":
        """Find them by the colliders of a skeleton; of more than `most`, the nearest are kept."""
        lists, n_cut = [], 0
        reach = _Reach(skeleton, asker)
        for node in range(skeleton.separators.n_nodes):
            found = list(reach.possible_d_sep(node))
            n_cut += most is not None and len(found) > most
            lists.append(sorted(found[:most]))
        starts = np.cumsum([0, *map(len, lists)])
        return cls((starts, np.array([v for each in lists for v in each], dtype=np.int64)), n_cut)


class _Reach:
    """Walks from a node on which every inner one is a collider or the middle of a triangle."""

    def __init__(self, skeleton: Skeleton, asker: Asker) -> None:
        n_nodes, lines = skeleton.separators.n_nodes, skeleton.lines
        self._must_stop = asker.must_stop
        self._adjacent = [_bits(lines.neighbors(node).tolist()) for node in range(n_nodes)]
        self._heads = [0] * n_nodes
        triples = unshielded_triples(lines, asker.must_stop)
        for a, b, c in outside_separators(triples, skeleton.separators)[0].tolist():
            self._heads[b] |= 1 << a | 1 << c

    def possible_d_sep(self, node: int) -> Iterator[int]:
        """The nodes that such walks lead to, the nearest first; only neighbours when time is up.

        A state of the search is the last edge of a walk; sets of nodes are the bits of a number.
        """
        walked = list(self._adjacent)  # by node, where walks may still go on to
        reached = 1 << node
        waiting = deque((node, other) for other in _places(self._adjacent[node]))
        while waiting:
            before, here = waiting.popleft()
            if not reached >> here & 1:
                reached |= 1 << here
                yield here
            if self._must_stop():
                continue
            onward = self._adjacent[before]
            if self._heads[here] >> before & 1:
                onward |= self._heads[here]
            fresh = walked[here] & onward & ~(1 << node | 1 << before)
            walked[here] &= ~fresh
            waiting.extend((here, there) for there in _places(fresh))


def prune_further(
    asker: Asker,
    skeleton: Skeleton,
    conditions: PossibleSeparators,
    *,
    known_pairs: KnownPairs,
    max_conditioning: int | None,
    run: Run,
    tiers: Tiers | None = None,
) -> Skeleton:
    """Remove edges that sets of possible separators separate, the smallest sets first.

    Neighbours have been tried before: only pairs with others on their lists are asked about.
    """
    n_listed = np.diff(conditions.neighbor_rows[0])
    has_more = n_listed > np.diff(skeleton.lines.neighbor_rows[0])
    size = 1
    while (max_conditioning is None or size <= max_conditioning) and not run.must_stop():
        is_asked = has_more[skeleton.edges].any(axis=1) & (n_listed[skeleton.edges] > size).any(axis=1)
        asked = np.flatnonzero(is_asked & ~known_pairs.must_be_edge(skeleton.edges))
        if not len(asked):
            break
        show = partial(run.show, f"tests with {size} conditions further away")
        show(0, len(asked))
        is_short_cut, n_tests = asker.knows_separators and max_conditioning is None, asker.n_tests
        level = separate_level(
            asker, skeleton.edges[asked], conditions, None if is_short_cut else size, tiers=tiers, show=show
        )
        skeleton = skeleton.without(asked, level).after_level(size, asker.n_tests - n_tests)
        if is_short_cut:
            break
        size += 1
    return skeleton


def _bits(nodes: Iterable[int]) -> int:
    return sum(1 << node for node in nodes)


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
