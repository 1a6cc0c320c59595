"""The Grow-Shrink algorithm."""

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs.equivalence import propagate
from structlearn.graphs.links import Links
from structlearn.independence import TEST, IndependenceTest
from structlearn.independence.asking import Asker
from structlearn.learners.base import ALPHA
from structlearn.learners.constraint.asking_learner import AskingLearner
from structlearn.learners.constraint.blankets import Blankets, all_blankets
from structlearn.learners.constraint.cycles import break_cycles, directed_along_paths, put_back_reversed
from structlearn.learners.constraint.ends import Ends
from structlearn.learners.constraint.neighbourhoods import RandomChoice, Within, arrows_into_common_children
from structlearn.learners.constraint.orientation import Oriented
from structlearn.learners.constraint.results import constraint_outcome
from structlearn.learners.constraint.separators import Separators
from structlearn.learners.constraint.skeleton import MAX_CONDITIONING, Skeleton
from structlearn.options import Flag, OneOf, Rules, Whole
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.statistics import Counting, Missing


class GrowShrink(AskingLearner):
    """Find each column's Markov blanket, then which of it are neighbours, then their directions.

    Parameters
    ----------
    test : str, IndependenceTest or None, default None
        The test of independence, as for `sl.PC`.
    alpha : float, default 0.05
        The significance level of each test.
    max_conditioning : int or None, default None
        The most columns to condition on at once.
    symmetry : {"and", "or"}, default "and"
        Whether two columns are in each other's blanket when both say so, or when one does.
    undirected : bool, default False
        Whether to stop at the blankets: the structure of a Markov random field.
    randomized : bool, default False
        Whether to try only a random choice of subsets where all of a blanket would be too many.
    n_subsets : int, default 32
        How many subsets that choice has, the empty and the whole one among them.
    propagation : {"meek", "original"}, default "meek"
        Which arrows follow from others: by Meek's rules, or only those along directed paths.
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
    random_state : int or None, default None
        The seed of the random subsets.
    time_limit : float or None, default None
        Seconds after which the graph so far is returned.
    progress : bool or None, default None
        Whether to show a progress bar; by default only in a terminal.

    Attributes
    ----------
    graph_ : Graph
        A partially directed graph, or an undirected one.
    blankets_ : dict
        The Markov blanket of each column.
    separating_sets_ : mapping
        For each pair of a blanket without an edge, the set found to separate it and the p-value.
    evidence_ : dict
        The largest p-value of each edge.
    conflicts_ : tuple of str
        Arrows that were turned or left out to break a directed cycle, or against the knowledge.
    trace_ : dict of arrays
        Step by step: "step", "tests", "edges".
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
    The steps of [1]_ with the corrections of [2]_: blankets; neighbours, which no subset of the smaller
    blanket separates; arrows x ← y where some other neighbour z of x depends on y given x and any
    subset; cycles broken at the arrow on most of them; those arrows put back the other way round;
    propagation.

    References
    ----------
    .. [1] Margaritis and Thrun (1999), Bayesian network induction via local neighborhoods, NIPS 12.
    .. [2] Margaritis (2003), Learning Bayesian network model structure from data, PhD thesis,
       Carnegie Mellon University.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcd", directed=[("a", "b"), ("c", "b"), ("b", "d")])
    >>> learner = sl.GrowShrink().fit(sl.Oracle(truth))
    >>> learner.blankets_["a"]
    ('b', 'c')
    >>> learner.graph_ == truth
    True
    """

    rules: ClassVar[Rules] = {
        "test": TEST,
        "alpha": ALPHA,
        "max_conditioning": MAX_CONDITIONING,
        "symmetry": OneOf(("and", "or"), "whether both of two blankets, or one, must have the other column"),
        "undirected": Flag("whether to learn an undirected graph"),
        "randomized": Flag("whether to try only a random choice of subsets"),
        "n_subsets": Whole(2, "how many subsets a random choice has"),
        "propagation": OneOf(("meek", "original"), "which arrows follow from others"),
    }

    def __init__(
        self,
        *,
        test: str | IndependenceTest | None = None,
        alpha: float = 0.05,
        max_conditioning: int | None = None,
        symmetry: Literal["and", "or"] = "and",
        undirected: bool = False,
        randomized: bool = False,
        n_subsets: int = 32,
        propagation: Literal["meek", "original"] = "meek",
        missing: Missing = "error",
        statistics: Counting = "memory",
        knowledge: Knowledge | None = None,
        n_jobs: int | None = None,
        random_state: int | None = None,
        time_limit: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.test = test
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.symmetry = symmetry
        self.undirected = undirected
        self.randomized = randomized
        self.n_subsets = n_subsets
        self.propagation = propagation
        self.missing = missing
        self.statistics = statistics
        self.knowledge = knowledge
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.time_limit = time_limit
        self.progress = progress

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        ends = Ends(names, knowledge)
        if self.undirected:
            ends.refuse_directions("GrowShrink(undirected=True)", names)
        steps = _Steps(asker)
        blankets = all_blankets(
            asker, len(names), ends, symmetry=self.symmetry, max_conditioning=self.max_conditioning, run=run
        )
        steps.add("blankets", len(blankets.pairs))
        if self.undirected:
            skeleton = _joined_blankets(blankets, ends)
            oriented = Oriented(Links(len(names), lines=skeleton.edges), [])
        else:
            within = Within(asker, Links(len(names), lines=blankets.pairs), self._choice())
            skeleton = _neighbors(within, blankets, ends)
            steps.add("neighbours", len(skeleton.edges))
            oriented = self._oriented(Links(len(names), lines=skeleton.edges), within, ends)
            steps.add("arrows", len(oriented.links.arrows))
        skeleton.trace = steps.columns
        outcome = constraint_outcome(names, skeleton, oriented, asker, run)
        return replace(outcome, extra={"blankets": blankets.by_name(names)})

    def _choice(self) -> RandomChoice | None:
        if not self.randomized:
            return None
        seed = np.random.default_rng(self.random_state).integers(2**32)
        return RandomChoice(self.n_subsets, int(seed))

    def _oriented(self, lines: Links, within: Within, ends: Ends) -> Oriented:
        """Direct what the tests say, break cycles, turn the arrows that did, and propagate."""
        known = {(a, b) for a, b in ends.directions(lines.lines).tolist()}
        arrows, conflicts = arrows_into_common_children(within, lines, known)
        removed = break_cycles(arrows, fixed=known)
        put_back_reversed(arrows, removed)
        joined = {frozenset(arrow) for arrow in arrows}
        left = [edge for edge in lines.lines.tolist() if frozenset(edge) not in joined]
        links = Links(lines.n_nodes, arrows=sorted(arrows), lines=left)
        if self.propagation == "original":
            return Oriented(directed_along_paths(links), [*conflicts, *removed])
        closed, refused = propagate(links)
        return Oriented(closed, [*conflicts, *removed, *refused])


def _joined_blankets(blankets: Blankets, ends: Ends) -> Skeleton:
    is_edge = ends.may_be_edge(blankets.pairs)
    nothing = Separators(blankets.n_nodes, [])
    return Skeleton(blankets.pairs[is_edge], blankets.largest_p[is_edge], nothing)


def _neighbors(within: Within, blankets: Blankets, ends: Ends) -> Skeleton:
    """The pairs of blankets that no subset of the smaller one separates."""
    largest_p, separators = within.separate(blankets.pairs)
    is_edge = ~np.isnan(largest_p) & ends.may_be_edge(blankets.pairs) | ends.must_be_edge(blankets.pairs)
    return Skeleton(blankets.pairs[is_edge], np.nan_to_num(largest_p[is_edge], nan=1.0), separators)


class _Steps:
    """How many tests each step took, and what was left after it."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._n_before = 0
        self.columns: dict[str, list[object]] = {"step": [], "tests": [], "edges": []}

    def add(self, step: str, n_edges: int) -> None:
        values = (step, self._asker.n_tests - self._n_before, n_edges)
        self._n_before = self._asker.n_tests
        for column, value in zip(self.columns.values(), values, strict=True):
            column.append(value)
