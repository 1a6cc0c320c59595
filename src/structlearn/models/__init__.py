"""Graphs with distributions: fit, sample, log-likelihood."""

from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import CPD, LinearGaussianCPD, TableCPD

__all__ = ["CPD", "BayesianNetwork", "LinearGaussianCPD", "TableCPD"]
