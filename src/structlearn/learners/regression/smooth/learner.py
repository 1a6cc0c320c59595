"""What methods have in common that optimise the effects of all columns at once."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf, nan
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.regression.smooth.problem import Floats, SmoothProblem
from structlearn.numerics.acyclic import without_cycles
from structlearn.numerics.acyclicity import exponential
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.dag_effects import effects_of, in_units
from structlearn.numerics.varsortability import varsortability
from structlearn.options import Between, Flag, one_of, option, result
from structlearn.outcome import Outcome
from structlearn.run import MustStop, OutOfTime, Run
from structlearn.search.space import Space
from structlearn.statistics.units import log_units

LossName = Literal["least-squares", "equal-variances", "own-variances"]
SORTABLE = 0.75  # the share of paths to columns of larger variance, above which the variances explain a DAG
SMOOTH = {
    "coefficients_": "coefficients_ : array\n"
    "    The linear effects along the DAG by least squares: row i has those on column i.",
    "optimum_": "optimum_ : array\n    The weights before small ones were dropped, in the same places.",
    "penalty_": "penalty_ : float\n    The penalty that was used.",
    "loss_": "loss_ : float\n    The loss at the optimum, without the penalty; NaN where time was up before.",
    "cyclicity_": "cyclicity_ : float\n    What is left of cycles there, tr exp(W ∘ W) − p, or NaN.",
    "varsortability_": "varsortability_ : float\n"
    "    The share of the DAG's paths that lead to a column of larger variance: near 1, the order by "
    "variance alone explains it; near ½, it says nothing.",
}


class SmoothSearch(DAGSearch):
    """A learner that optimises weights without cycles; subclasses say how in `_optimum`."""

    only: ClassVar[Kind] = "continuous"
    refuses_targets = "the loss is that of all rows. Use BOSS or HillClimbing."
    attributes: ClassVar[Mapping[str, str]] = {**SMOOTH, **DAGSearch.attributes}
    least_penalty: ClassVar[float]
    threshold: float = option(
        Between(0, inf),
        "How large a weight must be to make an arc, in standard deviations, or in units of the columns "
        "without `standardise`.",
        default=0.3,
    )
    standardise: bool = option(
        Flag(),
        "Whether columns are divided by their standard deviations. If not, variances decide directions, and "
        "a warning says where they explain the result.",
        default=True,
    )
    loss: LossName = option(
        one_of(LossName),
        "What is minimised. Squares that are left, or minus the likelihood of Gaussian noise, of one "
        "variance or of one for each column.",
        default="least-squares",
    )
    coefficients_: Floats = result()
    optimum_: Floats = result()
    cyclicity_: float = result()
    loss_: float = result()
    penalty_: float = result()
    varsortability_: float = result()

    def _optimum(self, problem: SmoothProblem, run: Run) -> tuple[Floats, dict[str, list[float]]]:
        raise NotImplementedError

    def _search(self, space: Space) -> Outcome:
        problem = SmoothProblem.of(
            space,
            penalty=self._option("penalty"),
            least=self.least_penalty,
            standardise=self.standardise,
            loss=self.loss,
        )
        with threads_for(space.n_nodes), np.errstate(all="ignore"):  # what overflows is not taken
            weights, trace = self._optimum(problem, space.run)
        kept = np.where((np.abs(weights) >= self.threshold) & problem.is_open, weights, 0.0)
        kept = without_cycles(kept.T, problem.required.T, space.run.must_stop)
        parents = [np.flatnonzero(row).tolist() for row in (kept != 0.0) | problem.required.T]
        return self._described(space, problem, weights, parents, trace)

    def _described(
        self,
        space: Space,
        problem: SmoothProblem,
        weights: Floats,
        parents: list[list[int]],
        trace: Mapping[str, list[float]],
    ) -> Outcome:
        moments = space.statistics.moments()
        units = log_units(space.statistics)
        is_arc = np.zeros(weights.shape, dtype=np.bool_)
        for child, members in enumerate(parents):
            is_arc[members, child] = True
        sortable = varsortability(is_arc, units + _half_logs(np.diag(moments.covariance)))
        if not self.standardise and sortable > SORTABLE:
            space.run.warn(
                f"{sortable:.0%} of the paths lead to a column that varies more, so that the order of the "
                "variances alone explains the graph. Unless units are part of the model, standardise=True "
                "says what is left without them."
            )
        found: dict[str, NDArray[np.float64]] = {name: np.array(values) for name, values in trace.items()}
        outcome = space.outcome(
            parents,
            found,
            penalty=problem.penalty,
            loss=_in_time(problem.at, weights, space.run),
            cyclicity=_in_time(exponential, weights, space.run),
            varsortability=sortable,
        )
        effects = in_units(effects_of(moments, parents), units)
        return replace(outcome, by_pair={"coefficients": effects, "optimum": weights.T})


def _in_time(measure: Callable[[Floats, MustStop], tuple[float, Floats]], weights: Floats, run: Run) -> float:
    try:
        return measure(weights, run.must_stop)[0]
    except OutOfTime:
        return nan


def _half_logs(variances: Floats) -> Floats:
    """Of standard deviations, which in other units could be more than a number can be."""
    return 0.5 * np.log(np.maximum(variances, np.finfo(np.float64).tiny))
