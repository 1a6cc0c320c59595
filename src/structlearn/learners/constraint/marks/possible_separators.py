"""The second stage of FCI: nodes further away that may separate two joined ones.

What separates two nodes is on paths between them, so that every block of the skeleton is looked at by itself
[2]_. If x and y are not neighbours in truth, sets of what leads to x by colliders separate them, and so do
sets of what leads to y: one of the two lists is enough, and both have more than neighbours, which have been
tried. A single node that separates them leaves x or y only neighbours as such a list: sets have two nodes.

References
----------
.. [1] Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 6.7.
.. [2] Colombo, Maathuis, Kalisch and Richardson (2012), Learning high-dimensional directed acyclic graphs
   with latent and selection variables, Annals of Statistics 40, section 3.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.blocks import blocks
from structlearn.graphs.links import Positions
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.orientation import outside_separators, unshielded_triples
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.learners.constraint.skeletons.tiers import Lists, Tiers, separate_level
from structlearn.run import Run

SMALLEST = 2  # sets of fewer nodes are never needed
MOST_STAY = 16  # sets asked about at once: most edges that come here stay, so that all have to be


@dataclass(frozen=True)
class Block(Lists):
    """The lists of the nodes of one block, and which nodes have more than neighbours on theirs."""

    has_more: NDArray[np.bool_]

    def asked(self, pairs: Positions, size: int) -> NDArray[np.bool_]:
        """Which pairs of this block have lists with sets of so many nodes that nobody asked about."""
        is_open = self.has_more & (self._n_listed > size)
        found: NDArray[np.bool_] = is_open[pairs[:, 0]] & is_open[pairs[:, 1]]
        return found

    def by_shorter(self, pairs: Positions) -> Positions:
        """The pairs with the end first whose list is shorter."""
        is_turned = self._n_listed[pairs[:, 0]] > self._n_listed[pairs[:, 1]]
        return np.where(is_turned[:, None], pairs[:, ::-1], pairs)

    @property
    def _n_listed(self) -> Positions:
        return np.diff(self.neighbor_rows[0])


@dataclass(frozen=True)
class PossibleSeparators:
    """The blocks in which some list has more than neighbours, and how many lists were cut."""

    blocks: tuple[Block, ...]
    n_cut: int

    @classmethod
    def of(cls, skeleton: Skeleton, asker: Asker, most: int | None) -> "PossibleSeparators":
        """Find them by the colliders of a skeleton; of more than `most` on a list, the nearest are kept."""
        if asker.must_stop():  # nobody will ask about them
            return cls((), 0)
        reach, n_nodes = _Reach(skeleton, asker), skeleton.separators.n_nodes
        found, n_cut = [], 0
        for nodes in blocks([list(_places(around)) for around in reach.adjacent]):
            inside = _bits(nodes)
            lists: list[list[int]] = [[] for _ in range(n_nodes)]
            has_more = np.zeros(n_nodes, dtype=np.bool_)
            for node in nodes:
                listed = list(reach.possible_d_sep(node, inside))
                n_cut += most is not None and len(listed) > most
                lists[node] = sorted(listed[:most])
                has_more[node] = bool(_bits(lists[node]) & ~reach.adjacent[node])
            if has_more.any():
                found.append(Block(Lists.of(lists).neighbor_rows, has_more))
        return cls(tuple(found), n_cut)


class _Reach:
    """Walks from a node on which every inner one is a collider or the middle of a triangle."""

    def __init__(self, skeleton: Skeleton, asker: Asker) -> None:
        n_nodes, lines = skeleton.separators.n_nodes, skeleton.lines
        self._must_stop = asker.must_stop
        self.adjacent = [_bits(lines.neighbors(node).tolist()) for node in range(n_nodes)]
        self._heads = [0] * n_nodes
        triples = unshielded_triples(lines, asker.must_stop)
        for a, b, c in outside_separators(triples, skeleton.separators)[0].tolist():
            self._heads[b] |= 1 << a | 1 << c

    def possible_d_sep(self, node: int, inside: int) -> Iterator[int]:
        """The nodes inside a block that such walks in it lead to, nearest first; neighbours when time is up.

        A state of the search is the last edge of a walk; sets of nodes are the bits of a number.
        """
        walked: dict[int, int] = {}  # by node, where walks may still go on to
        reached = 1 << node
        waiting = deque((node, other) for other in _places(self.adjacent[node] & inside))
        while waiting:
            before, here = waiting.popleft()
            if not reached >> here & 1:
                reached |= 1 << here
                yield here
            if self._must_stop():
                continue
            onward = self.adjacent[before]
            if self._heads[here] >> before & 1:
                onward |= self._heads[here]
            left = walked.get(here, self.adjacent[here] & inside & ~(1 << node))
            fresh = left & onward & ~(1 << before)
            walked[here] = left & ~fresh
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
    """Remove edges that sets of possible separators separate, the smallest sets first."""
    size, is_short_cut = SMALLEST, asker.knows_separators and max_conditioning is None
    while (max_conditioning is None or size <= max_conditioning) and not run.must_stop():
        n_tests, n_asked = asker.n_tests, 0
        for block in conditions.blocks:
            is_asked = block.asked(skeleton.edges, size)
            asked = np.flatnonzero(is_asked & ~known_pairs.must_be_edge(skeleton.edges))
            if len(asked):
                level = separate_level(
                    asker,
                    block.by_shorter(skeleton.edges[asked]),
                    block,
                    None if is_short_cut else size,
                    tiers=tiers,
                    show=partial(run.show, f"tests with {size} conditions further away"),
                    both_ends=False,
                    n_first=MOST_STAY,
                )
                skeleton, n_asked = skeleton.without(asked, level), n_asked + len(asked)
        if not n_asked:
            break
        skeleton = skeleton.after_level(size, asker.n_tests - n_tests)
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
