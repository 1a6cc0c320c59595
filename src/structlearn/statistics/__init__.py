"""The only way a learner reads data: contingency counts and moments."""

from structlearn.statistics.gaps import GappedStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.missing import MISSING, Missing, complete_cases, from_dataset
from structlearn.statistics.protocol import Counts, GroupedMoments, Moments, Rows, Statistics, Tables

__all__ = [
    "MISSING",
    "Counts",
    "GappedStatistics",
    "GroupedMoments",
    "MemoryStatistics",
    "Missing",
    "Moments",
    "Rows",
    "Statistics",
    "Tables",
    "complete_cases",
    "from_dataset",
]
