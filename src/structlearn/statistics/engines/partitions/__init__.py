"""Tables in many parts, each with a worker of its own: what a worker does, and how answers are added up."""

from structlearn.statistics.engines.partitions.engine import PartitionedEngine

__all__ = ["PartitionedEngine"]
