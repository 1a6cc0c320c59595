"""The PC algorithm."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from structlearn.certificates import about, separations
from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker
from structlearn.learners.asking_learner import AskingLearner
from structlearn.learners.certified import Certified
from structlearn.learners.constraint.directions.collider_votes import colliders_by_vote
from structlearn.learners.constraint.directions.cycles import without_known_cycles
from structlearn.learners.constraint.directions.orientation import (
    Colliders,
    colliders_by_separator,
    orient,
    unshielded_triples,
)
from structlearn.learners.constraint.directions.told_directions import told_arrows
from structlearn.learners.constraint.skeletons.by_correlation import ByCorrelation
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.on_card import card_for
from structlearn.learners.constraint.skeletons.pruning_options import Pruned
from structlearn.learners.constraint.skeletons.results import constraint_outcome
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.learners.option_groups import Counted, OnDevice
from structlearn.outcome import Outcome
from structlearn.run import Run, Status


class PC(Certified, Pruned, Counted, OnDevice, AskingLearner):
    """Prune a complete graph by tests of independence, then direct what must be directed."""

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        known_pairs = KnownPairs(names, knowledge)
        skeleton = self._pruned(
            asker,
            len(names),
            known_pairs,
            run,
            by_correlation=self._by_correlation(asker, run),
        )
        skeleton = without_known_cycles(skeleton, known_pairs)
        lines = Links(len(names), lines=skeleton.edges)
        colliders = self._colliders(lines, skeleton.separators, asker)
        told = told_arrows(asker, lines, self.max_conditioning)
        oriented = orient(lines, colliders, known_pairs, asker, told=told)
        outcome = constraint_outcome(names, skeleton, oriented, asker, run)
        if asker.statistics is None or outcome.separating_sets is None or self.targets is not None:
            return outcome
        table = about(asker.statistics, self.missing)
        levels = {
            "stable": self.stable,
            "max conditions": max(len(names) - 2, 0)
            if self.max_conditioning is None
            else self.max_conditioning,
            "end": outcome.status is Status.COMPLETE,
        }
        found = outcome.graph, outcome.separating_sets
        claims = partial(separations.content, table, repr(asker.test), self.alpha, *found)
        known = knowledge.forbidding((names[a], names[b]) for a, b in skeleton.impossible)
        return replace(outcome, claims=partial(claims, knowledge=known, levels=levels))

    def _by_correlation(self, asker: Asker, run: Run) -> ByCorrelation | None:
        on_card = card_for(self.device, asker, run, is_stable=self.stable)
        return on_card or (ByCorrelation.of(asker) if self.stable else None)

    def _colliders(self, lines: Links, separators: Separators, asker: Asker) -> Colliders:
        triples = unshielded_triples(lines, asker.must_stop)
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

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A partially directed graph; with an oracle, the CPDAG of the true one, with `targets` that of the
        DAGs that the experiments do not tell apart. The p-value of an edge is the largest of the tests that
        it survived.
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
