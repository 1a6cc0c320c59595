"""Scores by name, and which of them fits the columns at hand."""

from collections.abc import Callable, Mapping

from structlearn.errors import DataError, OptionError
from structlearn.naming import meant
from structlearn.options import Either, Instance, OneOf, check_options
from structlearn.scores.available_rows import PNAL
from structlearn.scores.bde import BDe
from structlearn.scores.bge import BGe
from structlearn.scores.dirichlet import BDJ, K2, BDeu, BDs
from structlearn.scores.extended import EBIC, ConditionalGaussianEBIC, GaussianEBIC
from structlearn.scores.laplace import GaussianLaplace, Laplace
from structlearn.scores.mdl import MDL
from structlearn.scores.mixed_likelihoods import Mixtures
from structlearn.scores.penalised import (
    AIC,
    BIC,
    ConditionalGaussianAIC,
    ConditionalGaussianBIC,
    ConditionalGaussianLogLikelihood,
    GaussianAIC,
    GaussianBIC,
    GaussianLogLikelihood,
    LogLikelihood,
)
from structlearn.scores.protocol import Score
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import Sort, both_kinds, sort_of

BY_NAME: Mapping[str, Mapping[Sort, Callable[[], Score]]] = {
    "bic": {"discrete": BIC, "continuous": GaussianBIC, "mixed": ConditionalGaussianBIC},
    "ebic": {"discrete": EBIC, "continuous": GaussianEBIC, "mixed": ConditionalGaussianEBIC},
    "bdeu": {"discrete": BDeu},
    "bic-g": {"continuous": GaussianBIC},
    "bic-cg": dict.fromkeys(Mixtures.takes, ConditionalGaussianBIC),
    "loglik": {
        "discrete": LogLikelihood,
        "continuous": GaussianLogLikelihood,
        "mixed": ConditionalGaussianLogLikelihood,
    },
    "aic": {"discrete": AIC, "continuous": GaussianAIC, "mixed": ConditionalGaussianAIC},
    "mdl": {"discrete": MDL},
    "bde": {"discrete": BDe},
    "bds": {"discrete": BDs},
    "bdj": {"discrete": BDJ},
    "k2": {"discrete": K2},
    "bge": {"continuous": BGe},
    "pnal": {"discrete": PNAL, "continuous": PNAL},
    "laplace": {"discrete": Laplace, "continuous": GaussianLaplace},
}
SCORE_NAMES = tuple(BY_NAME)
SCORE = Either((OneOf(SCORE_NAMES, ""), Instance(Score, "")), "what to maximise")


def score_for(owner: str, score: str | Score, statistics: Statistics) -> Score:
    """The score of that name for columns of these kinds, or the score given."""
    sort = sort_of(statistics)
    if isinstance(score, str):
        return _named(owner, score, sort, statistics)
    check_options(owner, {"score": SCORE}, {"score": score})
    takes = getattr(score, "takes", sort)
    if sort in ((takes,) if isinstance(takes, str) else takes):
        return score
    allowed = takes if isinstance(takes, str) else ", ".join(takes)
    raise DataError(
        f"{owner}: {score!r} takes {allowed} columns, and this table has {_described(statistics)}."
    )


def _named(owner: str, name: str, sort: Sort, statistics: Statistics) -> Score:
    if name not in BY_NAME:
        raise OptionError(
            f"{owner}: there is no score {name!r}{meant(name, BY_NAME)}; choose {SCORE.allowed}."
        )
    if sort in BY_NAME[name]:
        return BY_NAME[name][sort]()
    suited = ", ".join(repr(other) for other, sorts in BY_NAME.items() if sort in sorts)
    raise DataError(f"{owner}: the score {name!r} has no form for {_described(statistics)}; use {suited}.")


def _described(statistics: Statistics) -> str:
    sort = sort_of(statistics)
    return f"columns of two kinds, {both_kinds(statistics)}" if sort == "mixed" else f"{sort} columns"
