"""Parents that grow one at a time, remembered for every set of nodes they may come from."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.kernels.placing import UNKNOWN, Trees
from structlearn.rounding import ENOUGH
from structlearn.scores import FamilyScores, checked_scores
from structlearn.search.space import Space

MOST_SETS = 1_000_000
FEWEST_CANDIDATES = 20
MOST_SPARES = 4  # sets per child that it may grow from besides its root
Parents = tuple[int, ...]
Nodes = NDArray[np.int64]


class GrowTrees:
    """Grow-shrink trees: the greedy parents of each node, whichever nodes come before it.

    A tree node is made when a search first needs it; all that a step needs are scored in one batch
    per size of set. Sets that are reached along several paths are one tree node: it is known by a
    random word per child and parent, joined by XOR (Zobrist hashing). A further parent is only tried
    if it is among the best alone or depends on a parent it joins.
    """

    def __init__(self, space: Space) -> None:
        n, scores = space.n_nodes, space.scores
        self._score = space.score
        self._statistics = space.statistics
        self._limits = space.limits
        words = np.random.default_rng(0)
        self._child_keys = words.integers(2**64, size=n, dtype=np.uint64)
        self._parent_keys = words.integers(2**64, size=n, dtype=np.uint64)
        self._known: dict[int, int] = {}
        self._sets: list[tuple[int, Nodes]] = []
        self._spares: list[dict[int, None]] = [{} for _ in range(n)]
        self._n_branches = 0
        self._keys = np.zeros(4 * n, dtype=np.uint64)
        self._scores = np.zeros(4 * n)
        self._shrunk = np.zeros(4 * n, dtype=np.int64)
        self._owner = np.zeros(64 * n, dtype=np.int64)
        self._branch_scores = np.zeros(64 * n)
        self.trees = Trees(
            roots=np.zeros(n, dtype=np.int64),
            first=np.zeros(4 * n, dtype=np.int64),
            n_branches=np.zeros(4 * n, dtype=np.int64),
            value=np.zeros(4 * n),
            parents=np.zeros(64 * n, dtype=np.int64),
            leads_to=np.zeros(64 * n, dtype=np.int64),
            first_spare=np.zeros(n, dtype=np.int64),
            n_spares=np.zeros(n, dtype=np.int64),
            spares=np.zeros(0, dtype=np.int64),
            spare_members=np.zeros((0, 0), dtype=np.int64),
            listens=np.zeros((n, n), dtype=np.bool_),
        )
        gains = self._gains_alone = scores.toggles_without_parents()
        self._depends = (gains > ENOUGH) | (gains > ENOUGH).T
        self._is_candidate = self._depends | _among_best(gains, max(n // 4, FEWEST_CANDIDATES))
        self._plant(scores)

    @property
    def required(self) -> NDArray[np.bool_]:
        """Which arcs every order must allow: a row per child."""
        return self._limits.frozen

    @property
    def is_full(self) -> bool:
        """Whether it is time to begin anew, so that memory does not grow with the search."""
        return len(self._sets) > MOST_SETS

    def parents_at(self, tree_node: int) -> Parents:
        """The parents that are left when the set of a tree node has shrunk."""
        return tuple(self._sets[self._shrunk[tree_node]][1].tolist())

    def keep(self, parents: Sequence[Sequence[int]]) -> None:
        """Let each child also grow from the parents it has in a DAG, which growing may not find."""
        for child, members in enumerate(parents):
            if len(members) > 1:
                self._spares[child][self._tree_node(child, np.sort(members))] = None
                self.trees.listens[child, list(members)] = True
                if len(self._spares[child]) > MOST_SPARES:
                    self._spares[child].pop(next(iter(self._spares[child])))
        spares = [tree_node for of_child in self._spares for tree_node in of_child]
        sets = [self._sets[tree_node][1] for tree_node in spares]
        filled = np.full((len(sets), max(map(len, sets), default=0)), -1, dtype=np.int64)
        for row, found in zip(filled, sets, strict=True):
            row[: len(found)] = found
        n_spares = np.array([len(of_child) for of_child in self._spares], dtype=np.int64)
        self.trees = self.trees._replace(
            first_spare=np.cumsum(n_spares) - n_spares,
            n_spares=n_spares,
            spares=np.array(spares, dtype=np.int64),
            spare_members=filled,
        )

    def _tree_node(self, child: int, members: Nodes) -> int:
        children, sets = np.array([child]), members[None, :]
        key = int(self._keys_of(children, sets)[0])
        if key not in self._known:
            self._add(children, sets, self._local(np.column_stack([children, sets])))
        return self._known[key]

    def find(self, branches: Nodes) -> None:
        """Find out where these branches lead."""
        branches = np.unique(branches)
        owners, parents = self._owner[branches], self.trees.parents[branches]
        keys = self._keys[owners] ^ self._parent_keys[parents]
        new = {key: i for i, key in enumerate(keys.tolist()) if key not in self._known}
        by_size: dict[int, list[int]] = {}
        for i in new.values():
            by_size.setdefault(len(self._sets[owners[i]][1]), []).append(i)
        for rows in by_size.values():
            children = np.array([self._sets[owners[i]][0] for i in rows])
            members = np.sort([[*self._sets[owners[i]][1], parents[i]] for i in rows], axis=1)
            self._add(children, members, self._branch_scores[branches[rows]])
        self.trees.leads_to[branches] = [self._known[key] for key in keys.tolist()]

    def _plant(self, scores: FamilyScores) -> None:
        """Make the roots: each child with its required parents."""
        required = [np.flatnonzero(row) for row in self._limits.frozen]
        sizes = np.array([len(parents) for parents in required])
        for size in np.unique(sizes).tolist():
            children = np.flatnonzero(sizes == size)
            members = np.reshape([required[child] for child in children], (len(children), size)).astype(
                np.int64
            )
            alone = [scores.local(child, required[child].tolist()) for child in children.tolist()]
            self.trees.roots[children] = self._add(children, members, np.array(alone))

    def _add(self, children: Nodes, members: Nodes, scores: NDArray[np.float64]) -> Nodes:
        """Make the tree nodes of sets of one size, whose scores are known."""
        shrunk = self._shrink(children, members, scores)
        rows, parents, found = self._branches(children, members, scores)
        n_branches = np.bincount(rows, minlength=len(children))
        at, begin = len(self._sets) + np.arange(len(children)), self._n_branches
        self._make_room(len(self._sets) + len(children), begin + len(parents))
        self._sets += list(zip(children.tolist(), members, strict=True))
        self._n_branches += len(parents)
        keys = self._keys_of(children, members)
        self._known.update(zip(keys.tolist(), at.tolist(), strict=True))
        self._keys[at], self._scores[at] = keys, scores
        self._shrunk[at] = np.where(shrunk < 0, at, shrunk)
        self.trees.value[at] = self._scores[self._shrunk[at]]
        self.trees.first[at] = begin + np.cumsum(n_branches) - n_branches
        self.trees.n_branches[at] = n_branches
        part = slice(begin, self._n_branches)
        self.trees.parents[part], self.trees.leads_to[part] = parents, UNKNOWN
        self._owner[part], self._branch_scores[part] = at[rows], found
        self.trees.listens[children[rows], parents] = True
        return at

    def _shrink(self, children: Nodes, members: Nodes, scores: NDArray[np.float64]) -> Nodes:
        """The tree node that is left of each set when parents that only cost have gone; −1 for itself."""
        shrunk = np.full(len(children), -1, dtype=np.int64)
        if not members.shape[1]:
            return shrunk
        without = self._without_one(children, members)
        without[np.take_along_axis(self._limits.frozen[children], members, axis=1)] = -np.inf
        worst = without.argmax(axis=1)
        gone = np.flatnonzero(without[np.arange(len(worst)), worst] > scores + ENOUGH)
        for i in gone.tolist():
            smaller = np.delete(members[i : i + 1], worst[i], axis=1)
            key = int(self._keys_of(children[i : i + 1], smaller)[0])
            if key not in self._known:
                self._add(children[i : i + 1], smaller, without[i, worst[i : i + 1]])
            shrunk[i] = self._shrunk[self._known[key]]
        return shrunk

    def _without_one(self, children: Nodes, members: Nodes) -> NDArray[np.float64]:
        """The scores of sets without each of their members, a row per set."""
        keys = self._keys_of(children, members)[:, None] ^ self._parent_keys[members]
        at = np.array([self._known.get(key, -1) for key in keys.ravel().tolist()]).reshape(keys.shape)
        scores: NDArray[np.float64] = self._scores[at]
        rows, places = np.nonzero(at < 0)
        size = members.shape[1]
        others = np.array([[j for j in range(size) if j != i] for i in range(size)], dtype=np.int64)
        smaller = np.take_along_axis(members[rows], others[places], axis=1)
        scores[rows, places] = self._local(np.column_stack([children[rows], smaller]))
        return scores

    def _branches(
        self, children: Nodes, members: Nodes, scores: NDArray[np.float64]
    ) -> tuple[Nodes, Nodes, NDArray[np.float64]]:
        """The further parents that raise the score of each set, best first: row of the set, parent, score."""
        if members.shape[1] >= self._limits.max_parents:
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)
        tried = self._is_candidate[children] | self._depends[members].any(axis=1)
        tried &= ~self._limits.closed[children]
        tried[np.arange(len(children))[:, None], np.column_stack([children, members])] = False
        rows, parents = np.nonzero(tried)
        if members.shape[1]:
            found = self._local(np.column_stack([children[rows], members[rows], parents]))
        else:
            found = scores[rows] + self._gains_alone[children[rows], parents]
        raises = found > scores[rows] + ENOUGH
        rows, parents, found = rows[raises], parents[raises], found[raises]
        order = np.lexsort((parents, -found, rows))
        return rows[order], parents[order], found[order]

    def _local(self, families: Nodes) -> NDArray[np.float64]:
        if not len(families):
            return np.empty(0)
        return checked_scores(self._score, self._statistics, families)

    def _keys_of(self, children: Nodes, members: Nodes) -> NDArray[np.uint64]:
        keys: NDArray[np.uint64] = np.bitwise_xor.reduce(self._parent_keys[members], axis=1)
        return keys ^ self._child_keys[children]

    def _make_room(self, n_sets: int, n_branches: int) -> None:
        while n_sets > len(self._keys):
            self._double("first", "n_branches", "value")
            self._keys, self._scores = _doubled(self._keys), _doubled(self._scores)
            self._shrunk = _doubled(self._shrunk)
        while n_branches > len(self._owner):
            self._double("parents", "leads_to")
            self._owner, self._branch_scores = _doubled(self._owner), _doubled(self._branch_scores)

    def _double(self, *names: str) -> None:
        self.trees = self.trees._replace(**{name: _doubled(getattr(self.trees, name)) for name in names})


def _among_best(gains: NDArray[np.float64], n_best: int) -> NDArray[np.bool_]:
    """Whether each node is one of the `n_best` that gain most as the only parent of each child."""
    if n_best >= len(gains):
        return np.ones_like(gains, dtype=np.bool_)
    is_among = np.zeros_like(gains, dtype=np.bool_)
    best = np.argpartition(-gains, n_best, axis=1)[:, :n_best]
    np.put_along_axis(is_among, best, values=True, axis=1)
    return is_among


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, np.zeros_like(array)])
