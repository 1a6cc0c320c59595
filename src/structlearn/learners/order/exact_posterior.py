"""Exact posterior probabilities of all arcs."""

import itertools
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Edge, Graph
from structlearn.learners.base import Learner
from structlearn.learners.order.exact.family_posterior import FamilyPosterior, Prior, family_posterior
from structlearn.learners.order.exact.free_memory import refuse_beyond_memory
from structlearn.learners.order.exact.order_sums import bytes_needed
from structlearn.learners.order.exact.problem_size import refuse_too_many_families, with_affordable_sets
from structlearn.learners.order.families.constant_columns import without_constants
from structlearn.options import Between, OneOf, OrNone, Rules
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.scores import SCORE, Score, score_for
from structlearn.search.space import Space
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

ROUNDING = 1e-6  # directions that nothing tells apart are both ½, give or take
BY_SORT = {"discrete": "bdeu", "continuous": "bge", "mixed": "bic"}


class ExactPosterior(Learner):
    """Compute the posterior probability of every arc, over all DAGs and orders at once.

    Parameters
    ----------
    score : str or Score or None, default None
        The log marginal likelihood; None for "bdeu" with discrete columns, "bge" with continuous ones, and
        with both "bic", which is near it.
    prior : {"sets", "sizes"}, default "sets"
        What is equally probable before the data are seen: all parent sets of a node, or all numbers of
        parents, and the sets of one size among them.
    threshold : float, default 0.5
        More probable edges than this are in the graph, with an arrow if one direction alone is.
    max_parents : int or None, default None
        The most parents a node may have; None for no limit up to 15 columns, and beyond for the largest
        that leaves 300,000 families to score: 4 with 20 columns, 3 with 28.
    knowledge : Knowledge or None, default None
        Arcs that must or may not be there.
    n_jobs : int or None, default None
        How many threads to use; -1 for all.
    time_limit : float or None, default None
        Seconds after which the run ends without probabilities.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The edges that are more probable than `threshold`, each with its probability as `confidence`.
    probabilities_ : dict
        The posterior probability of every arc, by (source, target).
    parent_sets_ : dict
        For every node its parent sets with their posterior probabilities, the most probable first, down
        to 0.001.
    log_total_ : float
        The log of the sum over all orders of what they weigh.
    evidence_ : dict
        For each edge of the graph its probability.
    trace_ : dict of arrays
        Empty: there are no steps to follow.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The model is that of order MCMC [1]_: an order of the columns is drawn, each as probable as any other, and
    then the parents of each column from those before it. So a DAG is the more probable the more orders
    it agrees with; the probabilities are not those of a prior in which all DAGs are alike.

    The sums over all parent sets within a set of columns are zeta transforms. The sum over the orders of a
    set follows from those of the sets with one column less; the sum over the orders of the columns
    outside it likewise, from the other end. Together they give the probability of every family
    exactly [2]_ [3]_. All is done with logarithms, and nothing is ever subtracted. Every column doubles time
    and memory: 0.1 GiB with 20 columns, 1.8 GiB with 24.

    References
    ----------
    .. [1] Friedman and Koller (2003), Being Bayesian about network structure, Machine Learning 50.
    .. [2] Koivisto and Sood (2004), Exact Bayesian structure discovery in Bayesian networks, Journal of
       Machine Learning Research 5.
    .. [3] Koivisto (2006), Advances in exact Bayesian structure discovery in Bayesian networks, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("cancer").sample(2000, random_state=0)
    >>> found = sl.ExactPosterior().fit(data)
    >>> found.probabilities_["Smoker", "Cancer"] + found.probabilities_["Cancer", "Smoker"] > 0.9
    True
    """

    rules: ClassVar[Rules] = {
        "score": OrNone(SCORE, "bdeu for discrete columns, bge for continuous ones, bic for both"),
        "prior": OneOf(("sets", "sizes"), "what is equally probable before the data are seen"),
        "threshold": Between(0.5, 1, "how probable an edge of the graph is at least"),
    }

    def __init__(
        self,
        *,
        score: str | Score | None = None,
        prior: Prior = "sets",
        threshold: float = 0.5,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.score = score
        self.prior = prior
        self.threshold = threshold
        self.max_parents = max_parents
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        posterior = None if run.must_stop() else self._posterior(statistics, knowledge, run)
        if posterior is None:
            return Outcome(graph=Graph(names, directed=knowledge.required), status=run.status)
        arcs = posterior.arcs()
        pairs = itertools.permutations(range(len(names)), 2)
        return Outcome(
            graph=_likely_graph(names, arcs, self.threshold),
            extra={
                "probabilities": {(names[u], names[v]): float(arcs[u, v]) for u, v in pairs},
                "parent_sets": posterior.likely_sets(names),
                "log_total": posterior.log_total,
            },
        )

    def _posterior(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> FamilyPosterior | None:
        n = len(statistics.names)
        refuse_beyond_memory(
            f"ExactPosterior: the 2^{n} subsets of {n} columns",
            bytes_needed(n),
            "take fewer columns, or draw orders by OrderMCMC",
        )
        score = score_for("ExactPosterior", self.score or BY_SORT[sort_of(statistics)], statistics)
        space = Space.of(
            "ExactPosterior", statistics, knowledge, run, score=score, max_parents=self.max_parents
        )
        limits = with_affordable_sets(without_constants(space.limits, statistics))
        refuse_too_many_families("ExactPosterior", limits)
        return family_posterior(space.within(limits), prior=self.prior)


def _likely_graph(names: tuple[str, ...], arcs: NDArray[np.float64], threshold: float) -> Graph:
    """The edges that are more probable than the threshold, directed where one direction is."""
    edges = []
    for u, v in itertools.combinations(range(len(names)), 2):
        source, target = (u, v) if arcs[u, v] >= arcs[v, u] else (v, u)
        forward, either = float(arcs[source, target]), min(float(arcs[u, v] + arcs[v, u]), 1.0)
        if forward > threshold + ROUNDING:
            edges.append(Edge(names[source], names[target], "directed", confidence=forward))
        elif either > threshold:
            edges.append(Edge(names[u], names[v], "undirected", confidence=either))
    return Graph.from_edges(names, edges)
