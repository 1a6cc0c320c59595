"""Candidate parents by what they promise: the few columns that a search may choose the parents from."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import DECIMALS_OF_PROMISES
from structlearn.search.candidates import Candidates, CountedCandidates, candidate_matrix, given_and_counted
from structlearn.search.limits import Limits
from structlearn.search.space import Space


class Promises(NamedTuple):
    """How much each column promises as one more parent of another: `values[child, parent]`.

    In nats per row, minus infinity for what is impossible. `noise` is the largest error to expect
    of them, 0 where nothing is drawn at random.
    """

    values: NDArray[np.float64]
    noise: float


def most_promising(
    promises: NDArray[np.float64], parents: Sequence[Sequence[int]], limits: Limits, n_candidates: int
) -> Candidates:
    """The present parents and, up to `n_candidates` in all, those of the others that promise most.

    The answer has a row per child. What may not be a parent is none; ties go to the first in
    the order of the columns. Contexts are no candidates, and do not count.
    """
    chosen = np.zeros(promises.shape, dtype=np.bool_)
    for child, members in enumerate(parents):
        chosen[child, members] = True
        left = np.where(chosen[child] | limits.closed[child], -np.inf, promises[child])
        left[child] = left[limits.contexts] = -np.inf
        order = np.argsort(-np.round(left, DECIMALS_OF_PROMISES), kind="stable")
        n_more = n_candidates - len(np.setdiff1d(members, limits.contexts))
        n_more = min(max(n_more, 0), int((left > -np.inf).sum()))
        chosen[child, order[:n_more]] = True
    return chosen


def narrowed(space: Space, candidates: CountedCandidates | None) -> Space:
    """The space among candidates; a number stands for those that score most as only parent."""
    given, counted = given_and_counted(candidates)
    if given is not None:
        return space.among(candidate_matrix(space.owner, space.names, given))
    if counted is None or counted >= space.n_nodes - 1:
        return space
    nobody: list[list[int]] = [[] for _ in space.names]
    alone = space.scores.toggles_without_parents(space.run.must_stop)
    for child in space.limits.changed().tolist():
        besides, free = space.limits.contexts_of(child), space.limits.free_parents(child)
        alone[child, free] = space.scores.gains_of(child, besides, free)
    return space.among(most_promising(alone, nobody, space.limits, counted))
