"""Distributions of one node given its parents, one file per kind."""

from structlearn.models.cpds.additive_gaussian import AdditiveGaussianCPD
from structlearn.models.cpds.conditional_gaussian import ConditionalGaussianCPD
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.formula import FormulaCPD
from structlearn.models.cpds.linear_gaussian import LinearGaussianCPD
from structlearn.models.cpds.noisy_or import NoisyOrCPD
from structlearn.models.cpds.point import PointCPD
from structlearn.models.cpds.protocol import CPD, Rows, is_cpd
from structlearn.models.cpds.sigmoid import SigmoidCPD
from structlearn.models.cpds.softmax import SoftmaxCPD
from structlearn.models.cpds.table import TableCPD
from structlearn.models.cpds.tree import TreeCPD
from structlearn.models.cpds.tree_gaussian import GaussianTreeCPD
from structlearn.models.cpds.tree_shape import Split

KINDS: tuple[type[CPD], ...] = (
    TableCPD,
    LinearGaussianCPD,
    SoftmaxCPD,
    SigmoidCPD,
    NoisyOrCPD,
    FormulaCPD,
    TreeCPD,
    ConditionalGaussianCPD,
    AdditiveGaussianCPD,
    GaussianTreeCPD,
    PointCPD,
)

CPDS: dict[str, type[CPD]] = {cpd.form: cpd for cpd in KINDS}
"""Every kind of CPD by the name files use for it."""

__all__ = [
    "CPD",
    "CPDS",
    "AdditiveGaussianCPD",
    "ConditionalGaussianCPD",
    "Family",
    "FormulaCPD",
    "GaussianTreeCPD",
    "LinearGaussianCPD",
    "NoisyOrCPD",
    "PointCPD",
    "Rows",
    "SigmoidCPD",
    "SoftmaxCPD",
    "Split",
    "TableCPD",
    "TreeCPD",
    "is_cpd",
]
