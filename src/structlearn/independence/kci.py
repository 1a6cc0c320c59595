"""The kernel test of conditional independence."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from structlearn.errors import DataError
from structlearn.independence.by_rows import (
    FEWEST_ROWS,
    NOTHING,
    Answer,
    Floats,
    Standardised,
    answer_by_rows,
    gamma_tail,
    median_distance,
    permuted_share_of_features,
)
from structlearn.independence.gaussian_kernels import agreement, centred, gaussian_kernel
from structlearn.independence.protocol import Answers, Questions
from structlearn.independence.tuned_widths import tuned_widths
from structlearn.later import linalg
from structlearn.options import Above, Either, OneOf, OrNone, Rules, check_options
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

WIDTHS = ((200, 0.8), (1200, 0.5), (10**9, 0.3))  # of the kernel, by the most rows: those of the authors
RIDGE = 1e-3
RULES: Rules = {
    "width": OrNone(
        Either((Above(0), OneOf(("median", "tuned"), "how wide kernels are")), "how wide kernels are"),
        "by the number of rows",
    ),
}
N_TUNED_BY, TUNED_BY_LEAST = 3, 1e-6  # features of x and of y; curves of a line need narrower kernels than it
ROWS_PER_CONDITION = 25  # with fewer it was not tried


@dataclass(frozen=True)
class KCI:
    """Test by kernels whether columns are independent given others, in curves of any shape [1]_.

    The statistic is tr(K L) of centred Gaussian kernels of x, with the conditions at half their size, and of
    y, after kernel ridge regression on the conditions; under independence it is nearly gamma distributed. Of
    x and y that one is regressed with the conditions which comes first in the table. The kernel of discrete
    columns is 1 between rows of the same states and 0 between others; discrete columns alone are tested by
    G². With fewer than 20 rows, two columns are permuted, and conditions allow no answer; so are two of which
    hardly a row has neither the commonest x nor the commonest y, such as 0. Time grows with the cube of the
    rows.

    Parameters
    ----------
    width : float, "median", "tuned" or None, default None
        Of the Gaussian kernels, in standard deviations; by default 0.8, 0.5 from 201 and 0.3 from 1,201 rows.
        "median" is the median distance of the rows of each kernel. "tuned" is the default for x and y, and
        for each condition the width at which Gaussian processes on all of them make the leading features of
        the kernels of x and y most probable; it takes some times as long.
    max_rows : int, default 3000
        More are refused: rcot and gcm take any number.
    seed : int, default 0
        Of the permutations.

    References
    ----------
    .. [1] Zhang, Peters, Janzing and Schölkopf (2011), Kernel-based conditional independence test and
       application in causal discovery, UAI.
    """

    width: float | Literal["median", "tuned"] | None = None
    max_rows: int = 3000
    seed: int = 0
    takes: ClassVar[tuple[Sort, ...]] = ("continuous", "mixed")

    def __post_init__(self) -> None:
        check_options("KCI", RULES, {name: getattr(self, name) for name in RULES})

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        if statistics.n_rows > self.max_rows:
            raise DataError(
                f"KCI: {statistics.n_rows:,} rows are more than the {self.max_rows:,} that a kernel of all "
                "pairs of rows is for. Use test='rcot' or test='gcm', draw rows, or pass KCI(max_rows=…)."
            )
        return answer_by_rows("KCI", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n, n_conditions = columns.given.shape
        n_strata = columns.strata.shape[1]
        is_given = n_conditions > 0 or n_strata > 1
        if n < FEWEST_ROWS and is_given:
            return Answer(0.0, 1.0, is_reliable=False)
        columns = columns._replace(given=self._scaled(columns))
        left = self.regression(columns) if is_given else None
        statistic, mean, variance, kernels = self.moments(columns, left)
        if not is_given and (n < FEWEST_ROWS or columns.is_of_rare_events):
            x, y = _all_features(columns.x, kernels[0]), _all_features(columns.y, kernels[1])
            return Answer(statistic, permuted_share_of_features(x, y, self.seed), is_reliable=n > 3)
        share = 1.0
        if left is not None:
            share, variance = _share_left(left), _without_own_rows(variance, *kernels)
        p_value = gamma_tail(share * statistic, mean, variance)
        enough = ROWS_PER_CONDITION * max(n_conditions, 1) * n_strata if is_given else 0
        has_rows = n >= enough and not (is_given and columns.is_of_rare_events)
        return Answer(statistic, p_value, is_reliable=has_rows)

    def moments(
        self, columns: Standardised, left: Floats | None
    ) -> tuple[float, float, float, tuple[Floats, Floats]]:
        """The statistic, its mean and variance under independence, and the two kernels."""
        x, y = self._kernel(columns.x), centred(self._kernel(columns.y))
        if left is None:
            return *agreement(centred(x), y), (centred(x), y)
        one = left @ centred(x * self._of_conditions(columns, scale=0.5)) @ left
        other = left @ y @ left
        # Of the products ψᵢφⱼ of eigenfunctions only their Gram matrix is needed, which is that of K times L.
        both = one * other
        return float(both.sum()), float(np.trace(both)), 2.0 * float(np.vdot(both, both)), (one, other)

    def _kernel(self, column: Floats) -> Floats:
        """Gaussian of a column; of indicators of states 1 in the same state, else 0."""
        return gaussian_kernel(column, self._width(column)) if column.shape[1] == 1 else column @ column.T

    def _of_conditions(self, columns: Standardised, scale: float) -> Floats:
        kernel = gaussian_kernel(scale * columns.given, self._width(columns.given))
        return kernel * (columns.strata @ columns.strata.T)

    def _scaled(self, columns: Standardised) -> Floats:
        """The conditions in units in which their kernel is as wide as one of a column."""
        given, n_conditions = columns.given, columns.given.shape[1]
        # With more columns all rows are farther apart; at one width a kernel would explain any of them.
        units = np.full(n_conditions, float(n_conditions))
        if self.width == "tuned" and n_conditions:
            ends = np.hstack([_features(centred(self._kernel(each))) for each in (columns.x, columns.y)])
            units = tuned_widths(ends, given, columns.strata) / self._width(given)
        found: Floats = given / units
        return found

    def _width(self, columns: Floats) -> float:
        if self.width == "median":
            return median_distance(columns) if columns.shape[1] else 1.0
        if isinstance(self.width, int | float):
            return self.width
        return next(width for most, width in WIDTHS if len(columns) <= most)

    def regression(self, columns: Standardised) -> Floats:
        """What makes residuals of kernel ridge regression on the conditions."""
        kernel = centred(self._of_conditions(columns, scale=1.0))
        kernel[np.diag_indices(len(kernel))] += RIDGE
        found: Floats = RIDGE * linalg.cho_solve(
            (linalg.cholesky(kernel, lower=True), True), np.eye(len(kernel))
        )
        return found


def _features(kernel: Floats) -> Floats:
    """The few directions in which rows differ most, as far as they differ in so many."""
    values, vectors = linalg.eigh(kernel, subset_by_index=[len(kernel) - N_TUNED_BY, len(kernel) - 1])
    found: Floats = vectors[:, values > TUNED_BY_LEAST * values[-1]]
    return found


def _all_features(column: Floats, kernel: Floats) -> Floats:
    """Columns whose products are the kernel, from the values that a column has."""
    _, first, place = np.unique(column, axis=0, return_index=True, return_inverse=True)
    values, vectors = linalg.eigh(kernel[np.ix_(first, first)])
    is_there = values > NOTHING * values[-1]
    found: Floats = (vectors[:, is_there] * np.sqrt(values[is_there]))[place.ravel()]
    return found


def _share_left(left: Floats) -> float:
    """What regression leaves of the dimensions of noise.

    Where R makes residuals of noise that is independent from row to row, tr R⁴ is the mean of the statistic,
    and Σ (R²)ᵢᵢ² that of the sum which estimates it, both times the same. For a projection that leaves m of n
    dimensions the share is m / n.
    """
    squared = left @ left
    return float(np.square(np.diag(squared)).sum() / np.vdot(squared, squared))


def _without_own_rows(variance: float, one: Floats, other: Floats) -> float:
    """The variance 2 tr M² without the products of a row with itself, which make it too large on average."""
    n = len(one)
    own = float(np.square(np.diag(one) * np.diag(other)).sum())
    return (variance - 2.0 * own) * n / (n - 1)
