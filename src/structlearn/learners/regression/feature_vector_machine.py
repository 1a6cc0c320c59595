"""The feature vector machine."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.learners.regression.nodewise.feature_kernels import (
    Dependence,
    FeatureKernel,
    Gaussian,
    Linear,
    Polynomial,
)
from structlearn.learners.regression.nodewise.kernel_regressions import KernelTable
from structlearn.learners.regression.nodewise.learner import NodewiseLearner
from structlearn.learners.regression.nodewise.penalty_search import Regressions
from structlearn.learners.regression.penalties.options import KeepsLevel
from structlearn.options import Above, Either, OneOf, OrNone, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

Likeness = Literal["linear", "polynomial", "rbf", "hsic"]


class FeatureVectorMachine(KeepsLevel, NodewiseLearner):
    """Join the continuous columns that a lasso in the space of a kernel needs to predict each other."""

    only: ClassVar[Kind | None] = "continuous"

    kernel: Likeness = option(
        one_of(Likeness),
        "How alike two columns are. The correlation; ((1 + correlation) / 2) to the power of `degree`; "
        "exp(−distance² / (2·n·bandwidth²)) of the columns as points; or the normalised Hilbert-Schmidt "
        "independence criterion, which alone sees dependence of any shape [3]_.",
        default="linear",
    )
    degree: int = option(Whole(1), "The degree of the polynomial kernel.", default=2)
    bandwidth: float | None = option(
        OrNone(Above(0), "by the median of the squared distances"),
        'The width of the Gaussian functions of "rbf" and "hsic", on standardised columns.',
        default=None,
    )
    penalty: Literal["theory", "stars"] | float = option(
        Either((OneOf(("theory", "stars")), Above(0))),
        "What multiplies the L1 norm in ½·bᵀ·K·b − bᵀ·k + penalty·L1, or how to find it. K is the likeness "
        "of the columns to each other, 1 for each to itself, and k that to the target; it is half of what "
        'the paper [1]_ calls λ. "theory" is the likeness that independent columns exceed with probability '
        '`alpha` / (2p²), the rule of neighbourhood selection for every kernel; "stars" the smallest '
        "penalty with stable graphs in subsamples.",
        default="theory",
    )
    n_penalties = 20
    smallest_share = 0.1

    def _table(self, statistics: Statistics, weights: NDArray[np.float64]) -> KernelTable:
        return KernelTable(statistics, weights, self._kernel())

    def _theory_penalty(self, statistics: Statistics) -> float:
        rows = self._table(statistics, np.ones((1, 1))).standard_rows(np.arange(statistics.n_rows))
        return self._kernel().by_chance(rows, self.alpha / (2.0 * n_varying(statistics) ** 2))

    def _kernel(self) -> FeatureKernel:
        kernels: dict[str, FeatureKernel] = {
            "linear": Linear(),
            "polynomial": Polynomial(self.degree),
            "rbf": Gaussian(self.bandwidth),
            "hsic": Dependence(self.bandwidth),
        }
        return kernels[self.kernel]

    def _outcome(
        self,
        names: tuple[str, ...],
        fitted: Regressions,
        penalties: NDArray[np.float64],
        path: dict[str, NDArray[Any]],
        run: Run,
    ) -> Outcome:
        if self.kernel != "linear":
            fitted.coefficients = np.abs(fitted.coefficients)
        return super()._outcome(names, fitted, penalties, path, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; an edge's weight is the mean of its two coefficients.
    coefficients_ : array of shape (p, p)
        Row by row the regression of each node on all others, in the order of `graph_.nodes`; their
        sizes alone where the kernel is not linear, for then the signs mean nothing.
    penalty_ : float
        The penalty.
    gap_ : float
        The largest duality gap of a regression, on the scale of the objective.
    path_ : dict of arrays
        For each penalty looked at "penalty", "n_edges" and the "criterion" that chose.
    evidence_ : dict
        The weight of each edge.
    trace_ : dict of arrays
        The same as `path_`.

    Notes
    -----
    The kernel compares columns, not rows, so that the solution is sparse in columns [1]_; the
    generalised lasso [2]_ is sparse in rows. The quadratic programme of the paper is the dual of a
    lasso whose Gram matrix is the kernel; with more columns than rows it has many solutions, and the
    lasso's is the sparse one. The likenesses of "polynomial" and "rbf" grow with the correlation: they
    do not see a negative one. "hsic" compares every two rows, in a time that grows with their square, and
    leaves weak edges between the ends of a chain of strong ones.

    References
    ----------
    .. [1] Li, Yang and Xing (2005), From lasso regression to feature vector machine, NIPS.
    .. [2] Roth (2004), The generalized LASSO, IEEE Transactions on Neural Networks 15.
    .. [3] Gretton et al. (2008), A kernel statistical test of independence, NIPS; Yamada et al. (2014),
       High-dimensional feature selection by feature-wise kernelized lasso, Neural Computation 26.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> a, b = np.random.default_rng(0).uniform(-1, 1, (2, 200))
    >>> table = {"a": a, "b": b, "square": a**2}
    >>> sl.FeatureVectorMachine(kernel="hsic").fit(table).graph_.undirected
    (('a', 'square'),)
    """
