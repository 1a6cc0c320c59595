"""Decomposable graphs, clique by clique."""
