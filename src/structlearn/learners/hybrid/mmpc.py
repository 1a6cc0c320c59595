"""Max-min parents and children."""

from dataclasses import replace
from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.independence.asking import Asker
from structlearn.learners.asking_learner import AskingLearner
from structlearn.learners.constraint.directions.cycles import without_known_cycles
from structlearn.learners.constraint.directions.orientation import Oriented
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.results import constraint_outcome
from structlearn.learners.hybrid.max_min.options import MaxMin
from structlearn.learners.hybrid.max_min.parents_and_children import Symmetry, find_parents_and_children
from structlearn.learners.hybrid.skeletons.joins import Joins
from structlearn.learners.hybrid.skeletons.named_skeleton import by_name, with_known_directions
from structlearn.learners.option_groups import Counted
from structlearn.options import one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run
from structlearn.search.limits import Limits


class MMPC(MaxMin, Counted, AskingLearner):
    """Find the parents and children of every column: those that depend on it whatever else is given."""

    symmetry: Symmetry = option(
        one_of(Symmetry),
        "Whether both of two columns, or one, must choose the other for them to be joined.",
        default="and",
    )

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        limits = Limits.of(names, knowledge)
        found = find_parents_and_children(asker, Joins.of(limits), self, run, symmetry=self.symmetry)
        possible = without_known_cycles(found.skeleton, KnownPairs(names, knowledge))
        found = replace(found, skeleton=possible)
        links = with_known_directions(found.skeleton.edges, limits)
        outcome = constraint_outcome(names, found.skeleton, Oriented(links, []), asker, run)
        return replace(
            outcome,
            extra={
                "neighbors": by_name(found.is_neighbor, names),
                "one_sided": by_name(found.one_sided, names),
                "n_skipped": found.n_skipped,
            },
        )

    details: ClassVar[str] = """
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
    conflicts_ : tuple of str
        Edges that were left out, as the only directions that knowledge allows close a cycle with others.
    trace_ : dict of arrays
        Step by step: "step" ("alone", "grow", "shrink"), "tests" so far and "members" of all columns
        together.

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
