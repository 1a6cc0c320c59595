"""Parents and children of every column: those that no set of the others chosen makes independent."""

from collections.abc import Callable, Iterator
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import SeparatedPairs
from structlearn.learners.hybrid.max_min.reliable_asker import Associations, ReliableAsker

Positions = NDArray[np.int64]
Matrix = NDArray[np.bool_]
Places = tuple[int, ...]

FEWEST_AT_ONCE = 128  # questions that cost no more than one
MOST_AT_ONCE = 1 << 16  # questions: enough to be quick, and few to be asked after a pair is separated


class MaxMinSearch:
    """Chooses for all targets in step, so that a batch of tests serves all of them.

    Matrices have a row per target. `members` has the columns chosen, in order of entry, and −1 behind
    them and where one was taken out again.

    Parameters
    ----------
    asker : ReliableAsker
        What answers the tests.
    is_possible : array of shape (p, p)
        Which columns each target may choose.
    is_required : array of shape (p, p)
        Which of them it must choose.
    max_conditioning : int or None
        The largest set to condition on.
    """

    def __init__(
        self, asker: ReliableAsker, is_possible: Matrix, is_required: Matrix, max_conditioning: int | None
    ) -> None:
        n = len(is_possible)
        self.members = np.empty((n, 0), dtype=np.int64)
        self.log_p = np.full((n, n), -np.inf)
        self.separated: list[tuple[Positions, SeparatedPairs]] = []
        self._asker = asker
        self._is_required = is_required
        self._is_open = is_possible | is_required
        self._is_separated = np.zeros((n, n), dtype=np.bool_)
        self._statistic = np.full((n, n), np.inf)
        self._max_conditioning = n if max_conditioning is None else max_conditioning

    @property
    def is_member(self) -> Matrix:
        """Whether each target has chosen each column."""
        chosen = np.zeros(self._is_open.shape, dtype=np.bool_)
        targets, places = np.nonzero(self.members >= 0)
        chosen[targets, self.members[targets, places]] = True
        return chosen

    def ask_marginally(self) -> None:
        """Drop the pairs that are independent without any conditions."""
        pairs = np.argwhere(np.triu(self._is_open | self._is_open.T)).astype(np.int64, order="C")
        is_known = np.zeros(self._is_open.shape, dtype=np.bool_)
        for start in range(0, len(pairs), MOST_AT_ONCE):
            if self._asker.must_stop():
                break
            found = self._asker.ask(pairs[start : start + MOST_AT_ONCE])
            self._take(found, both_ways=True)
            is_known[found.questions[:, 0], found.questions[:, 1]] = True
        # Of a pair that cannot even be tested alone nothing can be said.
        self._is_open &= is_known | is_known.T | self._is_required

    def grow(self) -> bool:
        """Let every target choose one column more, and see which others still depend on it then."""
        chosen = self._strongest()
        if (chosen < 0).all():
            return False
        self.members = np.column_stack([self.members, chosen])
        last = self.members.shape[1] - 1

        def with_the_last(size: int) -> Iterator[Places]:
            return ((*places, last) for places in combinations(range(last), size - 1))

        is_asked = self._is_open & ~self.is_member & (chosen >= 0)[:, None]
        self._ask_given_members(np.ascontiguousarray(np.argwhere(is_asked)), with_the_last)
        return True

    def shrink(self, place: int) -> None:
        """Let every target see whether it needs the column in this place, given any set of the others.

        Sets of columns that came before it were asked when it was chosen.
        """
        rest = [other for other in range(self.members.shape[1]) if other != place]

        def with_a_later_one(size: int) -> Iterator[Places]:
            return (places for places in combinations(rest, size) if places[-1] > place)

        pairs = np.column_stack([np.arange(len(self.members)), self.members[:, place]])
        pairs = pairs[pairs[:, 1] >= 0]
        self._ask_given_members(pairs[~self._is_required[tuple(pairs.T)]], with_a_later_one)
        is_out = ~self._is_open[np.arange(len(self.members)), self.members[:, place]]
        self.members[is_out, place] = -1

    def _strongest(self) -> Positions:
        """What each target chooses next: what it must, or what depends most; −1 where nothing is left."""
        left = self._is_open & ~self.is_member
        must = left & self._is_required
        left = np.where(must.any(axis=1, keepdims=True), must, left)
        log_p = np.where(left, self.log_p, np.inf)
        is_best = left & (log_p == np.min(log_p, axis=1, keepdims=True, initial=np.inf))
        strength = np.where(is_best, self._statistic, -1.0)
        return np.where(is_best.any(axis=1), strength.argmax(axis=1), -1)

    def _ask_given_members(self, pairs: Positions, places: Callable[[int], Iterator[Places]]) -> None:
        """Ask of each pair given the members in places of 1, 2, … at a time, until a set separates it."""
        most = min(self.members.shape[1], self._max_conditioning)
        for size in range(1, most + 1):
            # Where no set could be asked, its supersets could not either.
            if not self._ask_given_places(pairs, places(size)):
                break

    def _ask_given_places(self, pairs: Positions, places: Iterator[Places]) -> bool:
        """Ask given sets of one size, more of them each time; returns whether any could be asked."""
        n_asked, n_wanted = 0, FEWEST_AT_ONCE
        while len(pairs) and not self._asker.must_stop():
            block = list(islice(places, max(n_wanted // len(pairs), 1)))
            if not block:
                break
            n_asked += self._take(self._asker.ask(self._questions(pairs, np.array(block))))
            pairs = pairs[self._is_open[tuple(pairs.T)]]
            n_wanted = min(2 * n_wanted, MOST_AT_ONCE)
        return n_asked > 0

    def _questions(self, pairs: Positions, places: Positions) -> Positions:
        """Each pair given the members in these places; questions of a target and a set stay together."""
        given = self.members[pairs[:, 0]][:, places].transpose(1, 0, 2)
        at = np.nonzero((given >= 0).all(axis=2))
        return np.concatenate([pairs[at[1]], given[at]], axis=1)

    def _take(self, found: Associations, *, both_ways: bool = False) -> int:
        """Note the weakest association of each pair and which are separated; returns how many were asked."""
        targets, others = found.questions[:, 0], found.questions[:, 1]
        self._weaken(targets, others, found)
        if both_ways:
            self._weaken(others, targets, found)
        independent = np.flatnonzero(found.p_value > self._asker.alpha)
        if not len(independent):
            return len(found.questions)
        targets, others = targets[independent], others[independent]
        self._is_open[targets, others] = self._is_required[targets, others]
        if both_ways:
            self._is_open[others, targets] = self._is_required[others, targets]
        self._note_separators(found, independent)
        return len(found.questions)

    def _weaken(self, targets: Positions, others: Positions, found: Associations) -> None:
        """Keep the largest p-value of each pair and, where several are equal, its smallest statistic."""
        log_p, statistic = self.log_p[targets, others], self._statistic[targets, others]
        is_weaker = (found.log_p > log_p) | ((found.log_p == log_p) & (found.statistic < statistic))
        weaker = np.flatnonzero(is_weaker)
        # The weakest comes last: it stays where a pair has several.
        weaker = weaker[np.lexsort((-found.statistic[weaker], found.log_p[weaker]))]
        self.log_p[targets[weaker], others[weaker]] = found.log_p[weaker]
        self._statistic[targets[weaker], others[weaker]] = found.statistic[weaker]

    def _note_separators(self, found: Associations, independent: Positions) -> None:
        """Remember the first set that separates each pair."""
        pairs = np.sort(found.questions[independent, :2], axis=1)
        _, first = np.unique(pairs[:, 0] * len(self._is_open) + pairs[:, 1], return_index=True)
        new = np.sort(first[~self._is_separated[tuple(pairs[first].T)]])
        self._is_separated[tuple(pairs[new].T)] = True
        given, p_value = found.questions[independent[new], 2:], found.p_value[independent[new]]
        noted = SeparatedPairs(np.arange(len(new)), given, p_value, np.zeros(len(new)))
        self.separated.append((pairs[new], noted))
