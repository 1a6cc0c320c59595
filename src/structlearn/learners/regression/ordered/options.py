"""Which orders of columns a method looks at."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.ordered.column_orders import (
    Order,
    explained_last,
    given_order,
    random_orders,
)
from structlearn.options import Configured, Either, Instance, OneOf, Whole, option
from structlearn.run import MustStop


class InOrders(Configured):
    """Which orders of columns are looked at."""

    order: Literal["explained-last", "random"] | Sequence[str] = option(
        Either((OneOf(("explained-last", "random")), Instance(list), Instance(tuple))),
        "What comes before what. From the end on, the column that the others left explain best; the mean "
        "over random orders; or the names, each regressed on those before it.",
        default="explained-last",
    )
    n_orders: int = option(Whole(1), "How many random orders there are.", default=10)

    def _orders(
        self,
        names: tuple[str, ...],
        correlation: NDArray[np.float64],
        size: float,
        generator: np.random.Generator,
        must_stop: MustStop,
    ) -> list[Order]:
        if self.order == "explained-last":
            return [explained_last(correlation, size, must_stop)]
        if self.order == "random":
            return random_orders(len(names), self.n_orders, generator)
        return [given_order(type(self).__name__, names, self.order)]
