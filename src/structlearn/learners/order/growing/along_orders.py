"""Which search over orders suits a table: with grown families, with listed ones, or with both."""

from structlearn.learners.order.growing.greedy_start import greedy_start
from structlearn.learners.order.growing.grown_orders import GrownOrders
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space


def best_along_orders(
    space: Space, start: DAGState | None, patience: int | None, perturb: int
) -> tuple[DAGState, list[float]]:
    """The best DAG found, from a state if one is given, and the score of each order that settled."""
    how, orders = (patience, perturb), ShakenOrders(space)
    if start is not None:
        return orders.improve(start, *how), orders.trace
    grown = GrownOrders.of(space)
    if grown is None:
        return orders.improve_from_anywhere(*how), orders.trace
    if grown.is_dense:
        return grown.improve(*how), grown.trace
    begun = grown.improve_from(greedy_start(space), *how)
    return orders.improve(begun, *how, is_settled=True), orders.trace
