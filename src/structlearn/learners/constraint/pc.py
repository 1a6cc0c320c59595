"""The PC algorithm."""

from typing import ClassVar

import numpy as np

from structlearn.data import Knowledge, Oracle
from structlearn.graphs import Graph
from structlearn.independence import TEST, IndependenceTest, SeparationOracle, test_for
from structlearn.independence.asking import Asker
from structlearn.learners.base import ALPHA, Learner
from structlearn.learners.constraint.orientation import orient
from structlearn.learners.constraint.skeleton import Ends, NamedSeparators, prune_skeleton
from structlearn.learners.outcome import EdgeEvidence, Outcome
from structlearn.learners.run import Run
from structlearn.options import OrNone, Rules, Whole
from structlearn.statistics import Statistics


class PC(Learner):
    """Prune a complete graph by tests of independence, then direct what must be directed.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        "g2", "chi2", "fisher-z", or any object with a `many` method. By default G² for discrete
        columns and Fisher's z for continuous ones.
    alpha : float, default 0.05
        The significance level of each test: an edge goes when a p-value is larger.
    max_conditioning : int or None, default None
        The most columns to condition on at once.
    knowledge : Knowledge or None, default None
        Edges that must or may not be there.
    n_jobs : int or None, default None
        How many threads share the tests; -1 for all.
    time_limit : float or None, default None
        Seconds after which the graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        A partially directed graph; with an oracle, the CPDAG of the true one. The p-value of an
        edge is the largest of the tests that it survived.
    separating_sets_ : mapping
        For each pair without an edge, the first set found to separate it and the p-value.
    evidence_ : dict
        The largest p-value of each edge.
    conflicts_ : tuple of str
        Colliders that the tests ask for but that contradict stronger ones or the knowledge.
    trace_ : dict of arrays
        Level by level: "conditions", "tests", "removed" and "edges" left.
    n_tests_ : int
        How many tests were made.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    The order-independent version [2]_: the edges removed with k conditions do not change which
    sets of k conditions are tried. Columns are taken in alphabetical order, so neither skeleton
    nor directions depend on their order in the table.

    References
    ----------
    .. [1] Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 5.4.2.
    .. [2] Colombo and Maathuis (2014), Order-independent constraint-based causal structure
       learning, Journal of Machine Learning Research 15.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph(["rain", "sprinkler", "wet"], directed=[("rain", "wet"), ("sprinkler", "wet")])
    >>> print(sl.PC().fit(sl.Oracle(truth)).graph_)
    Graph with 3 nodes and 2 edges
      rain → wet
      sprinkler → wet
    """

    rules: ClassVar[Rules] = {
        "test": TEST,
        "alpha": ALPHA,
        "max_conditioning": OrNone(Whole(0, "the most columns to condition on at once"), "no limit"),
    }

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        max_conditioning: int | None = None,
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        asker = Asker(test_for("PC", self.test, statistics), statistics)
        return self._learn_by_asking(asker, statistics.names, knowledge, run)

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(sorted(oracle.names))
        asker = Asker(SeparationOracle(oracle.graph.reordered(names)), None)
        return self._learn_by_asking(asker, names, knowledge, run)

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        ends = Ends(names, knowledge)
        skeleton = prune_skeleton(
            asker, len(names), ends, alpha=self.alpha, max_conditioning=self.max_conditioning, run=run
        )
        oriented = orient(len(names), skeleton, ends, asker)
        largest_p = {
            frozenset((names[a], names[b])): float(p)
            for (a, b), p in zip(skeleton.edges, skeleton.largest_p, strict=True)
        }
        arrows = [(names[a], names[b]) for a, b in oriented.links.arrows]
        lines = [(names[a], names[b]) for a, b in oriented.links.lines]
        return Outcome(
            graph=Graph(names, directed=arrows, undirected=lines),
            status=run.status,
            trace={name: np.array(column) for name, column in skeleton.trace.items()},
            evidence={pair: EdgeEvidence(p_value=largest_p[frozenset(pair)]) for pair in arrows + lines},
            separating_sets=NamedSeparators(names, skeleton.separators),
            conflicts=tuple(f"{names[a]} → {names[b]} ← {names[c]}" for a, b, c in oriented.conflicts),
            n_tests=asker.n_tests,
        )
