"""Options of dependency networks."""

from typing import Literal

from structlearn.learners.option_groups import Limited
from structlearn.learners.regression.penalties.options import FollowsPath
from structlearn.options import Above, Between, Configured, Either, OrNone, Whole, one_of, option

LocalLearner = Literal["tree", "l1"]
PenaltyRule = Literal["ebic", "cv", "cv-1se"]


class ChoosesLearner(Configured):
    """What explains a column by the others."""

    learner: LocalLearner = option(
        one_of(LocalLearner),
        "What explains a column by the others. A tree that tests them, grown by its score; or an "
        "L1-regularised regression, logistic (softmax) for states and linear for measurements.",
        default="tree",
    )


class GrowsTrees(Limited):
    """How trees grow."""

    kappa: float | None = option(
        OrNone(Between(1e-300, 1), "0.01, or one over the columns that a tree may test if these are more"),
        "How much less likely a tree is for each free parameter: one less than the states, or a mean and a "
        "variance, in each leaf.",
        default=None,
    )
    prior_rows: float = option(
        Above(0),
        "The pseudo-rows of each state in every leaf, the α of the Dirichlet prior. It is in the score of a "
        "tree and in the probabilities of its leaves, none of which is 0.",
        default=1.0,
    )
    min_rows: float = option(Above(0), "The fewest rows of a leaf.", default=5.0)
    max_depth: int | None = option(
        OrNone(Whole(0), "no limit"), "The most tests on the way to a leaf.", default=None
    )


class Regresses(FollowsPath):
    """How regressions are penalised."""

    penalty: PenaltyRule | float = option(
        Either((one_of(PenaltyRule), Above(0))),
        'What multiplies the absolute weights of a regression, or how to find it for each column. "ebic" is '
        'the extended BIC of the refitted regression, "cv" the least loss in ten folds and "cv-1se" the '
        "largest penalty within one standard error of it.",
        default="ebic",
    )
