"""What the relaxed problem is, and what solving it gives."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.soft_order.children import Child, Floats, children_of
from structlearn.scores.extended import arc_prices, is_wide
from structlearn.search.space import Space

Mask = NDArray[np.bool_]

RIDGE_PER_PRICE = 8.0  # so that a standardised weight of a half is a whole arc: √(2 price / ridge)
LEAST_DECISION = 0.05  # below, rounding to an order is as good as throwing dice


@dataclass(frozen=True)
class SoftProblem:
    """Regressions with a price for each arc; matrices have parents in rows and children in columns."""

    children: list[Child]
    prices: Floats
    ridge: float
    is_required: Mask
    is_open: Mask  # arcs that may be there, the required ones included

    @classmethod
    def of(
        cls, space: Space, *, price: float | None, ridge: float | None, standardise: bool
    ) -> "SoftProblem | None":
        """The problem of a table; without a price, arcs cost what the BIC asks, or its extended form.

        None where the run has to end before all is counted.
        """
        statistics, limits, must_stop = space.statistics, space.limits, space.run.must_stop
        each = 0.5 * math.log(statistics.size) if price is None else price
        ridge = RIDGE_PER_PRICE * each if ridge is None else ridge
        numbers = np.where(statistics.levels > 0, statistics.levels - 1, 1).astype(np.float64)
        prices = each * (np.outer(numbers, numbers) if price is None else np.ones((space.n_nodes,) * 2))
        if price is None and is_wide(statistics):
            columns = np.arange(space.n_nodes)
            prices += arc_prices(statistics).of(columns, columns[:, None])
        children = children_of(
            space.owner, statistics, ridge=ridge, standardise=standardise, must_stop=must_stop
        )
        nothing = np.zeros(space.n_nodes)
        # No parent can save more than all that a column costs by itself; many levels ask for more.
        alone = np.array([child.at(nothing)[0] for child in children if not must_stop()])
        if len(alone) < space.n_nodes:
            return None
        is_open = ~limits.closed.T & ~np.eye(space.n_nodes, dtype=np.bool_) & (prices < alone)
        is_open &= prices > 0.0  # from and to a single level an arc has no parameters, and ties with none
        is_open |= limits.frozen.T
        return cls(children, prices, ridge, limits.frozen.T, is_open)

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self.children)


@dataclass(frozen=True)
class Relaxation:
    """The relaxed optimum.

    `shares[i, j]` says how much of an arc i → j there is, `precedence[i, j]` how much i comes before j; no
    DAG costs less than `bound`.
    """

    bound: float
    shares: Floats
    precedence: Floats

    @property
    def is_undecided(self) -> bool:
        """Whether the order is as good as open."""
        apart = np.abs(self.precedence - 0.5)[~np.eye(len(self.precedence), dtype=np.bool_)]
        return bool(apart.max(initial=0.0) < LEAST_DECISION)
