"""Graphs with distributions: fit, sample, log-likelihood."""

from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import (
    CPD,
    AdditiveGaussianCPD,
    ConditionalGaussianCPD,
    FormulaCPD,
    GaussianTreeCPD,
    LinearGaussianCPD,
    NoisyOrCPD,
    PointCPD,
    SigmoidCPD,
    SoftmaxCPD,
    Split,
    TableCPD,
    TreeCPD,
)
from structlearn.models.dependency_model import DependencyModel
from structlearn.models.relational_formulas import fit_shared, ground

__all__ = [
    "CPD",
    "AdditiveGaussianCPD",
    "BayesianNetwork",
    "ConditionalGaussianCPD",
    "DependencyModel",
    "FormulaCPD",
    "GaussianTreeCPD",
    "LinearGaussianCPD",
    "NoisyOrCPD",
    "PointCPD",
    "SigmoidCPD",
    "SoftmaxCPD",
    "Split",
    "TableCPD",
    "TreeCPD",
    "fit_shared",
    "ground",
]
