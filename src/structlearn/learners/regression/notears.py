"""NOTEARS: effects by smooth optimisation, with a smooth measure of cycles brought to 0."""

from math import inf
from typing import ClassVar

from structlearn.learners.regression.smooth.lagrangian import CLOSE_TO_ACYCLIC, augmented_lagrangian
from structlearn.learners.regression.smooth.learner import SmoothSearch
from structlearn.learners.regression.smooth.problem import Floats, SmoothProblem
from structlearn.numerics.acyclicity import exponential, polynomial
from structlearn.options import Above, Between, OneOf, OrNone, option
from structlearn.run import Run

CYCLES = {"exponential": exponential, "polynomial": polynomial}


class NOTEARS(SmoothSearch):
    """Minimise what effects leave of the columns, while a price on cycles grows until there are none."""

    work_is_known = False
    least_penalty = 0.1
    penalty: float | None = option(
        OrNone(Between(0, inf), "0.1, or √(2 ln p / n) where rows are few"),
        "What a weight costs, times its size. As of the lasso.",
        default=None,
    )
    cycles: str = option(
        OneOf(tuple(CYCLES)),
        "How cycles are measured. By closed walks of all lengths, or of as many steps as there are columns.",
        default="exponential",
    )
    tolerance: float = option(
        Above(0), "How small the measure of cycles must be to end.", default=CLOSE_TO_ACYCLIC
    )

    def _optimum(self, problem: SmoothProblem, run: Run) -> tuple[Floats, dict[str, list[float]]]:
        return augmented_lagrangian(problem, CYCLES[self.cycles], self.tolerance, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    trace_ : dict of arrays
        Round by round: "cyclicity", the measure of cycles, the "loss", and the "price" of cycles.

    Notes
    -----
    tr exp(W ∘ W) − p is 0 for DAGs alone, and smooth: the loss ½ E|x − Wᵀx|² + λ Σ|w| is minimised under this
    constraint by an augmented Lagrangian and L-BFGS-B [1]_. It ends at a local optimum, which need not be
    that of the best DAG. What is left of weights below `threshold` is dropped, then the smallest weight on a
    cycle as long as there is one, so that the graph is a DAG.

    On simulated columns in their own units, least squares reads the variances: causes vary less than effects
    there, and sorting by variance does as well [2]_. So columns are standardised by default, and then least
    squares has little reason to prefer a direction: believe the skeleton rather than the arrows. Without, a
    warning says where `varsortability_` of the result is above 0.75. Arcs cost a thousandth more against the
    order of the names, which settles ties. Only the covariance of the columns is used.

    References
    ----------
    .. [1] Zheng, Aragam, Ravikumar and Xing (2018), DAGs with NO TEARS: continuous optimization for structure
       learning, NeurIPS.
    .. [2] Reisach, Seiler and Weichwald (2021), Beware of the simulated DAG! Causal discovery benchmarks may
       be easy to game, NeurIPS.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> x, of_y = rng.normal(size=(2, 500))
    >>> print(sl.NOTEARS().fit({"x": x, "y": 2 * x + of_y}).graph_)
    Graph with 2 nodes and 1 edge
      x → y
    """
