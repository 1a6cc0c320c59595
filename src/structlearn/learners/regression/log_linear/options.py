"""Options of models whose features come in one after the other."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.option_groups import Seeded
from structlearn.learners.regression.log_linear.conjunctions import Conjunctions
from structlearn.learners.regression.log_linear.feature_induction import FeatureInduction, Induction
from structlearn.learners.regression.log_linear.objectives import OBJECTIVES, Objective
from structlearn.learners.regression.log_linear.path import largest_penalty, predictive_penalty
from structlearn.learners.regression.penalties.options import FollowsPath, KeepsLevel
from structlearn.learners.regression.penalties.path import warn_of_the_end
from structlearn.learners.regression.penalties.theory import slope_penalty
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.options import Above, Configured, Either, OneOf, OrNone, Whole, one_of, option, result
from structlearn.run import Run


class InducesFeatures(Configured):
    """What is maximised, which features may come in, and how."""

    objective: Objective | None = option(
        OrNone(one_of(Objective), "by the number of states"),
        "What to maximise. The likelihood, its approximation by loopy belief propagation, or the "
        "pseudo-likelihood. By default the likelihood where all columns together have no more than 1024 "
        "states, otherwise the pseudo-likelihood.",
        default=None,
    )
    induction: Induction = option(
        one_of(Induction),
        "How features come in. That of steepest slope, or that of largest gain, until none helps; or all at "
        "once. The optimum is the same.",
        default="grafting",
    )
    candidates: Literal["all", "grown"] = option(
        OneOf(("all", "grown")),
        "Which features may come in. Every conjunction of up to `max_order` columns, so that three columns "
        "of which no two depend on each other are found too; or every pair, and every feature already there "
        "with one more column.",
        default="all",
    )
    max_order: int = option(Whole(1), "The most columns of a feature.", default=2)
    at_once: int = option(
        Whole(1),
        "How many features to add at a time, the best of those that help. What turns out not to be needed "
        "leaves again.",
        default=10,
    )

    def _search(
        self, indicators: Indicators, forbidden: NDArray[np.bool_], objective: Objective, run: Run
    ) -> FeatureInduction:
        """The search for features, with a penalty that lets none in."""
        conjunctions = Conjunctions(indicators, forbidden, max_order=self.max_order)
        every = conjunctions.all() if self.candidates == "all" else None
        return FeatureInduction(
            indicators=indicators,
            likelihood_of=OBJECTIVES[objective],
            candidates=conjunctions.around if every is None else lambda _: every,
            width=self.max_order,
            penalty=np.inf,
            at_once=self.at_once,
            run=run,
        )


class PricesFeatures(InducesFeatures, KeepsLevel, FollowsPath, Seeded):
    """What a feature costs."""

    penalty: Literal["theory", "cv"] | float = option(
        Either((OneOf(("theory", "cv")), Above(0))),
        "The price of a unit of weight, or how to find it. It is paid against the log-likelihood of all "
        'rows, for features of two columns or more. "theory" is √n / 4 times the normal quantile at which, '
        "were all columns independent, any of the candidates would come in with a probability of about "
        '`alpha` at most; twice that for the pseudo-likelihood, which counts each pair twice. "cv" predicts'
        " best in five folds, by the objective; it finds more edges than there are.",
        default="theory",
    )
    n_penalties = 20
    smallest_share = 0.02
    penalty_: float = result()

    def _penalty(
        self, search: FeatureInduction, objective: Objective
    ) -> tuple[float, dict[str, NDArray[Any]] | None]:
        """The penalty per row, and the path that led to it."""
        size = search.indicators.size
        if self.penalty == "theory":
            n_candidates = len(search.candidates(search.indicators.singletons(self.max_order)))
            n_counted = 2.0 if objective == "pseudo" else 1.0
            return n_counted * slope_penalty(size, n_candidates, self.alpha), None
        if self.penalty != "cv":
            return float(self.penalty) / size, None
        penalties = self._path_from(largest_penalty(search))
        generator = np.random.default_rng(self.random_state)
        found = predictive_penalty(search, penalties, self.induction, generator)
        warn_of_the_end(search.run, found.choice.places, len(penalties))
        return found.penalty, found.path
