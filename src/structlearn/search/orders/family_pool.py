"""Families that were scored, for the nodes of an order to choose from."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.scores import checked_scores
from structlearn.search.kernels.climbing import place_all
from structlearn.search.kernels.known_sets import KnownSets, add_all, find_all
from structlearn.search.kernels.placing import Lists
from structlearn.search.space import Space

LOWEST = -1e12  # stands for −∞, whose differences are no numbers
MOST_VISITS = 20_000_000  # rows times families between two looks at the clock: a tenth of a second or two
FIRST_SETS = 1 << 12  # there is room for, a power of two
Parents = tuple[int, ...]
Nodes = NDArray[np.int64]


class ScoredFamilies(NamedTuple):
    """Families of one size, rows of (child, parents…), with their scores."""

    families: Nodes
    scores: NDArray[np.float64]


class FamilyPool:
    """The parent sets of every child with their scores, which grow where a search has use for more.

    A set stays if it scores more than all of its subsets that are known. Sets are known by a random word
    per child and parent, joined by XOR (Zobrist hashing).
    """

    def __init__(self, space: Space, first: Iterable[ScoredFamilies]) -> None:
        n = space.n_nodes
        self._space = space
        words = np.random.default_rng(0)
        # With a bit to spare: a compiled kernel hands a key to an interpreted one as a number of Python's.
        self._child_keys, self._parent_keys = words.integers(2**63, size=(2, n), dtype=np.uint64)
        self._known, self._n_known = KnownSets.empty(FIRST_SETS), 0
        self._child = np.empty(0, dtype=np.int64)
        self._members = np.empty((0, 1), dtype=np.int64)
        self._scores = np.empty(0)
        self._is_grown = np.empty(0, dtype=np.bool_)
        self._fresh: list[ScoredFamilies] = []  # no rows yet
        self._lists: Lists | None = None
        for families in first:
            self._store(families)

    @property
    def lists(self) -> Lists:
        """The sets of every child, best first; rows keep their numbers until sets are added."""
        if self._lists is None:
            self._lists = self._listed()
        return self._lists

    @property
    def required(self) -> NDArray[np.bool_]:
        """Which arcs every order must allow: a row per child."""
        return self._space.limits.frozen

    @property
    def n_known(self) -> int:
        """How many families were scored."""
        return self._n_known

    def parents_at(self, row: int) -> Parents:
        """The parents of a row of the lists."""
        return tuple(member for member in self.lists.members[row].tolist() if member >= 0)

    def keep(self, parents: Sequence[Sequence[int]]) -> None:
        """Add the families of a DAG."""
        for size in sorted({len(members) for members in parents}):
            rows = [
                [child, *sorted(members)] for child, members in enumerate(parents) if len(members) == size
            ]
            self._add(np.array(rows, dtype=np.int64))

    def take(self, known: Iterable[ScoredFamilies]) -> None:
        """Add families that were scored elsewhere, the smaller ones first."""
        for found in known:
            self._store(found)

    def grow(self, rows: Nodes) -> int:
        """Score the sets of these rows with one more parent and with one less; returns how many are kept.

        What was grown before is left out, and what there is no time for. The numbers of rows change.
        """
        rows = rows[~self._is_grown[rows]]
        self._is_grown[rows] = True
        n_before, listens = self._n_kept, self.lists.listens()
        sizes = (self._members[rows] >= 0).sum(axis=1)
        for size in np.unique(sizes).tolist():
            if self._space.run.must_stop():
                break
            same = rows[sizes == size]
            families = np.column_stack([self._child[same], self._members[same, :size]])
            if size:
                self._add(self._with_one_less(families))
            self._add(self._with_one_more(families, listens))
        return self._n_kept - n_before

    def _with_one_less(self, families: Nodes) -> Nodes:
        smaller = [
            np.delete(families, place, axis=1)[~self.required[families[:, 0], families[:, place]]]
            for place in range(1, families.shape[1])
        ]
        return np.concatenate(smaller)

    def _with_one_more(self, families: Nodes, listens: NDArray[np.bool_]) -> Nodes:
        families = families[families.shape[1] <= self._space.limits.most_parents[families[:, 0]]]
        if not len(families):
            return families
        rows, more = np.nonzero(listens[families[:, 0]])
        larger = np.column_stack([families[rows], more])
        is_new = (larger[:, 1:-1] != larger[:, -1:]).all(axis=1)
        return self._promising(larger[is_new])

    def _promising(self, families: Nodes) -> Nodes:
        """The families of whose parts with the last parent, less another, not all are known to be useless.

        On long tables, where counting takes the time, this leaves half of the families out.
        """
        keys, is_promising = self._keys_of(families), np.full(len(families), families.shape[1] == 2)
        for parents in families[:, 1:-1].T:
            rows = self._find(keys ^ self._parent_keys[parents])
            is_promising |= (rows < 0) | self._known.stays[rows]
        return np.compress(is_promising, families, axis=0)

    def _add(self, families: Nodes) -> None:
        """Score the families, of one size, that are not known; beyond those of a DAG, while there is time."""
        space, fresh = self._space, families[self._unknown(families)]
        n_at_once = max(MOST_VISITS // max(space.statistics.n_rows, 1), space.n_nodes)
        scores = [np.empty(0)]
        for start in range(0, len(fresh), n_at_once):
            if start and space.run.must_stop():
                break
            scores.append(checked_scores(space.score, space.statistics, fresh[start : start + n_at_once]))
        found = np.concatenate(scores)
        if len(found):
            self._store(ScoredFamilies(fresh[: len(found)], found))

    def _unknown(self, families: Nodes) -> Nodes:
        """The places of those that are not known, each once."""
        keys = self._keys_of(families)
        places = np.flatnonzero(self._find(keys) < 0)
        _, first = np.unique(keys[places], return_index=True)
        unknown: Nodes = places[np.sort(first)]
        return unknown

    def _store(self, found: ScoredFamilies) -> None:
        """Remember families of one size that are new; those stay that are better than their known subsets."""
        families, scores = found.families, np.maximum(found.scores, LOWEST)
        self._make_room(len(families))
        stays = np.empty(len(families), dtype=np.bool_)
        how = self._keys_of(families), scores, self._parent_keys, self._known
        self._n_known = add_all(families, *how, self._n_known, stays)
        self._lists = None
        self._fresh.append(ScoredFamilies(families[stays], scores[stays]))

    def _join_fresh(self) -> None:
        """Put what was stored behind the rows there are, all at once: each time, all of them are copied."""
        n_before, width = self._members.shape
        widths = [families.shape[1] - 1 for families, _ in self._fresh]
        members = np.full((self._n_kept, max([width, *widths])), -1, dtype=np.int64)
        members[:n_before, :width] = self._members
        end = n_before
        for (families, _), width in zip(self._fresh, widths, strict=True):
            start, end = end, end + len(families)
            members[start:end, :width] = np.sort(families[:, 1:], axis=1)
        self._members = members
        self._child = np.concatenate([self._child, *(families[:, 0] for families, _ in self._fresh)])
        self._scores = np.concatenate([self._scores, *(scores for _, scores in self._fresh)])
        is_fresh = np.zeros(end - n_before, dtype=np.bool_)
        self._is_grown = np.concatenate([self._is_grown, is_fresh])
        self._fresh.clear()

    @property
    def _n_kept(self) -> int:
        return len(self._scores) + sum(len(scores) for _, scores in self._fresh)

    def _make_room(self, n_more: int) -> None:
        old, n_known = self._known, self._n_known
        if n_known + n_more <= len(old.keys):
            return
        self._known = KnownSets.empty(1 << (n_known + n_more).bit_length())
        for new, known in zip(self._known[1:], old[1:], strict=True):
            new[:n_known] = known[:n_known]
        place_all(self._known.slots, self._known.keys, n_known)

    def _find(self, keys: NDArray[np.uint64]) -> Nodes:
        """The rows of the sets with these keys, −1 where they are not known."""
        rows = np.empty(len(keys), dtype=np.int64)
        find_all(keys, self._known, rows)
        return rows

    def _keys_of(self, families: Nodes) -> NDArray[np.uint64]:
        keys: NDArray[np.uint64] = self._child_keys[families[:, 0]]
        for parents in families[:, 1:].T:
            keys ^= self._parent_keys[parents]
        return keys

    def _listed(self) -> Lists:
        """Sort the sets of each child by score, and those that tie by size and members."""
        self._join_fresh()
        order = np.lexsort((-self._scores, self._child))
        children, scores = self._child[order], self._scores[order]
        is_as_before = (children[1:] == children[:-1]) & (scores[1:] == scores[:-1])
        if is_as_before.any():
            self._sort_ties(order, is_as_before)
        self._child, self._members = self._child[order], self._members[order]
        self._scores, self._is_grown = self._scores[order], self._is_grown[order]
        first = np.searchsorted(self._child, np.arange(self._space.n_nodes + 1))
        return Lists.of(first, self._members, self._scores)

    def _sort_ties(self, order: Nodes, is_as_before: NDArray[np.bool_]) -> None:
        """Sort rows that tie by size and members; `is_as_before` has all but the first."""
        is_tied = np.append(is_as_before, False) | np.insert(is_as_before, 0, False)
        tied, groups = order[is_tied], np.cumsum(np.insert(~is_as_before, 0, True))[is_tied]
        sizes = (self._members[tied] >= 0).sum(axis=1)
        order[is_tied] = tied[np.lexsort((*self._members[tied].T[::-1], sizes, groups))]
