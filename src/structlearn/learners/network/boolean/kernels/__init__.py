"""Kernels of Boolean networks."""
