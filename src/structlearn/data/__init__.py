"""Tables as columns of codes or numbers, and what is known beforehand."""

from structlearn.data.columns import Column, ContinuousColumn, DiscreteColumn, Kind, Label
from structlearn.data.dataset import Dataset
from structlearn.data.knowledge import Knowledge
from structlearn.data.oracle import Oracle

__all__ = [
    "Column",
    "ContinuousColumn",
    "Dataset",
    "DiscreteColumn",
    "Kind",
    "Knowledge",
    "Label",
    "Oracle",
]
