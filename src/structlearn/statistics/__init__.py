"""The only way a learner reads data: contingency counts and moments."""

from structlearn.statistics.adtree import ADTreeStatistics
from structlearn.statistics.gaps import GappedStatistics
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.missing import (
    COUNTING,
    MISSING,
    Counting,
    Missing,
    complete_cases,
    from_dataset,
)
from structlearn.statistics.protocol import Counts, GroupedMoments, Moments, Rows, Statistics, Tables

__all__ = [
    "COUNTING",
    "MISSING",
    "ADTreeStatistics",
    "Counting",
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
