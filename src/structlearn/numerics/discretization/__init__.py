"""Cutting continuous columns into bins, each by itself or with an eye on the others."""

from structlearn.numerics.discretization.discretize import discretize

__all__ = ["discretize"]
