"""Why two nodes are joined, or are not: what a method found, the graph and the data say, in sentences."""

from structlearn.why.answer import Why, why
from structlearn.why.record import Record

__all__ = ["Record", "Why", "why"]
