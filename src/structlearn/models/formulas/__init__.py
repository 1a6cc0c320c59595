"""Probability formulas: a language for the probability of a node, or of a relation between objects.

References
----------
.. [1] M. Jaeger. Relational Bayesian networks. Proceedings of UAI, 1997.
"""

from structlearn.models.formulas.combinations import (
    COMBINATIONS,
    Combination,
    Max,
    Mean,
    Min,
    NoisyAnd,
    NoisyOr,
)
from structlearn.models.formulas.conditions import Different, Same
from structlearn.models.formulas.terms import Atom, Choice, Constant, Formula, Parameter

__all__ = [
    "COMBINATIONS",
    "Atom",
    "Choice",
    "Combination",
    "Constant",
    "Different",
    "Formula",
    "Max",
    "Mean",
    "Min",
    "NoisyAnd",
    "NoisyOr",
    "Parameter",
    "Same",
]
