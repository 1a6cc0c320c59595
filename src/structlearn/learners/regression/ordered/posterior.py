"""What is thought of regressions beforehand, and what is taken of their posterior."""

from typing import Literal

import numpy as np

from structlearn.learners.regression.ordered.estimates import (
    OrderEstimate,
    best_point,
    drawn,
    estimate_by_draws,
    estimate_by_mode,
    follow_penalties,
)
from structlearn.learners.regression.ordered.fits import OrderProblem
from structlearn.learners.regression.penalties.options import CountsColumns, FollowsPath
from structlearn.options import Above, Between, Either, Flag, OneOf, Whole, one_of, option
from structlearn.run import Run

Mode = Literal["map", "jeffreys", "gibbs"]


class PosteriorOfRegressions(CountsColumns, FollowsPath):
    """The prior of each regression of an order, and how its posterior is summed up."""

    mode: Mode = option(
        one_of(Mode),
        "What to take of the posterior. The most probable regressions; those under a prior without a "
        "penalty [2]_; or the mean over draws.",
        default="map",
    )
    penalty: float | Literal["ebic"] = option(
        Either((Above(0), OneOf(("ebic",)))),
        "The λ of the prior of coefficients. By default what minimises the extended BIC of the regressions,"
        " without shrinkage, on the columns that it chooses.",
        default="ebic",
    )
    degrees: float = option(Above(0), "The prior's degrees of freedom, δ.", default=3.0)
    scale: float = option(Above(0), "The prior's scale θ₀, for columns of variance 1.", default=1.0)
    threshold: float = option(
        Between(0, 1),
        "The largest partial correlation that is no edge. A common child makes small ones of its parents'.",
        default=0.1,
    )
    n_samples: int = option(Whole(1), 'How many draws to take, for "gibbs".', default=1000)
    burn_in: int = option(Whole(0), 'How many draws to leave out before, for "gibbs".', default=200)
    keep_samples: bool = option(
        Flag(), 'Whether to keep the precision matrix of each draw, for "gibbs".', default=False
    )
    smallest_share = 1e-4

    def _estimate(self, problem: OrderProblem, generator: np.random.Generator, run: Run) -> OrderEstimate:
        """What the regressions of one order say of the precision matrix."""
        if self.mode == "jeffreys":
            return estimate_by_mode(problem, problem.adaptive(), [], None)
        penalties = (
            self._path_from(problem.largest_penalty())
            if self.penalty == "ebic"
            else np.array([float(self.penalty)])
        )
        path = follow_penalties(problem, penalties, run=run)
        chosen = best_point(path)
        if self.mode == "map":
            return estimate_by_mode(problem, chosen.fit, path, chosen.penalty)
        draws = drawn(problem, chosen.penalty, generator, burn_in=self.burn_in, n_samples=self.n_samples)
        return estimate_by_draws(
            problem, path, draws, threshold=self.threshold, keep=self.keep_samples, run=run
        )
