"""Sparse vector autoregression, and Granger's tests."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.errors import OptionError
from structlearn.learners.time.autoregression.options import SelectionOptions
from structlearn.learners.time.autoregression.results import outcome_of
from structlearn.learners.time.autoregression.sources import by_penalties, by_tests
from structlearn.learners.time.learner import KnownInTime, TimeLearner
from structlearn.numerics.autoregression import LaggedRows
from structlearn.options import result
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]


class SparseVAR(SelectionOptions, TimeLearner):
    """Regress each variable on the past of all, and keep the few sources that it follows from."""

    only: ClassVar[Kind] = "continuous"
    weight_means: ClassVar[Literal["score gain", "weight"]] = "weight"
    coefficients_: Floats = result()
    intercept_: Floats = result()
    stability_: float = result()
    penalty_: Floats = result()

    def _learn_lagged(self, table: LaggedTable, known: KnownInTime, run: Run) -> Outcome:
        known = known.beside_context(table)
        rows = LaggedRows.of(*table.values(), table.dataset.weights, centred=self.intercept)
        rows = rows.only(known.acting(table.lags).ravel())
        if self.robust and self.method != "granger":
            raise OptionError(f"{run.owner}(robust=True): this is for method='granger'.")
        if self.criterion == "forward" and (self.penalty is not None or "granger" in self.method):
            raise OptionError(
                f"{run.owner}(criterion='forward'): it chooses penalties, and there is none to choose."
            )
        if "granger" in self.method:
            return outcome_of(table, rows, by_tests(table, rows, known, self, run), run)
        return outcome_of(table, rows, by_penalties(table, rows, known, self, run), run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        Arrows from the past to the present, x[t-1] → y[t]; weights are coefficients. `graph_.summary()` has
        a node for each variable.
    coefficients_ : array of shape (lags, p, p)
        Least squares on what was kept, shrunk by `ridge`, in the units of the table: entry [l, i, j] is what
        variable j does to variable i. Lags are in rising order, variables in that of the columns.
    intercept_ : array of shape (p,)
        The constants, 0 without `intercept`.
    residual_covariance_ : array of shape (p, p)
        Of what the past does not tell, with divisor n. NaN where time is up.
    stability_ : float
        The largest modulus of an eigenvalue of the system; from 1 on it runs away. NaN where time is up.
    penalty_ : array of shape (p,)
        The penalty of each variable; NaN where none of its sources is worth its price.
    p_values_, f_ : arrays of shape (p, p)
        Of Granger's tests: the p-value after `correction` and the F statistic of source j for target i at
        [i, j].
    evidence_ : dict
        The coefficient of each arrow, with "granger" the p-value of its source.

    Notes
    -----
    An arrow says that the past of one variable helps to predict another beside the past of all [1]_. It need
    not be a cause: hidden drivers make such arrows, so does sampling more slowly than causes act, and effects
    within a step leave arrows that are not direct. With `knowledge`, an arrow that is forbidden is so at all
    lags, and one that is required is there at the smallest.

    The group lasso minimises (1/2n)‖y − Zb‖² + λ Σ √k ‖b_j‖ over the k lags of each source, on standardised
    columns [2]_; the sparse group lasso has half of it on each lag, and the hierarchical lasso minds
    λ Σ_j Σ_l ‖(b_jl, …, b_jk)‖ [4]_. What is kept is then fitted by least squares, and the penalty chosen by
    the extended BIC of these fits, or by their forecasts. Tests need more rows than lagged columns; penalties
    do not. With `robust` tests are Wald's, by a covariance that allows for errors which vary and follow each
    other [3]_.

    References
    ----------
    .. [1] Granger (1969), Investigating causal relations by econometric models and cross-spectral methods,
       Econometrica 37.
    .. [2] Lozano, Abe, Liu and Rosset (2009), Grouped graphical Granger modeling for gene expression
       regulatory networks discovery, Bioinformatics 25.
    .. [3] Newey and West (1987), A simple, positive semi-definite, heteroskedasticity and autocorrelation
       consistent covariance matrix, Econometrica 55.
    .. [4] Nicholson, Wilms, Bien and Matteson (2020), High dimensional forecasting via interpretable vector
       autoregression, JMLR 21.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> x = np.random.default_rng(0).normal(size=300)
    >>> y = np.concatenate([[0.0], x[:-1]]) + 0.5 * np.random.default_rng(1).normal(size=300)
    >>> learner = sl.SparseVAR().fit({"x": x, "y": y})
    >>> print(learner.graph_)
    Graph with 4 nodes and 1 edge
      x[t-1] → y[t]
    """
