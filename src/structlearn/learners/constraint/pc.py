"""The PC algorithm."""

from typing import ClassVar, Literal

from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence import TEST, IndependenceTest
from structlearn.independence.asking import Asker
from structlearn.learners.base import ALPHA
from structlearn.learners.constraint.asking_learner import AskingLearner
from structlearn.learners.constraint.collider_votes import colliders_by_vote
from structlearn.learners.constraint.ends import Ends
from structlearn.learners.constraint.orientation import (
    Colliders,
    colliders_by_separator,
    orient,
    unshielded_triples,
)
from structlearn.learners.constraint.results import constraint_outcome
from structlearn.learners.constraint.separators import Separators
from structlearn.learners.constraint.skeleton import MAX_CONDITIONING, prune_skeleton
from structlearn.options import Flag, OneOf, Rules
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Counting, Missing


class PC(AskingLearner):
    """Prune a complete graph by tests of independence, then direct what must be directed.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        "g2", "chi2", "mutual-information", "permutation", "fisher-z", "t", "conditional-gaussian", any
        object with a `many` method, or a function of two names and a tuple of names that gives a
        p-value. By default G² for discrete columns, Fisher's z for continuous ones, and the
        conditional Gaussian likelihood ratio for both together.
    alpha : float, default 0.05
        The significance level of each test: an edge goes when a p-value is larger.
    max_conditioning : int or None, default None
        The most columns to condition on at once.
    stable : bool, default True
        Whether the edges removed at a level leave the conditions of that level alone, so that the
        order of the columns cannot matter. False is the original algorithm.
    collider_rule : str, default "first"
        How to decide that two arrows meet at a node: by the "first" separating set found, or by
        every separating set among the neighbours: none of them has the node ("conservative"), less than
        half of them have it ("majority"), the one with the largest p-value has it not ("max-p").
        Triples that the sets are split about stay undirected.
    missing : {"error", "drop", "testwise"}, default "error"
        What to do about missing values: refuse them, leave out every row that has one, or let each
        test use the rows that have a value in all of its columns.
    statistics : {"memory", "adtree"}, default "memory"
        How discrete columns are counted: from the rows for each test, or off an AD-tree that is grown
        first, which pays for many tests on many rows. The graph is the same.
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
    .. [3] Ramsey, Spirtes and Zhang (2006), Adjacency-faithfulness and conservative causal inference, UAI.

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
        "max_conditioning": MAX_CONDITIONING,
        "stable": Flag("whether the edges removed at a level leave its conditions alone"),
        "collider_rule": OneOf(
            ("first", "conservative", "majority", "max-p"), "which separating sets decide on a collider"
        ),
    }

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        max_conditioning: int | None = None,
        stable: bool = True,
        collider_rule: Literal["first", "conservative", "majority", "max-p"] = "first",
        missing: Missing = "error",
        statistics: Counting = "memory",
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.stable = stable
        self.collider_rule = collider_rule
        self.missing = missing
        self.statistics = statistics
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        ends = Ends(names, knowledge)
        skeleton = prune_skeleton(
            asker,
            len(names),
            ends,
            conditions="stable" if self.stable else "original",
            max_conditioning=self.max_conditioning,
            run=run,
        )
        lines = Links(len(names), lines=skeleton.edges)
        oriented = orient(lines, self._colliders(lines, skeleton.separators, asker), ends, asker)
        return constraint_outcome(names, skeleton, oriented, asker, run)

    def _colliders(self, lines: Links, separators: Separators, asker: Asker) -> Colliders:
        triples = unshielded_triples(lines)
        if self.collider_rule == "first":
            return colliders_by_separator(triples, separators, asker)
        return colliders_by_vote(
            triples,
            lines,
            separators,
            asker,
            rule=self.collider_rule,
            max_conditioning=self.max_conditioning,
        )
