"""The K2 algorithm."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.learners.dag_search import DAGSearch
from structlearn.learners.order.families.order_families import (
    CHOOSING,
    Choosing,
    Family,
    OrderFamilies,
    total,
)
from structlearn.learners.order.permutations.node_orders import Order, named_order, random_order
from structlearn.learners.order.permutations.tree_order import tree_order
from structlearn.options import Either, ListOf, OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import CPD_FORM, SCORE, CPDForm, Score
from structlearn.search.candidates import CANDIDATES, GivenCandidates
from structlearn.search.ranking import first_best
from structlearn.search.space import Space
from structlearn.statistics import Statistics


class K2(DAGSearch):
    """Choose the parents of each node among those before it in an order.

    Parameters
    ----------
    order : list of str, "tree" or "random", default "tree"
        The columns, those first that come first; or an order along the tree of the strongest
        dependences, or a random one.
    tries : int, default 1
        With ``order="random"``: how many orders to try.
    parents : {"greedy", "exhaustive"}, default "greedy"
        How a node chooses: add the best parent as long as one raises the score, or take the
        best of all sets of at most `max_parents`, which gives the best DAG of the order.
    score : str, Score or None, default None
        What to maximise: "k2", "bic", "bdeu", another name of `structlearn.scores`, or any object with a
        `local` method. By default "k2" for discrete columns and "bic" for others.
    cpd : {"table", "tree"}, default "table"
        What a family is scored with: a table of all joint states of the parents, or the tree that grows in
        its place (see `structlearn.scores.TreeScore`), which finds parents that matter only in some contexts.
    candidates : Graph or mapping or None, default None
        Which columns may be parents of which, as another method has chosen them: the ends of an edge
        of a graph, in either direction, or for each name its possible parents; None for all.
    max_parents : int or None, default None
        The most parents a node may have.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there. A required arc against a given order is refused.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    random_state : int or None, default 0
        The seed of random orders.
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
        Each order: "score", and "best", the best score so far.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The method [1]_ is as good as its order: give one when you know what comes first in time, and
    otherwise let `OrderSearch` or `BOSS` look for it. Greedy choice is blind to parents that work
    only together, such as those of an exclusive or.

    References
    ----------
    .. [1] Cooper and Herskovits (1992), A Bayesian method for the induction of probabilistic
       networks from data, Machine Learning 9.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(20_000, random_state=0)
    >>> order = ["Pollution", "Smoker", "Cancer", "Xray", "Dyspnoea"]
    >>> print(sl.K2(order=order).fit(data).graph_)
    Graph with 5 nodes and 4 edges
      Pollution → Cancer
      Smoker → Cancer
      Cancer → Xray
      Cancer → Dyspnoea
    """

    rules: ClassVar[Rules] = {
        "order": Either(
            (ListOf(str, ""), OneOf(("tree", "random"), "")), "the columns, those first that come first"
        ),
        "tries": Whole(1, "how many random orders to try"),
        "parents": CHOOSING,
        "score": OrNone(SCORE, "'k2' for discrete columns, 'bic' for others"),
        "cpd": CPD_FORM,
        "candidates": CANDIDATES,
    }

    def __init__(
        self,
        *,
        order: Sequence[str] | Literal["tree", "random"] = "tree",
        tries: int = 1,
        parents: Choosing = "greedy",
        score: str | Score | None = None,
        cpd: CPDForm = "table",
        candidates: GivenCandidates | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = 0,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.order = order
        self.tries = tries
        self.parents = parents
        self.score = score
        self.cpd = cpd
        self.candidates = candidates
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _score(self, statistics: Statistics) -> str | Score:
        return self.score or ("bic" if "continuous" in statistics.kinds else "k2")

    def _search(self, space: Space) -> Outcome:
        families = OrderFamilies(space, self.parents)
        tried = self._try(self._orders(space), families, space.run)
        totals = np.array([one.score for one in tried])
        best = tried[first_best(totals)]
        parents = [family.parents for family in best.families]
        trace = {"score": totals, "best": np.maximum.accumulate(totals)}
        return space.outcome(parents, trace, order=tuple(space.names[node] for node in best.order))

    def _try(self, orders: Iterator[Order], families: OrderFamilies, run: Run) -> list["_Tried"]:
        tried: list[_Tried] = []
        for order in orders:
            if tried and run.must_stop():
                break
            found = families.of(order)
            tried.append(_Tried(order, found, total(found)))
            run.show("orders", len(tried), self.tries)
        return tried

    def _orders(self, space: Space) -> Iterator[Order]:
        if self.order != "random" and self.tries > 1:
            raise OptionError(f"K2(tries={self.tries}): there is one such order; set order='random'.")
        if self.order == "random":
            yield from (random_order(space.limits, space.rng) for _ in range(self.tries))
        elif self.order == "tree":
            yield tree_order(space)
        else:
            yield named_order(space, self.order)


class _Tried(NamedTuple):
    order: Order
    families: list[Family]
    score: float
