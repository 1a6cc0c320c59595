"""How many bits a set of links must bring more than."""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.numerics.extended_bic import price_of_one
from structlearn.run import Run
from structlearn.scores.extended import is_wide
from structlearn.search.chance_price import price_of_tails
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

Threshold = float | Literal["bic", "ebic", "chi2"]
Prices = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def prices_for(threshold: Threshold | None, alpha: float, statistics: Statistics, run: Run) -> Prices:
    """The price of links in a table, by the number of parameters that they add; None is the usual one."""
    size = statistics.size
    if threshold is None:
        threshold = "bic"
        if is_wide(statistics):
            run.note(
                f"With {n_varying(statistics):,} columns for {size:,.0f} rows links cost what the extended "
                'BIC takes; threshold="bic" is the usual price.'
            )
            return _in_bits(price_of_tails(statistics, _price(statistics, 1.0), run), size)
    if threshold in ("bic", "ebic"):
        return _in_bits(_price(statistics, float(threshold == "ebic")), size)
    if threshold == "chi2":
        return lambda n_parameters: special.chdtri(n_parameters, alpha) / (2.0 * size * math.log(2.0))
    return lambda n_parameters: np.full(len(n_parameters), float(threshold))


def _price(statistics: Statistics, gamma: float) -> float:
    """What twice the log-likelihood must gain for each parameter.

    With γ = 1 that of Foygel and Drton (2010) with ½ for all pairs: of p columns an edge costs log p more.
    """
    return price_of_one(statistics.size, n_varying(statistics), gamma)


def _in_bits(price: float, size: float) -> Prices:
    return lambda n_parameters: n_parameters * price / (2.0 * size * math.log(2.0))
