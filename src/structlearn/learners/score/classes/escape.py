"""Leave a local maximum among equivalence classes: take an edge away, or put one in, and climb on."""

from collections import deque
from collections.abc import Callable

import numpy as np

from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.moves import ClassMove, after
from structlearn.learners.score.classes.pool import MovePool
from structlearn.learners.score.classes.search import ClassSearch, Climb, Note
from structlearn.rounding import is_better


class Escape:
    """The way out of local maxima: forced deletions, undone where they lead nowhere better.

    Where experiments tell DAGs apart, classes are small and local maxima many: insertions are forced as well.

    Parameters
    ----------
    search : ClassSearch
        A search at its end.
    climb : callable
        How it climbs.
    """

    def __init__(self, search: ClassSearch, climb: Climb) -> None:
        self._search = search
        self._climb = climb

    def run(self, patience: int, note: Note) -> ClassSearch:
        """Take away edge after edge, the cheapest first, until so many in a row were in vain.

        Returns the search at the end of all that.
        """
        self._force(self._deletions, patience, note)
        if self._search.pattern.is_told is not None:
            while self._force(self._insertions, patience, note):
                self._force(self._deletions, patience, note)
        return self._search

    def _force(self, listed: Callable[[int], list[ClassMove]], patience: int, note: Note) -> bool:
        """Try the moves one by one, and those of each better class; whether there was one."""
        n_in_vain, n_found, run = 0, 0, self._search.space.run
        waiting = deque(() if run.must_stop() else listed(patience))
        while waiting and n_in_vain < patience and not run.must_stop():
            n_in_vain += 1
            if self._leads_higher(waiting.popleft(), note):
                n_in_vain, n_found = 0, n_found + 1
                self._climb(self._search, note)
                waiting = deque(listed(patience))
        return n_found > 0

    def _deletions(self, _: int) -> list[ClassMove]:
        found = self._search.deletions(self._search.admission)
        return sorted(found, key=lambda move: (-move.gain, move))

    def _insertions(self, most: int) -> list[ClassMove]:
        """The insertions that cost least."""
        search, pattern = self._search, self._search.pattern
        gains = ClassGains(search.space.scores, search.admission, least=-np.inf)
        pool, found = MovePool("insert", pattern.n_nodes), list[ClassMove]()
        for target in range(pattern.n_nodes):
            if search.space.run.must_stop():
                break
            pool.replace(target, gains.insertions(pattern, target))
        while len(found) < most and (best := pool.best(pattern)):
            place, move = best
            found.append(move)
            pool.refuse(place)
        return found

    def _leads_higher(self, forced: ClassMove, note: Note) -> bool:
        """Whether a search ends in a better class by way of a forced move; if so, go on from there."""
        then = after(self._search.pattern, forced)
        if not self._search.admission.admits(then):
            return False
        trial = self._search.copy()
        trial.go_to(then)
        moves = [(forced, trial.score)]
        trial.kept_apart = {forced.source, forced.target}
        self._climb(trial, lambda move, score: moves.append((move, score)))
        trial.kept_apart = set()
        if not is_better(trial.score, self._search.score):
            return False
        self._search = trial
        for move, score in moves:
            note(move, score)
        return True
