"""The lasso of each column on all others, in the space of a kernel."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.nodewise.feature_kernels import FeatureKernel, StandardRows
from structlearn.learners.regression.nodewise.gaussian_regressions import GaussianRegressions, GaussianTable
from structlearn.learners.regression.nodewise.penalty_search import adaptive_weights
from structlearn.numerics.descent import lasso
from structlearn.statistics import Statistics

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


class KernelTable(GaussianTable):
    """Rows of continuous columns, and the kernel regressions of any part of them."""

    def __init__(self, statistics: Statistics, weights: Floats, kernel: FeatureKernel) -> None:
        super().__init__(statistics, weights, l1_share=1.0)
        self._kernel = kernel

    def everything(self) -> GaussianRegressions:
        """The regressions on all rows."""
        return self.of(np.arange(self.n_rows))

    def of(self, rows: Rows) -> GaussianRegressions:
        """The regressions on some of the rows: those of Gaussian columns, with likenesses as correlations."""
        standard = self.standard_rows(rows)
        return self._regressions(self._kernel.matrix(standard), standard.size)

    def reweighted(self, coefficients: Floats) -> "KernelTable":
        """The same rows where each column is penalised by the inverse of its coefficient."""
        return KernelTable(self._statistics, adaptive_weights(coefficients), self._kernel)

    def standard_rows(self, rows: Rows) -> StandardRows:
        """Some rows, each column less its mean and divided by its deviation."""
        values, sizes = self._standardised(rows, like=rows)
        return StandardRows(values, sizes / sizes.sum(), float(sizes.sum()))


def generalised_lasso(kernel: Floats, target: Floats, *, penalty: float) -> Floats:
    """Minimise ‖target − kernel·a‖² + penalty·‖a‖₁: few rows whose kernel functions make up the target.

    Roth (2004), The generalized LASSO, IEEE Transactions on Neural Networks 15. `kernel` is (n, n),
    the likeness of each two rows; the solution is sparse in rows, not in columns.
    """
    return lasso(kernel.T @ kernel, kernel.T @ target, penalty=penalty / 2.0, tolerance=1e-12).coefficients
