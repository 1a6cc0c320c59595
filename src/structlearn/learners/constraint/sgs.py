"""The SGS algorithm."""

from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker
from structlearn.learners.asking_learner import AskingLearner
from structlearn.learners.constraint.directions.collider_votes import every_separator
from structlearn.learners.constraint.directions.cycles import without_known_cycles
from structlearn.learners.constraint.directions.orientation import (
    Colliders,
    Oriented,
    as_triples,
    orient,
    unshielded_triples,
)
from structlearn.learners.constraint.directions.told_directions import told_arrows
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.results import constraint_outcome
from structlearn.learners.constraint.skeletons.skeleton import (
    Skeleton,
    links_of_varying,
    prune_skeleton,
    skeleton_given_the_rest,
)
from structlearn.learners.option_groups import Conditioned
from structlearn.options import Flag, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run

SeparatingSets = Literal["any", "rest"]


class SGS(Conditioned, AskingLearner):
    """Join two columns unless some set of the others makes them independent: every set is tried."""

    undirected: bool = option(
        Flag(),
        "Whether to stop at the undirected graph, the structure of a Markov random field.",
        default=False,
    )
    separators: SeparatingSets = option(
        one_of(SeparatingSets),
        "Which sets of columns may separate the ends of an edge of an undirected graph. Any, or only all the "
        "other columns together. The two agree where an undirected graph is the truth; where a DAG is, "
        '"any" gives its skeleton and "rest" its moral graph.',
        default="any",
    )

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        known_pairs = KnownPairs(names, knowledge)
        if self.undirected:
            known_pairs.refuse_directions("SGS(undirected=True)", names)
        if self.undirected and self.separators == "rest":
            skeleton = skeleton_given_the_rest(asker, len(names), known_pairs, run)
        else:
            skeleton = prune_skeleton(
                asker,
                len(names),
                known_pairs,
                conditions="all",
                max_conditioning=self.max_conditioning,
                run=run,
            )
        skeleton = without_known_cycles(skeleton, known_pairs)
        lines = Links(len(names), lines=skeleton.edges)
        if self.undirected:
            oriented = Oriented(lines, [])
        else:
            colliders = self._colliders(lines, skeleton, asker)
            told = told_arrows(asker, lines, self.max_conditioning)
            oriented = orient(lines, colliders, known_pairs, asker, told=told)
        return constraint_outcome(names, skeleton, oriented, asker, run)

    def _colliders(self, lines: Links, skeleton: Skeleton, asker: Asker) -> Colliders:
        """The triples whose ends no set with their middle separates."""
        triples = unshielded_triples(lines, asker.must_stop)
        pairs, of_pair = np.unique(triples[:, [0, 2]], axis=0, return_inverse=True)
        everything = links_of_varying(asker, lines.n_nodes)
        found = every_separator(pairs, everything, skeleton.separators, asker, self.max_conditioning)
        colliders = [
            (a, b, c)
            for (a, b, c), pair in zip(triples.tolist(), of_pair.ravel().tolist(), strict=True)
            if found.get(pair) and not any(b in given for given, _ in found[pair])
        ]
        return Colliders(as_triples(colliders), as_triples(()))

    details: ClassVar[str] = """
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
