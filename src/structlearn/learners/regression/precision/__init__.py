"""Sparse precision matrices along a path of penalties."""
