"""How many bits a set of links must bring more than."""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.run import Run
from structlearn.scores.extended import is_wide
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

Threshold = float | Literal["bic", "ebic", "chi2"]
Prices = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def prices_for(threshold: Threshold | None, alpha: float, statistics: Statistics, run: Run) -> Prices:
    """The price of links in a table, by the number of parameters that they add; None is the usual one."""
    size = statistics.size
    if threshold is None:
        threshold = "ebic" if is_wide(statistics) else "bic"
        if threshold == "ebic":
            run.note(
                f"With {n_varying(statistics):,} columns for {size:,.0f} rows links cost what the extended "
                'BIC takes; threshold="bic" is the usual price.'
            )
    if threshold in ("bic", "ebic"):
        # Foygel and Drton (2010) with γ = ½: of p columns an edge costs log p more.
        more = math.log2(n_varying(statistics)) / size if threshold == "ebic" else 0.0
        return lambda n_parameters: n_parameters * (math.log2(size) / (2.0 * size) + more)
    if threshold == "chi2":
        return lambda n_parameters: special.chdtri(n_parameters, alpha) / (2.0 * size * math.log(2.0))
    return lambda n_parameters: np.full(len(n_parameters), float(threshold))
