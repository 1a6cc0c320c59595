"""Search over orders of the nodes."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.families.family_rows import members_at, useful_rows
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.permutations.node_orders import INITIAL, Order, order_of_graph, random_order
from structlearn.learners.order.permutations.order_walk import WalkRule, best_order_from, best_rows
from structlearn.options import OneOf, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.rounding import ENOUGH
from structlearn.scores import CPD_FORM, SCORE, CPDForm, Score
from structlearn.search.candidates import COUNTED_CANDIDATES, CountedCandidates
from structlearn.search.promises import narrowed
from structlearn.search.space import Space


class OrderSearch(DAGSearch):
    """Walk over orders, each worth the best DAG that it allows, and start again from random ones.

    Parameters
    ----------
    score : str or Score, default "bic"
        What to maximise: "bic", "bdeu", another name of `structlearn.scores`, or any object with a `local`
        method.
    cpd : {"table", "tree"}, default "table"
        What a family is scored with: a table of all joint states of the parents, or the tree that grows in
        its place (see `structlearn.scores.TreeScore`), which finds parents that matter only in some contexts.
    moves : {"swap", "insertion"}, default "swap"
        What a step does to the order: swap two neighbours, or move one node to any place.
    candidates : int, mapping, Graph or None, default 25
        The nodes that a node's parents are chosen from: so many of those that score most as the only
        parent; a mapping from each node to its candidates, where a node left out has none; or a
        graph, where they are the node's neighbours, whatever the direction. None for all.
    restarts : int, default 50
        How many further walks start from random orders.
    tabu : int, default 20
        For how many steps two nodes that passed each other may not pass again. With it a walk goes on
        past a local maximum; 0 stops there.
    patience : int, default 50
        With `tabu`: how many steps in a row may bring no better order.
    initial : Graph or None, default None
        A DAG whose order is the first start.
    max_parents : int or None, default 3
        The most parents a node may have; all sets of so many candidates are scored. With None, all sets.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    random_state : int or None, default 0
        The seed of the random orders.
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
    order_ : tuple of str
        The order it comes from.
    evidence_ : dict
        For each arc the score it brings.
    trace_ : dict of arrays
        Each walk: the "score" of its best order, and "best", the best score so far.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

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

    rules: ClassVar[Rules] = {
        "score": SCORE,
        "cpd": CPD_FORM,
        "moves": OneOf(("swap", "insertion"), "what a step does to the order"),
        "candidates": COUNTED_CANDIDATES,
        "restarts": Whole(0, "how many further walks start from random orders"),
        "tabu": Whole(0, "for how many steps two nodes may not pass each other again"),
        "patience": Whole(1, "how many steps in a row may bring no better order"),
        "initial": INITIAL,
    }

    def __init__(
        self,
        *,
        score: str | Score = "bic",
        cpd: CPDForm = "table",
        moves: Literal["swap", "insertion"] = "swap",
        candidates: CountedCandidates | None = 25,
        restarts: int = 50,
        tabu: int = 20,
        patience: int = 50,
        initial: Graph | None = None,
        max_parents: int | None = 3,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.cpd = cpd
        self.moves = moves
        self.candidates = candidates
        self.restarts = restarts
        self.tabu = tabu
        self.patience = patience
        self.initial = initial
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

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
            if score > best_score + ENOUGH:
                best, best_score = found, score
        return best, totals


def _parents(rows: FamilyRows, order: Order, names: tuple[str, ...]) -> list[list[int]]:
    chosen = best_rows(rows, order)
    if min(chosen) < 0:
        stuck = names[chosen.index(min(chosen))]
        raise DataError(
            f"OrderSearch: no order was found in which {stuck!r} has a score above −∞. "
            "Use another score, or more restarts."
        )
    return [members_at(rows, row) for row in chosen]
