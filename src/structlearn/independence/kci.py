"""The kernel test of conditional independence."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from structlearn.errors import DataError
from structlearn.independence.by_rows import (
    FEWEST_ROWS,
    Answer,
    Floats,
    Standardised,
    answer_by_rows,
    gamma_tail,
    permuted_share,
)
from structlearn.independence.gaussian_kernels import agreement, centred, gaussian_kernel
from structlearn.independence.protocol import Answers, Questions
from structlearn.later import linalg
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort

WIDTHS = ((200, 0.8), (1200, 0.5), (10**9, 0.3))  # of the kernel, by the most rows: those of the authors
RIDGE = 1e-3
ROWS_PER_CONDITION = 25  # with fewer the level was up to 0.08 at 0.05


@dataclass(frozen=True)
class KCI:
    """Test by kernels whether columns are independent given others, in curves of any shape [1]_.

    The statistic is tr(K L) of centred Gaussian kernels of x, with the conditions at half their size, and of
    y, after kernel ridge regression on the conditions; under independence it is nearly gamma distributed. Of
    x and y that one is regressed with the conditions which comes first in the table. With fewer than 20
    rows, two columns are permuted, and conditions allow no answer. Time grows with the cube of the rows.

    Parameters
    ----------
    width : float or None, default None
        Of the Gaussian kernels, in standard deviations; by default 0.8, 0.5 from 201 and 0.3 from 1,201 rows.
    max_rows : int, default 3000
        More are refused: rcot and gcm take any number.
    seed : int, default 0
        Of the permutations.

    References
    ----------
    .. [1] Zhang, Peters, Janzing and Schölkopf (2011), Kernel-based conditional independence test and
       application in causal discovery, UAI.
    """

    width: float | None = None
    max_rows: int = 3000
    seed: int = 0
    takes: ClassVar[tuple[Sort, ...]] = ("continuous",)

    def many(self, statistics: Statistics, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions."""
        if statistics.n_rows > self.max_rows:
            raise DataError(
                f"KCI: {statistics.n_rows:,} rows are more than the {self.max_rows:,} that a kernel of all "
                "pairs of rows is for. Use test='rcot' or test='gcm', draw rows, or pass KCI(max_rows=…)."
            )
        return answer_by_rows("KCI", statistics, questions, self._answer)

    def _answer(self, columns: Standardised) -> Answer:
        n = len(columns.x)
        if n < FEWEST_ROWS and columns.given.shape[1]:
            return Answer(0.0, 1.0, is_reliable=False)
        n_conditions = columns.given.shape[1]
        # With more columns all rows are farther apart; at one width a kernel would explain any of them.
        columns = columns._replace(given=columns.given / max(n_conditions, 1))
        left = self.regression(columns.given)
        statistic, mean, variance, kernels = self.moments(columns, left)
        if n < FEWEST_ROWS:
            return Answer(statistic, permuted_share(*kernels, self.seed), is_reliable=n > 3)
        share = np.sqrt(_share_left(left)) if left is not None and n_conditions > 1 else 1.0
        p_value = gamma_tail(share * statistic, mean, variance)
        return Answer(statistic, p_value, is_reliable=n >= ROWS_PER_CONDITION * n_conditions)

    def moments(
        self, columns: Standardised, left: Floats | None
    ) -> tuple[float, float, float, tuple[Floats, Floats]]:
        """The statistic, its mean and variance under independence, and the two kernels."""
        x, y, given = columns.x[:, None], columns.y[:, None], columns.given
        width = self._width(len(x))
        if left is None:
            one, other = centred(gaussian_kernel(x, width)), centred(gaussian_kernel(y, width))
            return *agreement(one, other), (one, other)
        one = left @ centred(gaussian_kernel(np.hstack([x, given / 2.0]), width)) @ left
        other = left @ centred(gaussian_kernel(y, width)) @ left
        # Of the products ψᵢφⱼ of eigenfunctions only their Gram matrix is needed, which is that of K times L.
        both = one * other
        return float(both.sum()), float(np.trace(both)), 2.0 * float(np.vdot(both, both)), (one, other)

    def _width(self, n_rows: int) -> float:
        return self.width or next(width for most, width in WIDTHS if n_rows <= most)

    def regression(self, given: Floats) -> Floats | None:
        """What makes residuals of kernel ridge regression on the conditions; None without any."""
        n, n_conditions = given.shape
        if not n_conditions:
            return None
        kernel = centred(gaussian_kernel(given, self._width(n)))
        kernel[np.diag_indices(n)] += RIDGE
        found: Floats = RIDGE * linalg.cho_solve((linalg.cholesky(kernel, lower=True), True), np.eye(n))
        return found


def _share_left(left: Floats) -> float:
    """What regression leaves of the dimensions of noise.

    Where R makes residuals of noise, the square of their product has mean tr R⁴, and the sum of squares that
    estimates it Σ (R²)ᵢᵢ². For a projection that leaves m of n dimensions this is m / n. Kernels of x and y
    are smoother than noise: for one condition nothing of it, for several its root holds the level (measured
    with 60 to 300 rows and up to three conditions: 3 to 8 % at 5 %).
    """
    squared = left @ left
    return float(np.square(np.diag(squared)).sum() / np.vdot(squared, squared))
