"""DAGMA: effects by smooth optimisation inside of a barrier against cycles."""

from math import inf
from typing import ClassVar

from structlearn.learners.regression.smooth.central_path import SCALES, SHARES, central_path
from structlearn.learners.regression.smooth.learner import SmoothSearch
from structlearn.learners.regression.smooth.problem import Floats, SmoothProblem
from structlearn.options import Between, OrNone, option
from structlearn.run import Run


class DAGMA(SmoothSearch):
    """Minimise what effects leave of the columns behind a barrier against cycles, which takes over."""

    least_penalty = 0.03
    penalty: float | None = option(
        OrNone(Between(0, inf), "0.03, or √(2 ln p / n) where rows are few"),
        "What a weight costs, times its size. As of the lasso.",
        default=None,
    )

    def _optimum(self, problem: SmoothProblem, run: Run) -> tuple[Floats, dict[str, list[float]]]:
        return central_path(problem, SHARES, SCALES, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    trace_ : dict of arrays
        Stage by stage: "share" of the loss beside the barrier, "cyclicity", the barrier, and the "loss".

    Notes
    -----
    −ln det(sI − W ∘ W) + p ln s is 0 for DAGs alone, and infinite where cycles grow too strong [1]_. The loss
    ½ E|x − Wᵀx|² + λ Σ|w|, in shares of 1, 0.1, 0.01 and 0.001, is added to it with s = 1, 0.9, 0.8 and 0.7;
    each stage begins where the last one ended, the first at 0. Steps are proximal gradients of spectral
    length in place of Adam: weights are exactly 0, and no rate is to be chosen. Small weights and what is
    left of cycles are dropped as by `NOTEARS`.

    As for `NOTEARS`, units decide directions [2]_: without them least squares has little reason to prefer
    one, so believe the skeleton rather than the arrows.

    References
    ----------
    .. [1] Bello, Aragam and Ravikumar (2022), DAGMA: learning DAGs via M-matrices and a log-determinant
       acyclicity characterization, NeurIPS.
    .. [2] Reisach, Seiler and Weichwald (2021), Beware of the simulated DAG! Causal discovery benchmarks may
       be easy to game, NeurIPS.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> x, of_y = rng.normal(size=(2, 500))
    >>> print(sl.DAGMA().fit({"x": x, "y": 2 * x + of_y}).graph_)
    Graph with 2 nodes and 1 edge
      x → y
    """
