"""Similarity of columns: how it is measured, how much is enough, and the tree of clusters."""
