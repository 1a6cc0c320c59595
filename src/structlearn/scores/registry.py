"""Scores by name, and which of them fits the columns at hand."""

from collections.abc import Callable, Mapping

from structlearn.data import Kind
from structlearn.errors import DataError, OptionError
from structlearn.options import Either, Instance, OneOf
from structlearn.scores.bdeu import BDeu
from structlearn.scores.bic import BIC
from structlearn.scores.bic_gaussian import GaussianBIC
from structlearn.scores.protocol import Score
from structlearn.statistics import Statistics
from structlearn.statistics.kind import only_kind

BY_NAME: Mapping[str, Mapping[Kind, Callable[[], Score]]] = {
    "bic": {"discrete": BIC, "continuous": GaussianBIC},
    "bdeu": {"discrete": BDeu},
}
SCORE_NAMES = tuple(BY_NAME)
SCORE = Either((OneOf(SCORE_NAMES, ""), Instance(Score, "")), "what to maximise")


def score_for(owner: str, score: str | Score, statistics: Statistics) -> Score:
    """The score of that name for columns of this kind, or the score given."""
    kind = only_kind(owner, statistics, "score")
    if isinstance(score, str):
        if score not in BY_NAME:
            raise OptionError(f"{owner}: there is no score {score!r}; choose {SCORE.allowed}.")
        if kind in BY_NAME[score]:
            return BY_NAME[score][kind]()
        suited = ", ".join(repr(name) for name, kinds in BY_NAME.items() if kind in kinds)
        raise DataError(f"{owner}: the score {score!r} has no form for {kind} columns; use {suited}.")
    takes = getattr(score, "takes", kind)
    if takes != kind:
        raise DataError(f"{owner}: {score!r} takes {takes} columns, and these are {kind}.")
    return score
