"""The graphs that wait to be expanded: the open list of best-first search."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.expansion.neighbors import STEP, Steps
from structlearn.rounding import slack
from structlearn.search.ranking import first_best


class Frontier:
    """The best graphs that were found and not yet taken; no graph comes twice.

    At most `max_open` wait: beyond, the worst are dropped, and may be found again. Of graphs
    with the same score the first found is the best. Graphs are known by their keys.
    """

    def __init__(self, max_open: int) -> None:
        self.n_dropped = 0
        self._max_open = max_open
        self._waiting = np.empty(0, dtype=STEP)
        self._known: set[int] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def push(self, found: Steps) -> None:
        """Let those graphs wait that neither wait nor were taken before."""
        most = self._max_open + len(self._known)  # more cannot come to wait
        if len(found) > most:
            self.n_dropped += len(found) - most
            found = found[_best(found["score"], most)]
        keys = found["key"].tolist()
        is_new = np.fromiter((key not in self._known for key in keys), dtype=np.bool_, count=len(keys))
        self._known.update(keys)
        self._waiting = np.concatenate([self._waiting, found[is_new]])
        if len(self._waiting) > self._max_open:
            self._drop_worst()

    def pop(self) -> np.void:
        """Take the best."""
        place = first_best(self._waiting["score"])
        best: np.void = self._waiting[place].copy()
        self._waiting = np.delete(self._waiting, place)
        return best

    def _drop_worst(self) -> None:
        is_kept = _best(self._waiting["score"], self._max_open)
        self._known.difference_update(self._waiting["key"][~is_kept].tolist())
        self.n_dropped += int(np.count_nonzero(~is_kept))
        self._waiting = self._waiting[is_kept]


def _best(scores: NDArray[np.float64], n_kept: int) -> NDArray[np.bool_]:
    """Which are the best scores; of those that tie for the last places, the first."""
    last = float(np.partition(scores, -n_kept)[-n_kept])
    is_kept = scores > last + slack(last)
    ties = np.flatnonzero(np.abs(scores - last) <= slack(last))
    is_kept[ties[: n_kept - np.count_nonzero(is_kept)]] = True
    return is_kept
