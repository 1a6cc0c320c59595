"""Decomposable scores of DAGs; natural logarithms, larger is better."""

from structlearn.scores.available_rows import PNAL
from structlearn.scores.bde import BDe, JointTable, PriorDistribution
from structlearn.scores.bge import BGe
from structlearn.scores.checked import checked_scores
from structlearn.scores.dirichlet import BDJ, K2, BDeu, BDs
from structlearn.scores.extended import (
    EBIC,
    ConditionalGaussianEBIC,
    Extended,
    GaussianEBIC,
    arc_prices,
    is_wide,
)
from structlearn.scores.families import FamilyScores
from structlearn.scores.interventional import Shifted
from structlearn.scores.laplace import GaussianLaplace, Laplace
from structlearn.scores.mdl import MDL
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
    Penalised,
)
from structlearn.scores.protocol import Score, is_equivalent_on
from structlearn.scores.registry import SCORE, SCORE_NAMES, score_for
from structlearn.scores.structure_priors import NearGraph, ShortCode, UniformPrior, WithStructurePrior
from structlearn.scores.tree import TreeScore
from structlearn.scores.tree_form import CPD_FORM, CPDForm, score_of_form
from structlearn.scores.variances_by_chance import (
    VariancesByChance,
    prices_of_rare_states,
    prices_of_tails,
)

__all__ = [
    "AIC",
    "BDJ",
    "BIC",
    "CPD_FORM",
    "EBIC",
    "K2",
    "MDL",
    "PNAL",
    "SCORE",
    "SCORE_NAMES",
    "BDe",
    "BDeu",
    "BDs",
    "BGe",
    "CPDForm",
    "ConditionalGaussianAIC",
    "ConditionalGaussianBIC",
    "ConditionalGaussianEBIC",
    "ConditionalGaussianLogLikelihood",
    "Extended",
    "FamilyScores",
    "GaussianAIC",
    "GaussianBIC",
    "GaussianEBIC",
    "GaussianLaplace",
    "GaussianLogLikelihood",
    "JointTable",
    "Laplace",
    "LogLikelihood",
    "NearGraph",
    "Penalised",
    "PriorDistribution",
    "Score",
    "Shifted",
    "ShortCode",
    "TreeScore",
    "UniformPrior",
    "VariancesByChance",
    "WithStructurePrior",
    "arc_prices",
    "checked_scores",
    "is_equivalent_on",
    "is_wide",
    "prices_of_rare_states",
    "prices_of_tails",
    "score_for",
    "score_of_form",
]
