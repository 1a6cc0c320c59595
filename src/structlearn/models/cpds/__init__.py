"""Distributions of one node given its parents, one file per kind."""

from structlearn.models.cpds.family import Family
from structlearn.models.cpds.linear_gaussian import LinearGaussianCPD
from structlearn.models.cpds.protocol import CPD, Rows
from structlearn.models.cpds.table import TableCPD

CPDS: dict[str, type[CPD]] = {cpd.form: cpd for cpd in (TableCPD, LinearGaussianCPD)}
"""Every kind of CPD by the name files use for it."""

__all__ = ["CPD", "CPDS", "Family", "LinearGaussianCPD", "Rows", "TableCPD"]
