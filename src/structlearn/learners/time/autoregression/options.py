"""The options of sparse vector autoregression."""

from math import inf
from typing import Literal

from structlearn.numerics.multiplicity import CORRECTIONS, Correction
from structlearn.options import Above, Between, Configured, Flag, OneOf, OrNone, Whole, one_of, option

Selection = Literal[
    "group-lasso", "lasso", "sparse-group-lasso", "hierarchical-lasso", "granger", "bivariate-granger"
]
Criterion = Literal["ebic", "forward"]


class SelectionOptions(Configured):
    """Which lags are kept."""

    method: Selection = option(
        one_of(Selection),
        "How sources are chosen. A penalty on all lags of a source together, on each lag by itself, on both, "
        "or on lags of which later ones are in only with those before; or an F test of each source beside "
        "all others (Granger), or beside the own past of the target alone.",
        default="group-lasso",
    )
    penalty: float | None = option(
        OrNone(Above(0), "by the extended BIC, for each variable"),
        "The price of a source, for columns in units of their standard deviation.",
        default=None,
    )
    criterion: Criterion = option(
        one_of(Criterion),
        "What chooses the penalty of each variable. The extended BIC, or forecasts: what is kept of the "
        "first rows predicts those behind them, and the largest penalty is taken that is worse than the best "
        "by no more than a standard error.",
        default="ebic",
    )
    gamma: float | None = option(
        OrNone(Between(0, 1), "½, and 1 with fewer rows than lagged columns"),
        "How much the extended BIC minds the number of possible sources.",
        default=None,
    )
    n_penalties: int = option(Whole(2), "How many penalties are tried.", default=20)
    own_lags_free: bool = option(
        Flag(), "Whether the own past of a variable is in without a penalty.", default=False
    )
    intercept: bool = option(
        Flag(), "Whether regressions have a constant; without, values are taken to be about 0.", default=True
    )
    ridge: float = option(
        Between(0, inf),
        "How much the coefficients of what is kept are shrunk: what is added to the variance of each column, "
        "in units of its standard deviation. What is kept does not depend on it.",
        default=0.0,
    )
    robust: bool = option(
        Flag(),
        "Whether Granger's tests allow for errors that vary, and follow each other for a while (Newey and "
        "West).",
        default=False,
    )
    alpha: float = option(Between(0, 1), "Of Granger's tests, the level.", default=0.05)
    correction: Correction = option(
        OneOf(CORRECTIONS),
        "Of Granger's tests, what the level is of: each test, all discoveries, or any false one.",
        default="bh",
    )
