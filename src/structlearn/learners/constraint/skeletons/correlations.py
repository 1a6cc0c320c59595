"""Correlations of all pairs of columns, and what Fisher's z makes of them at a level."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.fisher_z import fisher_z
from structlearn.independence.partial_correlation import PartialCorrelations, clipped
from structlearn.independence.tails import normal_tails
from structlearn.rounding import ALMOST_ONE, DETERMINED

Positions = NDArray[np.int64]
Numbers = NDArray[np.float64]
PLACES_AT_ONCE = 256  # to test one takes no less time


@dataclass(frozen=True)
class Correlations(ABC):
    """The correlations of a table of so many rows."""

    size: float
    alpha: float

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Of the table."""

    @abstractmethod
    def of(self, a: Positions | int, b: Positions | slice) -> Numbers:
        """The correlation of each pair as it is, as the test has it; 0 with a constant column."""

    @abstractmethod
    def from_the_diagonal(self, start: int, stop: int) -> Numbers:
        """As `of`: the columns from `start` to `stop`, a row each, with all from `start` on."""

    def p_values(self, rho: Numbers, n_given: int) -> Numbers:
        """The p-values of correlations given so many columns."""
        return normal_tails(fisher_z(PartialCorrelations(clipped(rho.copy()), self.size), n_given)[0])

    @cached_property
    def limit_alone(self) -> float:
        """The limit of pairs as they are."""
        return self.limit(0)

    def limit(self, n_given: int) -> float:
        """The largest correlation that is taken for independence; -1 where none is."""
        last = int(np.array([ALMOST_ONE]).view(np.int64)[0])
        # The bits of numbers from 0 on are in their order, so that dividing them ends at the very last one.
        low, high = -1, last + 1
        while high - low > 1:
            step = max((high - low) // PLACES_AT_ONCE, 1)
            places = np.arange(low + step, high, step)
            is_within = self.p_values(places.view(np.float64), n_given) > self.alpha
            first, ends = int(np.argmin([*is_within, False])), [low, *places.tolist(), high]
            low, high = ends[first], ends[first + 1]
        if low in (-1, last):  # what is beyond the last counts as that
            return -1.0 if low < 0 else math.inf
        return float(np.array([low], dtype=np.int64).view(np.float64)[0])

    def is_independent(self, a: Positions | int, b: Positions | slice) -> NDArray[np.bool_]:
        """Whether pairs are independent as they are."""
        return np.abs(self.of(a, b)) <= self.limit_alone


@dataclass(frozen=True)
class CorrelationsOfMatrix(Correlations):
    """All of them in one matrix."""

    matrix: Numbers

    @property
    def n_columns(self) -> int:
        """Of the table."""
        return len(self.matrix)

    def of(self, a: Positions | int, b: Positions | slice) -> Numbers:
        """The correlation of each pair as it is, as the test has it; 0 with a constant column."""
        own = np.diag(self.matrix)
        is_there = (own[a] > DETERMINED) & (own[b] > DETERMINED)
        scale = np.sqrt(np.where(is_there, own[a] * own[b], 1.0))
        return np.asarray(np.where(is_there, self.matrix[a, b], 0.0) / scale)

    def from_the_diagonal(self, start: int, stop: int) -> Numbers:
        """As `of`: the columns from `start` to `stop`, a row each, with all from `start` on."""
        own = np.diag(self.matrix)[start:]
        rows = own[: stop - start, None]
        is_there = (rows > DETERMINED) & (own > DETERMINED)
        scale = np.sqrt(np.where(is_there, rows * own, 1.0))
        return np.asarray(np.where(is_there, self.matrix[start:stop, start:], 0.0) / scale)


@dataclass(frozen=True)
class CorrelationsOfUnits(Correlations):
    """Each from the two columns, of mean 0 and length 1: where columns are short, they take less memory."""

    units: Numbers

    @property
    def n_columns(self) -> int:
        """Of the table."""
        return len(self.units)

    def of(self, a: Positions | int, b: Positions | slice) -> Numbers:
        """The correlation of each pair as it is; 0 with a constant column, whose unit is zero."""
        subscripts = "ij,ij->i" if np.ndim(a) else "j,ij->i"
        return np.asarray(np.einsum(subscripts, self.units[a], self.units[b]))

    def from_the_diagonal(self, start: int, stop: int) -> Numbers:
        """As `of`: the columns from `start` to `stop`, a row each, with all from `start` on."""
        return np.asarray(self.units[start:stop] @ self.units[start:].T)
