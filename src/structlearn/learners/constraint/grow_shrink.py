"""The Grow-Shrink algorithm."""

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker
from structlearn.learners.asking_learner import AskingLearner
from structlearn.learners.constraint.blankets.blankets import all_blankets
from structlearn.learners.constraint.blankets.neighborhoods import RandomChoice, Within
from structlearn.learners.constraint.directions.cycles import without_known_cycles
from structlearn.learners.constraint.directions.orientation import Oriented
from structlearn.learners.constraint.directions.within_blankets import Propagation, directed_within
from structlearn.learners.constraint.skeletons.blanket_skeletons import (
    Steps,
    joined_blankets,
    neighbors_within,
)
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.results import constraint_outcome
from structlearn.learners.option_groups import Conditioned, Counted, Seeded
from structlearn.options import Flag, Whole, one_of, option
from structlearn.outcome import Outcome
from structlearn.run import Run

Symmetry = Literal["and", "or"]


class GrowShrink(Conditioned, Counted, Seeded, AskingLearner):
    """Find each column's Markov blanket, then which of it are neighbours, then their directions."""

    symmetry: Symmetry = option(
        one_of(Symmetry),
        "Whether two columns are in each other's blanket when both say so, or when one does.",
        default="and",
    )
    undirected: bool = option(
        Flag(), "Whether to stop at the blankets, the structure of a Markov random field.", default=False
    )
    randomized: bool = option(
        Flag(),
        "Whether to try only a random choice of subsets where all of a blanket would be too many.",
        default=False,
    )
    n_subsets: int = option(
        Whole(2), "How many subsets that choice has, the empty and the whole one among them.", default=32
    )
    propagation: Propagation = option(
        one_of(Propagation),
        "Which arrows follow from others. By Meek's rules, or only those along directed paths.",
        default="meek",
    )

    def _learn_by_asking(
        self, asker: Asker, names: tuple[str, ...], knowledge: Knowledge, run: Run
    ) -> Outcome:
        known_pairs = KnownPairs(names, knowledge)
        if self.undirected:
            known_pairs.refuse_directions("GrowShrink(undirected=True)", names)
        steps = Steps(asker)
        blankets = all_blankets(
            asker,
            len(names),
            known_pairs,
            symmetry=self.symmetry,
            max_conditioning=self.max_conditioning,
            run=run,
        )
        steps.add("blankets", len(blankets.pairs))
        if self.undirected:
            skeleton = joined_blankets(blankets, known_pairs)
            oriented = Oriented(Links(len(names), lines=skeleton.edges), [])
        else:
            run.round_off()
            within = Within(asker, Links(len(names), lines=blankets.pairs), self._choice())
            skeleton = without_known_cycles(neighbors_within(within, blankets, known_pairs, run), known_pairs)
            steps.add("neighbours", len(skeleton.edges))
            lines = Links(len(names), lines=skeleton.edges)
            oriented = directed_within(lines, within, known_pairs, self.propagation, run)
            steps.add("arrows", len(oriented.links.arrows))
        skeleton.trace = steps.columns
        outcome = constraint_outcome(names, skeleton, oriented, asker, run)
        return replace(outcome, extra={"blankets": blankets.by_name(names)})

    def _choice(self) -> RandomChoice | None:
        seed = int(np.random.default_rng(self.random_state).integers(2**32))
        return RandomChoice(self.n_subsets, seed) if self.randomized else None

    details: ClassVar[str] = """
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

    Notes
    -----
    The steps of [1]_ with the corrections of [2]_: blankets; neighbours, which no subset of the smaller
    blanket separates; arrows x ← y where some other neighbour z of x depends on y given x and any subset;
    cycles broken at the arrow on most of them; those arrows put back the other way round; propagation.

    References
    ----------
    .. [1] Margaritis and Thrun (1999), Bayesian network induction via local neighborhoods, NIPS 12.
    .. [2] Margaritis (2003), Learning Bayesian network model structure from data, PhD thesis, CMU.

    Examples
    --------
    >>> import structlearn as sl
    >>> truth = sl.Graph("abcd", directed=[("a", "b"), ("c", "b"), ("b", "d")])
    >>> learner = sl.GrowShrink().fit(sl.Oracle(truth))
    >>> learner.blankets_["a"]
    ('b', 'c')
    """
