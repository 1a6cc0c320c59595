"""Tests of conditional independence."""

from structlearn.independence.contingency import G2, Chi2
from structlearn.independence.fisher_z import FisherZ
from structlearn.independence.protocol import Answers, IndependenceTest, Questions
from structlearn.independence.registry import TEST, TEST_NAMES, test_for
from structlearn.independence.separation_oracle import SeparationOracle

__all__ = [
    "G2",
    "TEST",
    "TEST_NAMES",
    "Answers",
    "Chi2",
    "FisherZ",
    "IndependenceTest",
    "Questions",
    "SeparationOracle",
    "test_for",
]
