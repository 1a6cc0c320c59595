"""The RFCI algorithm."""

from typing import ClassVar

from structlearn.data import Knowledge
from structlearn.independence.asking import Asker
from structlearn.learners.asking_learner import AskingLearner
from structlearn.learners.constraint.marks.confirmed_edges import ConfirmedEdges, EdgeRemovedError
from structlearn.learners.constraint.marks.marked_edges import MarkedEdges
from structlearn.learners.constraint.marks.results import pag_outcome
from structlearn.learners.constraint.marks.settling import settled
from structlearn.learners.constraint.marks.verdicts import Verdicts
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.pruning_options import Selecting
from structlearn.learners.constraint.skeletons.tiers import Tiers
from structlearn.learners.option_groups import Counted
from structlearn.outcome import Outcome
from structlearn.run import Run


class RFCI(Selecting, Counted, AskingLearner):
    """Find what may be said of causes when some may be hidden, without the long second stage of FCI."""

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        known_pairs = KnownPairs(names, knowledge)
        known_pairs.refuse_forbidden_causes(run.owner, names)
        tiers = Tiers(names, knowledge) if knowledge.tiers and not self.selection else None
        skeleton = self._pruned(asker, len(names), known_pairs, run, tiers=tiers)
        confirmed = ConfirmedEdges(asker, skeleton, known_pairs)
        confirmed.confirm_triples()
        edges = self._settled(confirmed, asker, known_pairs, names)
        return pag_outcome(names, confirmed.skeleton, edges, asker, run)

    def _settled(
        self, confirmed: ConfirmedEdges, asker: Asker, known_pairs: KnownPairs, names: tuple[str, ...]
    ) -> MarkedEdges:
        """All marks that follow; from the beginning again where a test on the way removes an edge."""
        while True:
            skeleton = confirmed.skeleton
            verdicts = Verdicts(self.collider_rule, skeleton, asker, self.max_conditioning)
            try:
                return settled(
                    verdicts,
                    known_pairs,
                    names,
                    applied=self._applied_rules(),
                    confirm=confirmed.confirm_path,
                )
            except EdgeRemovedError:
                continue

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        The marks of a PAG: a tail at a says that a is a cause of the other end (or of what decided which
        rows there are), an arrow that it is none, a circle that it is open. It may have edges too many.
    separating_sets_ : mapping
        For each pair without an edge, the first set found to separate it and the p-value.
    evidence_ : dict
        The largest p-value of each edge.
    mark_evidence_ : dict
        By (a, b), the rule that set the mark at b of the edge between a and b, and the columns it looked at.
    conflicts_ : tuple of str
        What rules ask for but marks that were there before contradict: the rule and its columns.
    trace_ : dict of arrays
        Level by level of the skeleton: "conditions", "tests", "removed" and "edges" left.
    n_tests_ : int
        How many tests were made.

    Notes
    -----
    An edge may be there that FCI would have removed; what it and its marks say of causes is still true, only
    less. With an oracle the graph is that of FCI unless the second stage has something to remove,
    as in 60 of the 24,566 classes of graphs with five nodes.

    References
    ----------
    .. [1] Colombo, Maathuis, Kalisch and Richardson (2012), Learning high-dimensional directed acyclic
       graphs with latent and selection variables, Annals of Statistics 40.
    .. [2] Zhang (2008), On the completeness of orientation rules for causal discovery in the presence of
       latent confounders and selection bias, Artificial Intelligence 172.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcdu", directed=["ab", "ub", "uc", "dc"])
    >>> print(sl.RFCI().fit(sl.Oracle(truth, latent="u")).graph_)
    Graph with 4 nodes and 3 edges
      a o→ b
      b ↔ c
      d o→ c
    """
