"""The SGS algorithm."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence import TEST, IndependenceTest
from structlearn.independence.asking import Asker
from structlearn.learners.base import ALPHA
from structlearn.learners.constraint.asking_learner import AskingLearner
from structlearn.learners.constraint.collider_votes import every_separator
from structlearn.learners.constraint.ends import Ends
from structlearn.learners.constraint.orientation import (
    Colliders,
    Oriented,
    as_triples,
    orient,
    unshielded_triples,
)
from structlearn.learners.constraint.results import constraint_outcome
from structlearn.learners.constraint.skeleton import (
    MAX_CONDITIONING,
    Skeleton,
    complete_links,
    prune_skeleton,
    skeleton_given_the_rest,
)
from structlearn.options import Flag, OneOf, Rules
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Missing


class SGS(AskingLearner):
    """Join two columns unless some set of the others makes them independent: every set is tried.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        The test of independence, as for `sl.PC`.
    alpha : float, default 0.05
        The significance level of each test.
    max_conditioning : int or None, default None
        The most columns to condition on at once.
    undirected : bool, default False
        Whether to stop at the undirected graph: the structure of a Markov random field.
    separators : {"any", "rest"}, default "any"
        For an undirected graph: whether an edge goes when any set of columns separates its ends, or only
        when all the other columns together do. The two agree where an undirected graph is the
        truth; where a DAG is, "any" gives its skeleton and "rest" its moral graph.
    missing : {"error", "drop", "testwise"}, default "error"
        What to do about missing values: refuse them, leave out every row that has one, or let each
        test use the rows that have a value in all of its columns.
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
        A partially directed graph; with an oracle, the CPDAG of the true one.
    separating_sets_ : mapping
        For each pair without an edge, the first set found to separate it and the p-value.
    evidence_ : dict
        The largest p-value of each edge.
    conflicts_ : tuple of str
        Colliders that the tests ask for but that contradict others or the knowledge.
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
    A reference to judge others by: it needs nothing but the tests, and up to 2^(p - 2) of them per
    pair, so a dozen columns are many. Arrows a → b ← c meet where no set that has b separates a
    and c.

    References
    ----------
    .. [1] Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 5.4.1.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abc", directed=[("a", "b"), ("c", "b")])
    >>> sl.SGS().fit(sl.Oracle(truth)).graph_ == truth
    True
    """

    rules: ClassVar[Rules] = {
        "test": TEST,
        "alpha": ALPHA,
        "max_conditioning": MAX_CONDITIONING,
        "undirected": Flag("whether to learn an undirected graph"),
        "separators": OneOf(("any", "rest"), "which sets of columns may separate the ends of an edge"),
    }

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        max_conditioning: int | None = None,
        undirected: bool = False,
        separators: Literal["any", "rest"] = "any",
        missing: Missing = "error",
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.undirected = undirected
        self.separators = separators
        self.missing = missing
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        ends = Ends(names, knowledge)
        if self.undirected:
            ends.refuse_directions("SGS(undirected=True)", names)
        if self.undirected and self.separators == "rest":
            skeleton = skeleton_given_the_rest(asker, len(names), ends)
        else:
            skeleton = prune_skeleton(
                asker, len(names), ends, conditions="all", max_conditioning=self.max_conditioning, run=run
            )
        lines = Links(len(names), lines=skeleton.edges)
        if self.undirected:
            oriented = Oriented(lines, [])
        else:
            oriented = orient(lines, self._colliders(lines, skeleton, asker), ends, asker)
        return constraint_outcome(names, skeleton, oriented, asker, run)

    def _colliders(self, lines: Links, skeleton: Skeleton, asker: Asker) -> Colliders:
        """The triples whose ends no set with their middle separates."""
        triples = unshielded_triples(lines)
        pairs, of_pair = np.unique(triples[:, [0, 2]], axis=0, return_inverse=True)
        everything = complete_links(lines.n_nodes)
        found = every_separator(pairs, everything, skeleton.separators, asker, self.max_conditioning)
        colliders = [
            (a, b, c)
            for (a, b, c), pair in zip(triples.tolist(), of_pair.ravel().tolist(), strict=True)
            if found[pair] and not any(b in given for given, _ in found[pair])
        ]
        return Colliders(as_triples(colliders), as_triples(()))
