"""Best order score search."""

from typing import ClassVar

import numpy as np

from structlearn.graphs import Graph
from structlearn.learners.certified import Certified
from structlearn.learners.gaps.fills_gaps import FillsGaps
from structlearn.learners.option_groups import Counted, Formed, Limited, Narrowed, Scored, Seeded
from structlearn.learners.order.exact.proving import proven, refuse_unprovable
from structlearn.learners.order.growing.greedy_start import greedy_start
from structlearn.learners.order.growing.grown_orders import GrownOrders
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.options import Flag, Instance, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.scores.all_families import MOST_COLUMNS
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.dags import usual_member
from structlearn.search.hidden_sets import unhide
from structlearn.search.orders.reordering import best_of_all_orders
from structlearn.search.parity import ParityCheck
from structlearn.search.space import Space
from structlearn.search.starts import start_from

LAST_MOVES = 10  # a few arcs away from the best order's DAG, and no long search of its own


class BOSS(Certified, Scored, Formed, Narrowed, Limited, Counted, Seeded, FillsGaps):
    """Move one node at a time to its best place in an order from which all take their parents."""

    work_is_known: ClassVar[bool] = False
    patience: int | None = option(
        OrNone(Whole(0), "40 for each column, at most 1,000"),
        "How often in a row shaking the best order may bring nothing better.",
        default=None,
    )
    perturb: int = option(Whole(1), "How many nodes a shake moves to random places, at most.", default=8)
    check_parity: int = option(
        Whole(0),
        "The largest sets of columns to search, at the end, for joint dependence that no pair shows, such as "
        "c = a xor b. What is found joins the graph. Below 3, none.",
        default=3,
    )
    initial: Graph | None = option(
        OrNone(Instance(Graph), "that of a quick greedy search"), "The DAG to start from.", default=None
    )
    prove: bool = option(
        Flag(),
        "Whether to hand the graph to an exact solver at the end, which proves it to be the best, finds a "
        "better one, or says how far from the best it may be. Without max_parents the graph is compared with "
        "those of as many parents as leave 300,000 families. Beyond 28 columns it needs highspy.",
        default=False,
    )
    random_state = 0

    def _search(self, space: Space) -> Outcome:
        if self.prove:
            refuse_unprovable(space, self.missing)
        state, found = self._by_orders(space)
        state, scan = unhide(state, ParityCheck(space, self.check_parity))
        if space.scores.of_all is not None:
            state = best_of_all_orders(state)
        elif not scan.found:
            # Parents that bring something together only are in no pool; a step down may lead to them.
            tabu_climb(state, tabu=LAST_MOVES, patience=LAST_MOVES)
        if space.n_nodes <= MOST_COLUMNS and space.is_equivalent and not space.limits.name_arcs:
            # Members of a class tie but for rounding, which is another one where a table is elsewhere.
            state.become(usual_member(state.parents()))
        settled = [*found, state.score]
        trace = {"score": np.array(settled), "best": np.maximum.accumulate(settled)}
        outcome = space.outcome(state.parents(), trace, parity=scan)
        if self.prove:
            is_narrow = self.candidates is not None
            return proven(outcome, space, state, among_candidates=is_narrow, missing=self.missing)
        return outcome

    def _by_orders(self, space: Space) -> tuple[DAGState, list[float]]:
        """The best DAG along the orders that were tried, and the score of each order that settled."""
        start = greedy_start if self.initial is None else lambda _: start_from(space, self.initial)
        space.scores.score_all()
        if space.scores.of_all is not None:
            return start(space), []  # for all orders are looked at in the end
        if self.initial is None and (dense := GrownOrders.where_dense(space)) is not None:
            return dense.improve(self.patience, self.perturb), dense.trace
        orders = ShakenOrders(space)
        return orders.improve(start(space), self.patience, self.perturb), orders.trace

    details: ClassVar[str] = """
    Attributes
    ----------
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    bound_ : float
        With `prove`: what no DAG scores more than.
    gap_ : float
        With `prove`: the bound less the score; 0 where the graph is proven to be the best.
    proof_ : str
        With `prove`: in words, whether it is.
    trace_ : dict of arrays
        Each order that no single node can improve: "score", and "best", the best score so far.

    Notes
    -----
    Given an order, each node takes the best parents that are known of those before it. A step tries one node
    in every place and keeps the best, until none wants to move [1]_; of a few nodes all orders are looked at.

    The paper lets parents grow and shrink greedily along each order. Here all sets of up to two parents of
    which one at least helps alone are scored before; then a step only looks things up, whatever the number of
    rows. The best order is shaken some thousand times: nodes move, blocks of nodes, or a path of arcs turns;
    six joined nodes at a time get their best order. Up to 64 columns, half of some walks from random orders
    have to come to the best one. The parent sets that orders used get a parent more and one less, and the
    search goes on. Where a twentieth of the nodes ends with three parents it goes on among all families of
    three; with more than 64 columns, among those with a parent's parents in its place. Where continuous
    columns depend on more than 20 others each, parents grow and shrink as in the paper, by regressions.

    References
    ----------
    .. [1] Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld (2023), Fast scalable and accurate
       discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("asia")
    >>> data = model.sample(10_000, random_state=0)
    >>> sl.BOSS().fit(data).score_ >= sl.score(model.graph, data)
    True
    """
