"""The only way a learner reads data: contingency counts and moments."""

from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.protocol import Counts, Moments, Statistics, Tables

__all__ = ["Counts", "MemoryStatistics", "Moments", "Statistics", "Tables", "from_dataset"]

from_dataset = MemoryStatistics
