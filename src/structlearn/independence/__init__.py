"""Tests of conditional independence."""

from typing import TYPE_CHECKING

from structlearn.independence.from_function import PairwiseTest, from_function
from structlearn.later import names_of

if TYPE_CHECKING:
    from structlearn.independence.chi2 import Chi2
    from structlearn.independence.conditional_gaussian import ConditionalGaussian
    from structlearn.independence.distance_correlation import DistanceCorrelation
    from structlearn.independence.effective_z import EffectiveZ
    from structlearn.independence.exact_t import ExactT
    from structlearn.independence.fisher_z import FisherZ
    from structlearn.independence.g2 import G2
    from structlearn.independence.gcm import GCM
    from structlearn.independence.kci import KCI
    from structlearn.independence.mutual_information import MutualInformation
    from structlearn.independence.permutation import Permutation
    from structlearn.independence.projection_correlation import ProjectionCorrelation
    from structlearn.independence.protocol import Answers, IndependenceTest, Questions
    from structlearn.independence.rcot import RCoT
    from structlearn.independence.registry import TEST, TEST_NAMES, test_for
    from structlearn.independence.separation_oracle import SeparationOracle
    from structlearn.independence.single_test import TestResult, test_independence

__all__ = [
    "G2",
    "GCM",
    "KCI",
    "TEST",
    "TEST_NAMES",
    "Answers",
    "Chi2",
    "ConditionalGaussian",
    "DistanceCorrelation",
    "EffectiveZ",
    "ExactT",
    "FisherZ",
    "IndependenceTest",
    "MutualInformation",
    "PairwiseTest",
    "Permutation",
    "ProjectionCorrelation",
    "Questions",
    "RCoT",
    "SeparationOracle",
    "TestResult",
    "from_function",
    "test_for",
    "test_independence",
]

__getattr__ = names_of(
    __name__,
    {
        "chi2": "Chi2",
        "conditional_gaussian": "ConditionalGaussian",
        "distance_correlation": "DistanceCorrelation",
        "effective_z": "EffectiveZ",
        "exact_t": "ExactT",
        "fisher_z": "FisherZ",
        "g2": "G2",
        "gcm": "GCM",
        "kci": "KCI",
        "mutual_information": "MutualInformation",
        "permutation": "Permutation",
        "projection_correlation": "ProjectionCorrelation",
        "protocol": "Answers IndependenceTest Questions",
        "rcot": "RCoT",
        "registry": "TEST TEST_NAMES test_for",
        "separation_oracle": "SeparationOracle",
        "single_test": "TestResult test_independence",
    },
)


def __dir__() -> list[str]:
    return __all__
