"""The sets of columns along a path of penalties, with those that lie between two of the penalties."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby

import numpy as np

from structlearn.learners.hybrid.l1.families import Members

MOST_HALVINGS = (
    12  # of the step between two penalties: columns that come in nearer to each other come together
)

SetAt = Callable[[float], Members]
Place = tuple[float, Members]


def sets_along(path: Iterable[Place], set_at: SetAt) -> Iterator[Members]:
    """Each set of a path, from the largest penalty down; `path` has penalties with their sets.

    Where two neighbours differ by more than one column, `set_at` is asked between them.
    """
    return (members for members, _ in groupby(_refined(path, set_at)))


def _refined(path: Iterable[Place], set_at: SetAt) -> Iterator[Members]:
    above: Place | None = None
    for below in path:
        if above is not None:
            yield from _between(above, below, set_at, MOST_HALVINGS)
        yield below[1]
        above = below


def _between(above: Place, below: Place, set_at: SetAt, n_halvings: int) -> Iterator[Members]:
    if n_halvings == 0 or len(set(above[1]) ^ set(below[1])) <= 1:
        return
    penalty = float(np.sqrt(above[0] * below[0]))
    middle = penalty, set_at(penalty)
    yield from _between(above, middle, set_at, n_halvings - 1)
    yield middle[1]
    yield from _between(middle, below, set_at, n_halvings - 1)
