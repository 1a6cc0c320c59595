"""Decomposable scores of DAGs; natural logarithms, larger is better."""

from structlearn.scores.bdeu import BDeu
from structlearn.scores.bic import BIC
from structlearn.scores.bic_gaussian import GaussianBIC
from structlearn.scores.families import FamilyScores
from structlearn.scores.protocol import Score
from structlearn.scores.registry import SCORE, SCORE_NAMES, score_for

__all__ = ["BIC", "SCORE", "SCORE_NAMES", "BDeu", "FamilyScores", "GaussianBIC", "Score", "score_for"]
