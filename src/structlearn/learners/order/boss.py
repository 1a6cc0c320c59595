"""Best order score search."""

from typing import ClassVar

import numpy as np

from structlearn.graphs import Graph
from structlearn.learners.certified import Certified
from structlearn.learners.gaps.fills_gaps import FillsGaps
from structlearn.learners.option_groups import Counted, Formed, Limited, Narrowed, Scored, Seeded
from structlearn.learners.order.exact.proving import proven, refuse_unprovable
from structlearn.learners.order.growing.along_orders import best_along_orders
from structlearn.options import Flag, Instance, OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.scores.all_families import MOST_COLUMNS
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.dags import usual_member
from structlearn.search.hidden_sets import unhide
from structlearn.search.orders.best_of_all import best_of_all
from structlearn.search.parity import ParityCheck, ParityScan
from structlearn.search.space import Space
from structlearn.search.starts import start_from

Found = tuple[list[list[int]], list[float], ParityScan]
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
        start = None if self.initial is None else start_from(space, self.initial)
        if (scores := space.scores.score_all()) is None:
            parents, settled, scan = self._by_orders(space, start)
        else:
            parents, settled = best_of_all(space, scores), []
            scan = ParityCheck(space, self.check_parity).among_arcs(parents)
        if space.n_nodes <= MOST_COLUMNS and space.is_equivalent and not space.limits.name_arcs:
            # Members of a class tie but for rounding, which is another one where a table is elsewhere.
            parents = usual_member(parents)
        space.scores.remember(parents)
        settled = [*settled, space.scores.total(parents)]
        trace = {"score": np.array(settled), "best": np.maximum.accumulate(settled)}
        outcome = space.outcome(parents, trace, parity=scan)
        if not self.prove:
            return outcome
        is_narrow = self.candidates is not None
        return proven(outcome, space, parents, among_candidates=is_narrow, missing=self.missing)

    def _by_orders(self, space: Space, start: DAGState | None) -> Found:
        """The best DAG along the orders that were tried, the score of each that settled, and hidden sets."""
        state, settled = best_along_orders(space, start, self.patience, self.perturb)
        state, scan = unhide(state, ParityCheck(space, self.check_parity))
        if not scan.found:
            # Parents that bring something together only are in no pool; a step down may lead to them.
            tabu_climb(state, tabu=LAST_MOVES, patience=LAST_MOVES)
        return state.parents(), settled, scan

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
    in every place, until none wants to move [1]_; of a few nodes all orders are looked at.
    The paper lets parents grow along each order. Here sets of up to two parents are scored before, and a step
    only looks things up. The best order is shaken some thousand times: nodes or blocks move, a path of arcs
    turns; six joined nodes at a time get their best order. Up to 64 columns, half of some walks from random
    orders have to come to the best one. Parent sets in use get a parent more and one less, and the search
    goes on. With continuous columns this begins where an order leads along which parents grow as in the
    paper, which finds hubs with many parents; where columns depend on more than 20 others, it ends there.

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
