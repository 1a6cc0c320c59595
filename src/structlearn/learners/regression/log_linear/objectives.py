"""What a log-linear model may maximise."""

from math import prod
from typing import Literal

from structlearn.numerics.log_linear.bethe_likelihood import BetheLikelihood
from structlearn.numerics.log_linear.exact_likelihood import ExactLikelihood
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.numerics.log_linear.pseudo_likelihood import PseudoLikelihood
from structlearn.numerics.sparse_optimum import LikelihoodOf

Objective = Literal["exact", "loopy", "pseudo"]
OBJECTIVES: dict[Objective, LikelihoodOf] = {
    "exact": ExactLikelihood,
    "loopy": BetheLikelihood,
    "pseudo": PseudoLikelihood,
}
MOST_STATES = 2**10  # up to here exact inference is quick whatever the graph


def affordable(indicators: Indicators) -> Objective:
    """The likelihood where all states can be summed up quickly; otherwise the pseudo-likelihood."""
    return "exact" if prod(indicators.levels.tolist()) <= MOST_STATES else "pseudo"
