"""Models of databases: one distribution for all objects of a class."""

from structlearn.models.relational.dependency import Dependency
from structlearn.models.relational.probabilistic_relational_model import ProbabilisticRelationalModel

__all__ = ["Dependency", "ProbabilisticRelationalModel"]
