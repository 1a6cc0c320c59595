"""The parent sets of a node, with their scores."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.gpu.families import FamiliesOnCard
from structlearn.run import Pace
from structlearn.scores import checked_scores
from structlearn.search.families_on_card import families_on_card
from structlearn.search.kernels.parent_sets import keep_undominated, subsets
from structlearn.search.set_values import SetValues
from structlearn.search.space import Space

FIRST_SETS, MOST_SETS = 1 << 8, 1 << 18  # before it is known how long a score takes, and however little


@dataclass(frozen=True, slots=True)
class ScoredSets:
    """Parent sets from the best score down; rows of `members` are filled up with −1.

    `ranks` settle ties: small sets first, then by the order of the columns.
    """

    members: NDArray[np.int64]
    scores: NDArray[np.float64]
    ranks: NDArray[np.int64]

    @classmethod
    def of(cls, members: NDArray[np.int64], scores: NDArray[np.float64]) -> "ScoredSets":
        """Sort sets that come in the order of their ranks."""
        order = np.argsort(-scores, kind="stable")
        return cls(members[order], scores[order], order.astype(np.int64))

    def where(self, is_kept: NDArray[np.bool_]) -> "ScoredSets":
        """Some of the sets."""
        return ScoredSets(self.members[is_kept], self.scores[is_kept], self.ranks[is_kept])

    def among(self, nodes: NDArray[np.int64], n_nodes: int) -> "ScoredSets":
        """The sets as places among some of all nodes, without the members that are others."""
        if len(nodes) == n_nodes:
            return self
        place = np.full(n_nodes + 1, -1)  # where −1 points to
        place[nodes] = np.arange(len(nodes))
        members = -np.sort(-place[self.members], axis=1)
        return ScoredSets(members, self.scores, self.ranks)

    def parents(self, row: int) -> list[int]:
        """The members of one set, sorted."""
        return sorted(member for member in self.members[row].tolist() if member >= 0)

    def sizes(self) -> NDArray[np.int64]:
        """How many members each set has."""
        sizes: NDArray[np.int64] = (self.members >= 0).sum(axis=1)
        return sizes

    def are_within(self, may_be_parent: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether all members of each set may be parents."""
        with_filling = np.append(may_be_parent, True)  # where −1 points to
        within: NDArray[np.bool_] = np.all(with_filling[self.members], axis=1)
        return within

    def best_within(self, may_be_parent: NDArray[np.bool_]) -> int:
        """The row of the best set whose members all may be parents; −1 where there is none."""
        if not len(self.scores):
            return -1
        fits = self.are_within(may_be_parent)
        row = int(fits.argmax())
        return row if fits[row] else -1

    def masks(self) -> NDArray[np.int64]:
        """The sets of nodes up to the 63rd, as whole numbers with a bit per member."""
        bits = np.where(self.members >= 0, np.int64(1) << np.maximum(self.members, 0), 0)
        masks: NDArray[np.int64] = bits.sum(axis=1, dtype=np.int64)
        return masks


class _Choice(NamedTuple):
    """The parents that a child must have, and those of which it may have so many besides."""

    child: int
    required: NDArray[np.int64]
    free: NDArray[np.int64]
    n_free: int

    def filled(self, sets: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sets with the required parents before and −1 behind."""
        n_required = len(self.required)
        members = np.full((len(sets), n_required + self.n_free), -1, dtype=np.int64)
        members[:, :n_required] = self.required
        members[:, n_required : n_required + sets.shape[1]] = sets
        return members

    def families(self, sets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The child with the required parents and each set, as scores take them."""
        families = np.empty((len(sets), 1 + len(self.required) + sets.shape[1]), dtype=np.int64)
        families[:, 0] = self.child
        families[:, 1 : 1 + len(self.required)] = self.required
        # The smallest member changes fastest: put last, it leaves the shared part to be found once.
        families[:, 1 + len(self.required) :] = sets[:, ::-1]
        return families


class ParentSets:
    """Scores, once, the sets that may be the parents of a node; when time is up, the smaller ones only.

    Parameters
    ----------
    space : Space
        Which parents are required and allowed, and how they are scored.
    set_size : int or None
        The most members of a set, besides the required ones; None for as many as the limits allow.
    candidates : int or None
        Take only so many nodes as members, those that score most alone; None for all.
    """

    def __init__(self, space: Space, *, set_size: int | None = None, candidates: int | None = None) -> None:
        self._space = space
        self._set_size = space.n_nodes if set_size is None else set_size
        self._n_candidates = candidates
        self._known: dict[int, ScoredSets] = {}
        self._positions: dict[int, NDArray[np.int64]] = {}
        self._pace = Pace(FIRST_SETS, most=MOST_SETS)

    @cached_property
    def _values(self) -> SetValues | None:
        """Where all families are to be scored, what they are scored by."""
        return None if self._n_candidates else SetValues.of(self._space, self._set_size)

    @cached_property
    def on_card(self) -> FamiliesOnCard | None:
        """The same on a graphics card, if that is to score them."""
        return None if self._n_candidates else families_on_card(self._space, self._set_size)

    def of(self, child: int) -> ScoredSets:
        """The sets that score more than each of their subsets: those that a best DAG is made of."""
        if child not in self._known:
            self._known[child] = self._useful(child)
        return self._known[child]

    def all_of(self, child: int) -> ScoredSets:
        """All sets: those that share the posterior probability. When time is up, the first alone."""
        choice = self._choice(child)
        members, scores = [], []
        for positions, of_size in self._by_size(choice):
            members.append(choice.filled(choice.free[positions[:, ::-1]]))
            scores.append(of_size)
        if self._space.run.must_stop():
            members, scores = members[:1], scores[:1]
        return ScoredSets.of(np.concatenate(members), np.concatenate(scores))

    def _useful(self, child: int) -> ScoredSets:
        choice = self._choice(child)
        if self.on_card is None:
            found = list(self._useful_by_size(choice))
        else:
            found = list(self.on_card.useful(child, choice.free, choice.n_free))
        members = [choice.filled(choice.free[positions]) for positions, _ in found]
        return ScoredSets.of(np.concatenate(members), np.concatenate([scores for _, scores in found]))

    def _useful_by_size(self, choice: _Choice) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """The sets of each size that score more than their subsets, as positions among the free parents."""
        ranges = range(len(choice.free) + 1), range(choice.n_free + 1)
        binomials = np.array([[math.comb(a, b) for b in ranges[1]] for a in ranges[0]])
        best = np.empty(0)
        for positions, of_size in self._by_size(choice):
            smaller, best, is_kept = best, of_size.copy(), np.ones(len(positions), dtype=np.bool_)
            if positions.shape[1]:
                keep_undominated(positions, of_size, smaller, binomials, best, is_kept)
            yield positions[is_kept], of_size[is_kept]

    def _choice(self, child: int) -> _Choice:
        limits = self._space.limits
        required, free = np.flatnonzero(limits.frozen[child]), limits.free_parents(child)
        n_free = min(len(free), self._set_size, max(int(limits.most_parents[child]) - len(required), 0))
        choice = _Choice(child, required, free, n_free)
        if self._n_candidates is None or len(free) <= self._n_candidates:
            return choice
        alone = self._local(choice, free[:, None])
        best = np.sort(free[np.argsort(-alone, kind="stable")[: self._n_candidates]])
        return _Choice(child, required, best, min(n_free, len(best)))

    def _by_size(self, choice: _Choice) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        """The sets of each size, as positions among the free parents, with their scores, as time allows."""
        for size in range(choice.n_free + 1):
            positions = self._positions_of(math.comb(len(choice.free), size), size)
            if size and self._values:
                of_sets = self._values.score(choice.child, choice.free, positions, self._space.run.must_stop)
                if of_sets is None:
                    return
                yield positions, of_sets
                continue
            scores, n_done = np.empty(len(positions)), 0
            while n_done < len(positions):
                if size and self._space.run.must_stop():
                    return
                some = slice(n_done, n_done + self._pace.n_at_once)
                with self._pace.keep(len(scores[some])):
                    scores[some] = self._local(choice, choice.free[positions[some]])
                n_done = some.stop
            yield positions, scores

    def _positions_of(self, n_sets: int, size: int) -> NDArray[np.int64]:
        """The first sets of a size: most children have as many as the one before."""
        if size not in self._positions or len(self._positions[size]) != n_sets:
            self._positions[size] = np.zeros((n_sets, size), dtype=np.int64)
            if size:
                subsets(self._positions[size])
        return self._positions[size]

    def _local(self, choice: _Choice, sets: NDArray[np.int64]) -> NDArray[np.float64]:
        return checked_scores(self._space.score, self._space.statistics, choice.families(sets))


def drop_bit(masks: NDArray[np.int64], bit: int) -> NDArray[np.int64]:
    """The masks with the place of a bit, which none of them has, left out."""
    return (masks & (bit - 1)) | ((masks >> 1) & -bit)
