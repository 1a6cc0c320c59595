"""Cuts that every DAG keeps: along its order, each node can only raise the rank of those before it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.kernels import rank_cuts as kernels

LARGEST_RANK = 3  # each rank more multiplies the cuts to search among
MOST_CUTS = 30  # of one kind at a time: more of them are alike
FEW_CUTS = 10  # clusters are found faster: where there are so many, others can wait
MOST_STARTS = 200  # bounds what a search takes, however many families are mixed
STARTS_PER_FAMILY = 10  # of the few that are mixed near the end
N_SHAKES = 4  # of each start: a descent stops at the next local minimum
STAYS = 0.3  # how likely a parent is left alone by a shake
LEAST_BREACH = 1e-3  # a cut that is broken by less hardly moves the bound
WHOLE = 1e-6  # weights so near 0 or 1 are whole
Classes = NDArray[np.int64]
Support = tuple[NDArray[np.generic], ...]


class RankCut(NamedTuple):
    """In a DAG, at least `rank_of_all` nodes raise the rank of their parents.

    The rank of a set of nodes is the number of classes it meets, but at most `rank`; `classes` has the
    class of each node, −1 outside the cut. With rank 1 it says that a node of the cluster has all its
    parents outside [1]_. It holds in general since a rank is submodular: along the order of the DAG the
    rank of the nodes so far grows to that of all, and a node adds no more to it than to that of
    its parents [2]_.

    References
    ----------
    .. [1] Jaakkola, Sontag, Globerson and Meila (2010), Learning Bayesian network structure using LP
       relaxations, AISTATS.
    .. [2] Studený (2015), How matroids occur in the context of learning Bayesian network structure, UAI.
    """

    classes: Classes
    rank: int

    @property
    def rank_of_all(self) -> int:
        """The rank of all nodes."""
        return min(self.rank, len(np.unique(self.classes[self.classes >= 0])))


class Mixture(NamedTuple):
    """Families with weights that sum to 1 for every child."""

    child: NDArray[np.int64]
    members: NDArray[np.int64]
    weights: NDArray[np.float64]

    def arc_weights(self, n_nodes: int) -> NDArray[np.float64]:
        """The weight of the families of v that u is in, at [u, v]."""
        arcs = np.zeros((n_nodes + 1, n_nodes))  # the last row collects the filling
        np.add.at(arcs, (self.members, self.child[:, None]), self.weights[:, None])
        return arcs[:-1]


class CutSearch:
    """Finds cuts that a mixture of families breaks; none is found twice."""

    def __init__(self, n_nodes: int) -> None:
        self._n_nodes = n_nodes
        self._rng = np.random.default_rng(0)
        self._known: set[tuple[int, bytes]] = set()

    def broken_by(self, mixture: Mixture) -> list[RankCut]:
        """Cuts that a mixture breaks; at least one where it is a graph with a cycle."""
        support = *mixture, *_families_touching(mixture, self._n_nodes)
        found = self._clusters(mixture, support)
        return found if len(found) >= FEW_CUTS else found + self._of_higher_rank(mixture, support)

    def _clusters(self, mixture: Mixture, support: Support) -> list[RankCut]:
        arcs = mixture.arc_weights(self._n_nodes)
        seeds = np.argwhere(arcs > WHOLE)
        clusters, slacks = np.empty((len(seeds), self._n_nodes), dtype=np.int64), np.empty(len(seeds))
        kernels.grow_clusters(seeds, support, clusters, slacks)
        loops = _loops(arcs)
        clusters, slacks = np.concatenate([loops, clusters]), np.append(np.full(len(loops), -1.0), slacks)
        return self._new(clusters, np.ones(len(slacks), dtype=np.int64), slacks)

    def _of_higher_rank(self, mixture: Mixture, support: Support) -> list[RankCut]:
        mixed = np.flatnonzero(mixture.weights < 1.0 - WHOLE)
        if not len(mixed):
            return []
        n_starts = min(MOST_STARTS, STARTS_PER_FAMILY * len(mixed))
        best = self._starts(mixture, self._rng.choice(mixed, size=n_starts))
        ranks = self._rng.integers(2, LARGEST_RANK + 1, size=n_starts)
        slacks = np.empty(n_starts)
        kernels.descend(best, ranks, support, slacks)
        for _ in range(N_SHAKES):
            shaken, slacks_now = self._shaken(best, mixture), np.empty(n_starts)
            kernels.descend(shaken, ranks, support, slacks_now)
            is_better = slacks_now <= slacks
            best[is_better], slacks[is_better] = shaken[is_better], slacks_now[is_better]
        return self._new(best, ranks, slacks)

    def _starts(self, mixture: Mixture, families: NDArray[np.int64]) -> Classes:
        """A cut for each of some families, every node of theirs in a class of its own."""
        nodes = np.column_stack([mixture.child[families], mixture.members[families]])
        classes = np.full((len(nodes), self._n_nodes + 1), -1)  # the last column collects the filling
        classes[np.arange(len(nodes))[:, None], nodes] = np.arange(nodes.shape[1]) % kernels.N_CLASSES
        return np.ascontiguousarray(classes[:, :-1])

    def _shaken(self, classes: Classes, mixture: Mixture) -> Classes:
        """Put some parents of a random node of each cut in random classes, and another node outside."""
        n_cuts, rows = len(classes), np.arange(len(classes))
        is_inside = classes[:, mixture.child] >= 0
        family = np.argmax(self._rng.random(is_inside.shape) * is_inside, axis=1)
        parents = mixture.members[family]
        parents[self._rng.random(parents.shape) < STAYS] = -1
        shaken = np.column_stack([classes, np.empty(n_cuts, dtype=np.int64)])
        shaken[rows[:, None], parents] = self._rng.integers(kernels.N_CLASSES, size=parents.shape)
        shaken[rows, self._rng.integers(self._n_nodes, size=n_cuts)] = -1
        return np.ascontiguousarray(shaken[:, :-1])

    def _new(self, classes: Classes, ranks: NDArray[np.int64], slacks: NDArray[np.float64]) -> list[RankCut]:
        """The most broken cuts, those known left out."""
        found: list[RankCut] = []
        for i in np.argsort(slacks, kind="stable").tolist():
            if slacks[i] > -LEAST_BREACH or len(found) == MOST_CUTS:
                break
            cut = RankCut(_in_order(classes[i]), int(ranks[i]))
            key = cut.rank, cut.classes.tobytes()
            if key not in self._known:
                self._known.add(key)
                found.append(cut)
        return found


def _families_touching(mixture: Mixture, n_nodes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each node the places of the families it is in, side by side, and where each node's begin."""
    nodes = np.column_stack([mixture.child, mixture.members])
    families = np.repeat(np.arange(len(nodes)), nodes.shape[1])
    order = np.argsort(nodes.ravel(), kind="stable")
    first = np.searchsorted(nodes.ravel()[order], np.arange(n_nodes + 1))
    return first, families[order]


def _loops(arcs: NDArray[np.float64]) -> Classes:
    """The clusters whose nodes are all on cycles of arcs with weight 1."""
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415, slow to load

    _, component = connected_components(arcs > 1.0 - WHOLE, directed=True, connection="strong")
    numbers, sizes = np.unique(component, return_counts=True)
    return np.where(component == numbers[sizes > 1][:, None], 0, -1)


def _in_order(classes: Classes) -> Classes:
    """The same classes, numbered as they come."""
    numbers: dict[int, int] = {-1: -1}
    return np.array([numbers.setdefault(label, len(numbers) - 1) for label in classes.tolist()])
