"""The FCI algorithm."""

from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.independence.asking import Asker
from structlearn.learners.asking_learner import AskingLearner
from structlearn.learners.constraint.marks.possible_separators import PossibleSeparators, prune_further
from structlearn.learners.constraint.marks.results import pag_outcome
from structlearn.learners.constraint.marks.settling import settled
from structlearn.learners.constraint.marks.verdicts import Verdicts
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.pruning_options import Selecting
from structlearn.learners.constraint.skeletons.tiers import Tiers
from structlearn.learners.option_groups import Counted
from structlearn.options import OrNone, Whole, option
from structlearn.outcome import Outcome
from structlearn.run import Run


class FCI(Selecting, Counted, AskingLearner):
    """Find what may be said of causes when some of them may be hidden: a graph with a mark at each end."""

    max_pds: int | None = option(
        OrNone(Whole(0), "no limit"),
        "The most columns around an end of an edge that the second stage conditions it on. It tries "
        "all of their subsets, twice as many with each column, and one wrong answer removes an edge that is "
        "there; the nearest are kept, and `status_` says so. An edge may be left that more would have "
        "removed; no mark becomes wrong.",
        default=4,
    )

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        known_pairs = KnownPairs(names, knowledge)
        known_pairs.refuse_forbidden_causes(run.owner, names)
        tiers = Tiers(names, knowledge) if knowledge.tiers and not self.selection else None
        skeleton = self._pruned(asker, len(names), known_pairs, run, tiers=tiers)
        most = None if asker.knows_separators else self.max_pds
        further = PossibleSeparators.of(skeleton, asker, most)
        if further.n_cut:
            run.note(f"Around {further.n_cut} columns the second stage kept the {most} nearest (max_pds).")
        skeleton = prune_further(
            asker,
            skeleton,
            further,
            known_pairs=known_pairs,
            max_conditioning=self.max_conditioning,
            run=run,
            tiers=tiers,
        )
        verdicts = Verdicts(self.collider_rule, skeleton, asker, self.max_conditioning)
        edges = settled(verdicts, known_pairs, names, applied=self._applied_rules())
        return pag_outcome(names, skeleton, edges, asker, run)

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A PAG. A tail at a says that a is a cause of the other end (or of what decided which rows there are),
        an arrow that it is none, a circle that it is open. With an oracle, the PAG of the true graph.
    separating_sets_ : mapping
        For each pair without an edge, the first set found to separate it and the p-value.
    evidence_ : dict
        The largest p-value of each edge.
    mark_evidence_ : dict
        By (a, b), the rule that set the mark at b of the edge between a and b, and the columns it looked at.
    conflicts_ : tuple of str
        What rules ask for but marks that were there before contradict: the rule and its columns.
    trace_ : dict of arrays
        Level by level, of both stages: "conditions", "tests", "removed" and "edges" left.
    n_tests_ : int
        How many tests were made.

    Notes
    -----
    Knowledge speaks of causes, direct or not: a forbidden arrow a → b and tiers say that a is no cause of b,
    which puts an arrow at a if they are joined; forbidden both ways, the two have no edge. With
    `selection=False` nothing is conditioned on that is in a later tier than both ends. All other marks
    come from tests, by rule R0 to R10 of [2]_, and a mark is never overwritten.

    References
    ----------
    .. [1] Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 6.7.
    .. [2] Zhang (2008), On the completeness of orientation rules for causal discovery in the presence of
       latent confounders and selection bias, Artificial Intelligence 172.
    .. [3] Colombo, Maathuis, Kalisch and Richardson (2012), Learning high-dimensional directed acyclic
       graphs with latent and selection variables, Annals of Statistics 40.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcdu", directed=["ab", "ub", "uc", "dc"])
    >>> print(sl.FCI().fit(sl.Oracle(truth, latent="u")).graph_)
    Graph with 4 nodes and 3 edges
      a o→ b
      b ↔ c
      d o→ c
    """
