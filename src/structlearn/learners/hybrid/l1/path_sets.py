"""The sets of columns along a path of penalties, with those that lie between two of the penalties."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np

from structlearn.learners.hybrid.l1.families import Members

MOST_HALVINGS = (
    12  # of the step between two penalties: columns that come in nearer to each other come together
)

SetAt = Callable[[float], Members]
Place = tuple[float, Members]


def sets_along(
    path: Iterable[Place], set_at: SetAt, must_stop: Callable[[], bool] = lambda: False
) -> Iterator[Members]:
    """Each set of a path, from the largest penalty down; `path` has penalties with their sets.

    Where two neighbours differ by more than one column, `set_at` is asked between them, unless it must stop.
    """
    return (members for members, _ in groupby(_Refined(set_at, must_stop).along(path)))


class _Refined(NamedTuple):
    set_at: SetAt
    must_stop: Callable[[], bool]

    def along(self, path: Iterable[Place]) -> Iterator[Members]:
        above: Place | None = None
        for below in path:
            if self.must_stop():
                return
            if above is not None:
                yield from self._between(above, below, MOST_HALVINGS)
            yield below[1]
            above = below

    def _between(self, above: Place, below: Place, n_halvings: int) -> Iterator[Members]:
        if n_halvings == 0 or len(set(above[1]) ^ set(below[1])) <= 1 or self.must_stop():
            return
        penalty = float(np.sqrt(above[0] * below[0]))
        middle = penalty, self.set_at(penalty)
        yield from self._between(above, middle, n_halvings - 1)
        yield middle[1]
        yield from self._between(middle, below, n_halvings - 1)
