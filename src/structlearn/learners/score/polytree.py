"""Recovering a polytree."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge, Oracle
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.independence import TEST, IndependenceTest, SeparationOracle, test_for
from structlearn.independence.asking import Asker
from structlearn.learners.base import ALPHA, Learner
from structlearn.learners.score.trees.directions import (
    Directions,
    as_triples,
    meeting_first,
    triples_of,
)
from structlearn.learners.score.trees.pair_gains import pair_gains
from structlearn.learners.score.trees.spanning import Arc, Parts, heaviest_forest
from structlearn.options import Rules
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.scores import score_for
from structlearn.statistics import Statistics

Matrix = NDArray[np.float64]


class Polytree(Learner):
    """Find a DAG without cycles of any kind from what pairs of columns say.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        "g2", "chi2", "mutual-information", "permutation", "fisher-z", "t", "conditional-gaussian", any
        object with a `many` method, or a function of two names and a tuple of names that gives a
        p-value. By default G² for discrete columns, Fisher's z for continuous ones, and the
        conditional Gaussian likelihood ratio for both together.
    alpha : float, default 0.05
        The significance level of each test: two columns are independent when the p-value is larger.
    knowledge : Knowledge or None, default None
        Edges that must or may not be there. Those required cannot close a cycle of any kind.
    n_jobs : int or None, default None
        How many threads count tables; -1 for all.
    time_limit : float or None, default None
        Seconds after which the graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The CPDAG: an edge has a direction where the independent pairs give it one.
    evidence_ : dict
        For each edge the p-value of the test that its ends are independent.
    conflicts_ : tuple of str
        Where tests contradict each other: arrows that could not be made to meet, and arrows that
        meet though the columns they come from depend on each other.
    n_tests_ : int
        How many tests were asked for.
    trace_ : dict of arrays
        The edges in the order in which they joined the columns: "source", "target" and "p_value".
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The skeleton is the tree of Chow and Liu among the pairs that a test calls dependent. Where
    the ends of a — b — c are independent, the arrows meet in b; where they depend on each other, an
    arrow into b goes on [1]_. An edge is directed once: first those arrows meet whose ends depend
    most surely once b is given, then the arrows go on through the triples that depend most
    surely. With an oracle the skeleton joins the pairs that neither nothing nor any one node
    separates, and a truth that is not a polytree is refused.

    The method is right where the truth is a polytree in which all neighbours depend on each other.

    References
    ----------
    .. [1] Rebane and Pearl (1987), The recovery of causal poly-trees from statistical data, UAI.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcd", directed=[("a", "c"), ("b", "c"), ("c", "d")])
    >>> print(sl.Polytree().fit(sl.Oracle(truth)).graph_)
    Graph with 4 nodes and 3 edges
      a → c
      b → c
      c → d
    """

    rules: ClassVar[Rules] = {"test": TEST, "alpha": ALPHA}

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names = statistics.names
        test = test_for("Polytree", self.test, statistics)
        asker = Asker(test, statistics, alpha=self.alpha, must_stop=run.must_stop)
        log_p = _pairwise_log_p(asker, len(names))
        gains = pair_gains(score_for("Polytree", "loglik", statistics), statistics, run)
        weights = np.where(np.exp(log_p) <= self.alpha, np.maximum(gains, gains.T), 0.0)
        return self._directed(asker, names, weights, log_p, knowledge, run)

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(sorted(oracle.names))
        truth = SeparationOracle.of(oracle, names)
        asker = Asker(truth, None, alpha=self.alpha, must_stop=run.must_stop)
        log_p = _pairwise_log_p(asker, len(names))
        weights = _inseparable(asker, log_p)
        if np.count_nonzero(weights) > 2 * len(heaviest_forest(weights)):
            raise DataError(
                "Polytree: the graph of the oracle has a cycle of edges, and a polytree has none."
            )
        return self._directed(asker, names, weights, log_p, knowledge, run)

    def _directed(
        self,
        asker: Asker,
        names: tuple[str, ...],
        weights: Matrix,
        log_p: Matrix,
        knowledge: Knowledge,
        run: Run,
    ) -> Outcome:
        """Join the columns to a forest, then direct its edges."""
        required, forbidden = knowledge.matrices(names)
        must = [(int(a), int(b)) for a, b in np.argwhere(required)]
        _refuse_cycles(names, must)
        edges = heaviest_forest(np.where(forbidden & forbidden.T, 0.0, weights), must)
        directions = Directions(edges)
        for a, b in [*edges, *((b, a) for a, b in edges)]:
            if required[a, b] or forbidden[b, a]:
                directions.point(a, b)
        if not run.must_stop():
            self._direct(directions, asker, triples_of(len(names), edges), log_p)
        return _outcome(names, edges, directions, log_p, asker, run)

    def _direct(
        self, directions: Directions, asker: Asker, triples: NDArray[np.int64], log_p: Matrix
    ) -> None:
        of_ends = log_p[triples[:, 0], triples[:, 2]]
        is_independent = np.exp(of_ends) > self.alpha
        directions.collide(meeting_first(asker, triples[is_independent]))
        surest = np.argsort(of_ends[~is_independent], kind="stable")
        directions.pass_on(as_triples(triples[~is_independent][surest]))


def _pairwise_log_p(asker: Asker, n_columns: int) -> Matrix:
    """The log p-value of every pair, symmetric; 0 where time did not allow for the test."""
    log_p = np.zeros((n_columns, n_columns))
    for first in range(n_columns - 1):
        if asker.must_stop():
            break
        others = np.arange(first + 1, n_columns)
        log_p[first, others] = asker.ask(np.column_stack([np.full(len(others), first), others])).log_p
    return np.minimum(log_p, log_p.T)


def _inseparable(asker: Asker, log_p: Matrix) -> Matrix:
    """1 for each dependent pair that no one node separates, 0 elsewhere."""
    joined = np.zeros_like(log_p)
    for a, b in np.argwhere(np.triu(np.exp(log_p) <= asker.alpha, k=1)).tolist():
        if asker.must_stop():
            break
        others = np.delete(np.arange(len(log_p)), [a, b])
        questions = np.column_stack([np.full((len(others), 2), (a, b)), others])
        if not (asker.ask(questions).p_value > asker.alpha).any():
            joined[a, b] = joined[b, a] = 1.0
    return joined


def _refuse_cycles(names: tuple[str, ...], required: list[Arc]) -> None:
    parts = Parts(len(names))
    for a, b in required:
        if not parts.join(a, b):
            raise OptionError(
                f"Polytree: {names[a]} → {names[b]} closes a cycle with the other required edges, and a "
                "polytree has none. Drop one of them, or use another method."
            )


def _outcome(
    names: tuple[str, ...], edges: list[Arc], directions: Directions, log_p: Matrix, asker: Asker, run: Run
) -> Outcome:
    arrows, lines = directions.arrows(), directions.lines()
    p_value = np.exp(log_p)
    return Outcome(
        graph=Graph(
            names,
            directed=[(names[a], names[b]) for a, b in arrows],
            undirected=[(names[a], names[b]) for a, b in lines],
        ),
        status=run.status,
        trace={
            "source": np.array([names[a] for a, _ in edges], dtype=object),
            "target": np.array([names[b] for _, b in edges], dtype=object),
            "p_value": np.array([p_value[edge] for edge in edges], dtype=np.float64),
        },
        evidence={
            (names[a], names[b]): EdgeEvidence(p_value=float(p_value[a, b])) for a, b in arrows + lines
        },
        conflicts=tuple(f"{names[a]} → {names[b]} ← {names[c]}" for a, b, c in directions.conflicts),
        n_tests=asker.n_tests,
    )
