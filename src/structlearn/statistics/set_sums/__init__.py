"""Sums over the cells of the tables of all sets of columns: what scores of all small families are made of."""

from structlearn.statistics.set_sums.choice import set_sums_of
from structlearn.statistics.set_sums.sums import CellTerms, SetSums

__all__ = ["CellTerms", "SetSums", "set_sums_of"]
