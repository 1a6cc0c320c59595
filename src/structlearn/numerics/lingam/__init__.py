"""Orders of columns that noise tells which is not Gaussian (Shimizu et al., 2006 and 2011)."""

from structlearn.numerics.lingam.direct import direct_lingam, direct_order
from structlearn.numerics.lingam.ica import ica_lingam, order_of_unmixing, unmixing
from structlearn.numerics.lingam.linear import LinearOrder, coefficients_along

__all__ = [
    "LinearOrder",
    "coefficients_along",
    "direct_lingam",
    "direct_order",
    "ica_lingam",
    "order_of_unmixing",
    "unmixing",
]
