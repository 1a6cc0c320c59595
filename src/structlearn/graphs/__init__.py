"""Graphs, what separates and what is equivalent in them, and how far one is from another."""

from structlearn.graphs.compare import Comparison
from structlearn.graphs.edge import Edge
from structlearn.graphs.graph import Graph

__all__ = ["Comparison", "Edge", "Graph"]
