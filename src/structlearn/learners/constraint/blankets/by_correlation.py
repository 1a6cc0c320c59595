"""Blankets of continuous columns: what the members leave of all columns is kept while they grow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.independence.fisher_z import FisherZ
from structlearn.learners.constraint.skeletons.correlations import CorrelationsOfMatrix
from structlearn.rounding import DETERMINED
from structlearn.statistics import MemoryStatistics

FEWEST_COLUMNS = 60  # of fewer, the tests take less time than the limits of independence
FIRST_ROOM = 32  # for members, before there has to be more
LEAST_LEFT = 1e-6  # of the variance of a member by the others, for an inverse to be right
Numbers = NDArray[np.float64]


class ByCorrelation:
    """Grow-Shrink by Fisher's z, with limits of correlations in place of p-values."""

    def __init__(self, asker: Asker, correlations: CorrelationsOfMatrix) -> None:
        self._asker, self._correlations = asker, correlations
        self._limits: dict[int, float] = {}

    @classmethod
    def of(cls, asker: Asker) -> "ByCorrelation | None":
        """That of a wide table in memory without gaps which is tested by Fisher's z; None of another."""
        statistics = asker.statistics
        if not isinstance(statistics, MemoryStatistics) or type(asker.test) is not FisherZ:
            return None
        if not statistics.is_complete or statistics.few_sets_asked or len(statistics.names) < FEWEST_COLUMNS:
            return None
        matrix = statistics.moments().correlation
        return cls(asker, CorrelationsOfMatrix(statistics.size, asker.alpha, matrix))

    def grown(self, target: int, members: Sequence[int], candidates: Sequence[int], most: int) -> list[int]:
        """Add the first candidate that depends on the target given the members, until there is none."""
        left, order = _Left(self._correlations.matrix, target), np.array(candidates, dtype=np.int64)
        found = []
        for member in members:
            left.give(member)
            found.append(member)
        order = order[~np.isin(order, found)]
        while len(order) and len(found) <= most:
            dependent = np.abs(left.correlations()[order]) > self._limit(len(found))
            first = int(dependent.argmax())
            self._asker.n_tests += first + 1 if dependent[first] else len(order)
            if not dependent[first]:
                break
            left.give(int(order[first]))
            found.append(int(order[first]))
            order = np.delete(order, first)
        return found

    def shrunk(self, target: int, members: Sequence[int], fixed: set[int]) -> list[int]:
        """Leave out, one by one, what is least needed, as far as an inverse tells that surely."""
        left = list(members)
        while left and (rho := self._given_others(target, left)) is not None:
            self._asker.n_tests += len(left)
            free = [(size, -v) for size, v in zip(np.abs(rho).tolist(), left, strict=True) if v not in fixed]
            if not free or min(free)[0] > self._limit(len(left) - 1):
                break
            left.remove(-min(free)[1])
        return left

    def _given_others(self, target: int, members: list[int]) -> Numbers | None:
        """The correlation of the target with each member given the others; None where these are too alike."""
        columns = [*members, target]
        try:
            inverse = np.linalg.inv(self._correlations.matrix[np.ix_(columns, columns)])
        except np.linalg.LinAlgError:
            return None
        own = inverse.diagonal()
        if own.min() <= 0.0 or own.max() > 1.0 / LEAST_LEFT:
            return None
        rho: Numbers = -inverse[-1, :-1] / np.sqrt(own[-1] * own[:-1])
        return rho

    def _limit(self, n_given: int) -> float:
        if n_given not in self._limits:
            self._limits[n_given] = self._correlations.limit(n_given)
        return self._limits[n_given]


class _Left:
    """What some columns leave of all: the own part of each, and the joint part with the target."""

    def __init__(self, matrix: Numbers, target: int) -> None:
        self._matrix, self._target = matrix, target
        self._own, self._joint = matrix.diagonal().copy(), matrix[target].copy()
        self._loads, self._n_given = np.empty((FIRST_ROOM, len(matrix))), 0

    def give(self, column: int) -> None:
        """Take off what a further column tells; one that the others determine tells nothing."""
        if self._own[column] <= DETERMINED:
            return
        if self._n_given == len(self._loads):
            self._loads = np.concatenate([self._loads, np.empty_like(self._loads)])
        before = self._loads[: self._n_given]
        told = (self._matrix[column] - before[:, column] @ before) / np.sqrt(self._own[column])
        self._loads[self._n_given] = told
        self._n_given += 1
        self._own -= told**2
        self._joint -= told[self._target] * told

    def correlations(self) -> Numbers:
        """That of each column with the target; 0 where one of them is determined."""
        is_there = (self._own > DETERMINED) & (self._own[self._target] > DETERMINED)
        scale = np.sqrt(np.where(is_there, self._own * self._own[self._target], 1.0))
        return np.asarray(np.where(is_there, self._joint, 0.0) / scale)
