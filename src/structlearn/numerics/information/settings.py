"""What estimators can be told."""

from dataclasses import dataclass
from typing import Literal, get_args

from structlearn.options import Above, OneOf, OrNone, Rules, Whole

Binning = Literal["frequency", "width"]

RULES: Rules = {
    "binning": OneOf(get_args(Binning), "how continuous columns are cut"),
    "n_bins": OrNone(Whole(2, "the number of bins"), "√(n/5), from 2 to 20"),
    "bandwidth": OrNone(Above(0, "the width of kernels"), "Scott's rule"),
    "n_neighbors": Whole(1, "the neighbour whose distance counts"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How columns are cut, how wide kernels are, how many neighbours count, and the seed that parts ties."""

    binning: Binning = "frequency"
    n_bins: int | None = None
    bandwidth: float | None = None
    n_neighbors: int = 3
    seed: int = 0
