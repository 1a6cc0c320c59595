"""Leave a local maximum among equivalence classes: take an edge away, and climb on without it."""

from collections import deque

import numpy as np

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.moves import ClassMove, after
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.search import ClassSearch, Climb, Note
from structlearn.rounding import is_better
from structlearn.scores import FamilyScores


class Escape:
    """The way out of local maxima: forced deletions, undone where they lead nowhere better.

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

    def run(self, patience: int, note: Note) -> None:
        """Take away edge after edge, the cheapest first, until so many in a row were in vain."""
        n_in_vain = 0
        waiting = self._deletions()
        while waiting and n_in_vain < patience and not self._search.space.run.must_stop():
            moves = self._moves_without(waiting.popleft())
            n_in_vain += 1
            if moves:
                n_in_vain = 0
                for move, score in moves:
                    note(move, score)
                self._climb(self._search, note)
                waiting = self._deletions()

    def _deletions(self) -> deque[ClassMove]:
        search = self._search
        found = deletions(search.space.scores, search.admission, search.pattern)
        return deque(sorted(found, key=lambda move: (-move.gain, move)))

    def _moves_without(self, deletion: ClassMove) -> list[tuple[ClassMove, float]]:
        """The moves to a better class by way of a deletion, with the score after each.

        Without any the search is where it was.
        """
        search = self._search
        home, score_at_home = search.pattern, search.score
        then = after(home, deletion)
        if not search.admission.admits(then):
            return []
        search.go_to(then)
        moves = [(deletion, search.score)]
        search.kept_apart = {deletion.source, deletion.target}
        self._climb(search, lambda move, score: moves.append((move, score)))
        search.kept_apart = set()
        if is_better(search.score, score_at_home):
            return moves
        search.go_to(home)
        return []


def deletions(scores: FamilyScores, admission: Admission, pattern: Pattern) -> list[ClassMove]:
    """Every deletion that is allowed, whatever it gains."""
    gains = ClassGains(scores, admission.adding_nothing(), least=-np.inf)
    found = []
    for target in range(pattern.n_nodes):
        listed, _ = gains.changes(pattern, target)
        found += [ClassMove("delete", source, target, before, gain) for gain, source, before in listed.told()]
    return found
