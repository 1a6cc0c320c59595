"""Search over orders of the nodes."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.errors import DataError
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.option_groups import (
    Formed,
    Limited,
    NarrowedByNumber,
    OnDevice,
    Scored,
    Seeded,
    TolerantByFamily,
)
from structlearn.learners.order.families.family_rows import members_at, useful_rows
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.permutations.node_orders import OrderStarted, order_of_graph
from structlearn.learners.order.permutations.order_walk import WalkRule, best_order_from, best_rows
from structlearn.options import OneOf, Whole, option, result
from structlearn.outcome import Outcome
from structlearn.rounding import is_better
from structlearn.search.orders.random_orders import Order, random_order
from structlearn.search.promises import narrowed
from structlearn.search.space import Space


class OrderSearch(
    Scored, Formed, NarrowedByNumber, OrderStarted, Limited, OnDevice, Seeded, TolerantByFamily, DAGSearch
):
    """Walk over orders, each worth the best DAG that it allows, and start again from random ones."""

    moves: Literal["swap", "insertion"] = option(
        OneOf(("swap", "insertion")),
        "What a step does to the order. It swaps two neighbours, or moves one node to any place.",
        default="swap",
    )
    restarts: int = option(Whole(0), "How many further walks start from random orders.", default=50)
    tabu: int = option(
        Whole(0),
        "For how many steps two nodes that passed each other may not pass again. With it a walk goes on past "
        "a local maximum; 0 stops there.",
        default=20,
    )
    patience: int = option(
        Whole(1), "How many steps in a row may bring no better order, with `tabu`.", default=50
    )
    candidates = 25
    max_parents = 3
    random_state = 0
    order_: tuple[str, ...] = result()

    def _search(self, space: Space) -> Outcome:
        space = narrowed(space, self.candidates)
        start = None if self.initial is None else order_of_graph(space, self.initial)
        rows = useful_rows(space)
        order, totals = self._best_order(space, rows, start)
        parents = _parents(rows, order, space.names)
        trace = {"score": np.array(totals), "best": np.maximum.accumulate(totals)}
        return space.outcome(parents, trace, order=tuple(space.names[node] for node in order))

    def _best_order(self, space: Space, rows: FamilyRows, start: Order | None) -> tuple[Order, list[float]]:
        """The best order of all walks, and the best score of each."""
        rule, run = WalkRule(self.moves == "swap", self.tabu, self.patience), space.run
        order = random_order(space.limits, space.rng) if start is None else start
        best, best_score = best_order_from(rows, order, rule, run)
        totals = [best_score]
        while len(totals) <= self.restarts and not run.must_stop():
            found, score = best_order_from(rows, random_order(space.limits, space.rng), rule, run)
            totals.append(score)
            run.show(f"score {best_score:.1f}", len(totals), self.restarts + 1)
            if is_better(score, best_score):
                best, best_score = found, score
        return best, totals

    details: ClassVar[str] = """
    Attributes
    ----------
    order_ : tuple of str
        The order it comes from.
    trace_ : dict of arrays
        Each walk: the "score" of its best order, and "best", the best score so far.

    Notes
    -----
    All parent sets are scored once; of these only sets that score more than each of their subsets are
    kept, sorted by score [1]_. The best parents of a node among those before it are then the first
    of its sets that fit. Swapping two neighbours changes the parents of no other node, so that
    a step costs a few looks at the lists. Many orders share one DAG: steps that change
    nothing are common, and the tabu list keeps the walk from going back and forth.

    References
    ----------
    .. [1] Teyssier and Koller (2005), Ordering-based search: a simple and effective algorithm for
       learning Bayesian networks, Uncertainty in Artificial Intelligence 21.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("asia")
    >>> data = model.sample(10_000, random_state=0)
    >>> found = sl.OrderSearch().fit(data)
    >>> found.score_ >= sl.score(model.graph, data)
    True
    """


def _parents(rows: FamilyRows, order: Order, names: tuple[str, ...]) -> list[list[int]]:
    chosen = best_rows(rows, order)
    if min(chosen) < 0:
        stuck = names[chosen.index(min(chosen))]
        raise DataError(
            f"OrderSearch: no order was found in which {stuck!r} has a score above −∞. "
            "Use another score, or more restarts."
        )
    return [members_at(rows, row) for row in chosen]
