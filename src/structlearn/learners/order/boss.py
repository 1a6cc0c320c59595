"""Best order score search."""

from typing import ClassVar

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.growing.greedy_start import greedy_start
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.options import Rules, Whole
from structlearn.outcome import Outcome
from structlearn.scores import CPD_FORM, SCORE, CPDForm, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.climbing import tabu_climb
from structlearn.search.hidden_sets import unhide
from structlearn.search.parity import CHECK_PARITY, ParityCheck
from structlearn.search.space import Space
from structlearn.search.starts import INITIAL, start_from
from structlearn.statistics import Counting

LAST_MOVES = 10


class BOSS(DAGSearch):
    """Move one node at a time to its best place in an order from which all parents grow.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", another name of `structlearn.scores`, or any object with a `local`
        method.
    cpd : {"table", "tree"}, default "table"
        What a family is scored with: a table of all joint states of the parents, or the tree that grows in
        its place (see `structlearn.scores.TreeScore`), which finds parents that matter only in some contexts.
    patience : int, default 40
        How often in a row shaking the best order may bring nothing better.
    perturb : int, default 8
        How many nodes a shake moves to random places, at most.
    check_parity : int, default 3
        The largest sets of columns to search, at the end, for joint dependence that no pair
        shows, such as c = a xor b; what is found joins the graph. Below 3, none.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    initial : Graph or None, default None
        The DAG to start from; by default that of a quick greedy search.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    statistics : {"memory", "adtree"}, default "memory"
        Whether tables are counted from the rows or from an AD-tree grown once.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    random_state : int or None, default 0
        The seed of the order in which nodes move, and of the shakes.
    time_limit : float or None, default None
        Seconds after which the best graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The DAG with the best score found; edge weights are what the score loses without them.
    score_ : float
        Its score.
    parity_ : ParityScan
        The sets with joint dependence that no pair shows, and how many sets were searched.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each order that no single node can improve: "score", and "best", the best score so far.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    Given an order, each node takes the parents that grow and shrink greedily from the nodes before
    it. A step tries one node in every place of the order and keeps the best, until no node
    wants to move [1]_. The greedy parents are remembered in trees, so that a step mostly
    looks things up. The first order is that of a greedy search among equivalence classes, or among DAGs
    where there is knowledge or where the DAGs of a class score differently.

    Beyond the paper, a node may also grow from the parents that it had in the DAG of the greedy search:
    parents that work only together do not come one by one. The best order is shaken, a few nodes at a
    time, and searched again near the nodes that moved; on networks whose optimum is known this is what
    reaches it. At the end a climb by single arcs sees whether a DAG that no order grows is better.

    References
    ----------
    .. [1] Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld (2023), Fast scalable and accurate
       discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("asia")
    >>> data = model.sample(10_000, random_state=0)
    >>> found = sl.BOSS().fit(data)
    >>> found.score_ >= sl.score(model.graph, data)
    True
    """

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "cpd": CPD_FORM,
        "patience": Whole(0, "how many shakes in a row may bring nothing"),
        "perturb": Whole(1, "how many nodes a shake moves, at most"),
        "check_parity": CHECK_PARITY,
        "candidates": CANDIDATES,
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        cpd: CPDForm = "table",
        patience: int = 40,
        perturb: int = 8,
        check_parity: int = 3,
        candidates: GivenCandidates | None = None,
        initial: Graph | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        statistics: Counting = "memory",
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.cpd = cpd
        self.patience = patience
        self.perturb = perturb
        self.check_parity = check_parity
        self.candidates = candidates
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.statistics = statistics
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _search(self, space: Space) -> Outcome:
        state = greedy_start(space) if self.initial is None else start_from(space, self.initial)
        orders = ShakenOrders(space)
        state = orders.improve(state, self.patience, self.perturb)
        state, scan = unhide(state, ParityCheck(space, self.check_parity))
        if not scan.found:
            # Parents that bring something together only grow in no order; a step down may lead to them.
            tabu_climb(state, tabu=LAST_MOVES, patience=LAST_MOVES)
        settled = np.array([*orders.trace, state.score])
        trace = {"score": settled, "best": np.maximum.accumulate(settled)}
        return space.outcome(state.parents(), trace, parity=scan)
