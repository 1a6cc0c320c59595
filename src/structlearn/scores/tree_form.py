"""The distribution that a search gives each family: a table or a tree."""

from typing import Literal

from structlearn.errors import DataError, OptionError
from structlearn.options import OneOf
from structlearn.scores.protocol import Score
from structlearn.scores.registry import score_for
from structlearn.scores.tree import TreeScore
from structlearn.scores.tree_growth import TREE_SCORES, can_grow_by
from structlearn.statistics import Statistics

CPDForm = Literal["table", "tree"]
CPD_FORM = OneOf(("table", "tree"), "the distribution that families are scored with")


def score_of_form(owner: str, score: str | Score, cpd: CPDForm, statistics: Statistics) -> Score:
    """The score for columns of these kinds, of tables or of the trees in their place."""
    if cpd == "tree" and "continuous" in statistics.kinds:
        name = statistics.names[statistics.kinds.index("continuous")]
        raise DataError(
            f'{owner}(cpd="tree"): the trees of a search take discrete columns, and {name!r} is continuous. '
            'Cut it into categories, or leave cpd="table".'
        )
    found = score_for(owner, score, statistics)
    if cpd == "table" or isinstance(found, TreeScore):
        return found
    if can_grow_by(found):
        return TreeScore(found)
    raise OptionError(
        f'{owner}(cpd="tree"): a tree cannot grow by the score {score!r}; use one of '
        f"{', '.join(map(repr, TREE_SCORES))}."
    )
