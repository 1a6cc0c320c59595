"""Max-min parents and children."""

from dataclasses import replace
from typing import ClassVar

from structlearn.data import Knowledge, Oracle
from structlearn.independence import TEST, IndependenceTest, SeparationOracle, test_for
from structlearn.learners.base import ALPHA, Learner
from structlearn.learners.constraint.orientation import Oriented
from structlearn.learners.constraint.results import constraint_outcome
from structlearn.learners.hybrid.max_min.parents_and_children import (
    Joins,
    MaxMinOptions,
    Symmetry,
    find_parents_and_children,
)
from structlearn.learners.hybrid.max_min.reliable_asker import RELIABILITIES, Reliability
from structlearn.learners.hybrid.skeletons.named_skeleton import by_name, with_known_directions
from structlearn.options import Above, OneOf, OrNone, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Counting, Missing, Statistics

MAX_MIN_RULES: Rules = {
    "test": TEST,
    "alpha": ALPHA,
    "max_conditioning": OrNone(Whole(0, "the most columns to condition on at once"), "no limit"),
    "symmetry": OneOf(("and", "or"), "whether both of two columns, or one, must choose the other"),
    "reliability": OneOf(RELIABILITIES, "what becomes of a test with too few rows"),
    "min_rows_per_cell": Above(0, "how many rows a test needs for each cell of its table"),
}


class MMPC(Learner):
    """Find the parents and children of every column: those that depend on it whatever else is given.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        The test of independence, as for `sl.PC`.
    alpha : float, default 0.05
        The significance level of each test.
    max_conditioning : int or None, default None
        The most columns to condition on at once.
    symmetry : {"and", "or"}, default "and"
        Whether two columns are joined when each chooses the other, or when one does.
    reliability : {"skip", "independent", "none"}, default "skip"
        What becomes of a test with too few rows: it is not made, so that the set in question decides
        nothing; it counts as independence; or it is made all the same. Columns that cannot even be
        tested alone are not joined.
    min_rows_per_cell : float, default 5.0
        How many rows a test needs for each joint state of its discrete columns.
    missing : {"error", "drop", "testwise"}, default "error"
        What to do about missing values: refuse them, leave out every row that has one, or let each
        test use the rows that have a value in all of its columns.
    statistics : {"memory", "adtree"}, default "memory"
        How discrete columns are counted: from the rows for each test, or off an AD-tree that is grown
        first, which pays for many tests on many rows. The graph is the same.
    knowledge : Knowledge or None, default None
        Edges that must or may not be there; those that it directs are directed.
    n_jobs : int or None, default None
        How many threads share the tests; -1 for all.
    time_limit : float or None, default None
        Seconds after which the graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        The skeleton: edges without directions, other than those that knowledge gives. The p-value of
        an edge is the largest of the tests that it survived.
    neighbors_ : dict
        The parents and children of each column.
    one_sided_ : dict
        What each column chose, before the choices of the other ends are looked at.
    separating_sets_ : mapping
        For each pair without an edge, the first set found to separate it and the p-value.
    n_tests_ : int
        How many tests were made.
    n_skipped_ : int
        How many were not, for want of rows.
    evidence_ : dict
        The largest p-value of each edge.
    trace_ : dict of arrays
        Step by step: "step" ("alone", "grow", "shrink"), "tests" so far and "members" of all columns
        together.
    status_ : str
        How the run ended.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of str
        Their names, where the table has them.

    Notes
    -----
    A column chooses, one after the other, what depends on it most: of all tests given subsets of
    what it has chosen so far, the one with the largest p-value counts, and what a subset makes
    independent is never chosen. Then it drops what some subset of the other choices makes
    independent. A choice that is not mutual is a descendant, not a neighbour [1]_. Association is
    compared by the logarithm of the p-value, since the p-values themselves are often too small
    for a float.

    References
    ----------
    .. [1] Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure
       learning algorithm, Machine Learning 65.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcd", directed=[("a", "b"), ("c", "b"), ("b", "d")])
    >>> learner = sl.MMPC().fit(sl.Oracle(truth))
    >>> learner.neighbors_["b"]
    ('a', 'c', 'd')
    >>> learner.neighbors_["a"]
    ('b',)
    """

    rules: ClassVar[Rules] = MAX_MIN_RULES

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        max_conditioning: int | None = None,
        symmetry: Symmetry = "and",
        reliability: Reliability = "skip",
        min_rows_per_cell: float = 5.0,
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
        self.symmetry = symmetry
        self.reliability = reliability
        self.min_rows_per_cell = min_rows_per_cell
        self.missing = missing
        self.statistics = statistics
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.progress = progress

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        test = test_for("MMPC", self.test, statistics)
        return self._learn_with(test, statistics, statistics.names, knowledge, run)

    def _learn_from_oracle(self, oracle: Oracle, knowledge: Knowledge, run: Run) -> Outcome:
        names = tuple(sorted(oracle.names))
        return self._learn_with(SeparationOracle.of(oracle, names), None, names, knowledge, run)

    def _learn_with(
        self,
        test: IndependenceTest,
        statistics: Statistics | None,
        names: tuple[str, ...],
        knowledge: Knowledge,
        run: Run,
    ) -> Outcome:
        options = MaxMinOptions(
            alpha=self.alpha,
            max_conditioning=self.max_conditioning,
            symmetry=self.symmetry,
            reliability=self.reliability,
            min_rows_per_cell=self.min_rows_per_cell,
        )
        found = find_parents_and_children(test, statistics, Joins.of(names, knowledge), options, run)
        links = with_known_directions(names, found.skeleton.edges, knowledge)
        outcome = constraint_outcome(names, found.skeleton, Oriented(links, []), found.asker, run)
        return replace(
            outcome,
            conflicts=None,
            extra={
                "neighbors": by_name(found.is_neighbor, names),
                "one_sided": by_name(found.one_sided, names),
                "n_skipped": found.n_skipped,
            },
        )
