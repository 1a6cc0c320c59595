"""Shrinkage partial correlations."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.constraint.chance.chance import Judgement, Null
from structlearn.learners.constraint.chance.long_tails import judged_columns
from structlearn.learners.constraint.chance.low_orders import pairs_among
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.option_groups import InformedOfPairs
from structlearn.learners.preconditions import check_columns
from structlearn.numerics.shrunken_correlations import (
    best_shrinkage,
    partial_correlations,
    refuse_few_rows,
    standardised_rows,
)
from structlearn.options import Between, OrNone, Whole, one_of, option
from structlearn.outcome import EdgeEvidence, Outcome, edges_of
from structlearn.run import Run
from structlearn.statistics import Statistics

# Shrunk entirely, a few strong correlations among many of chance would be gone; their scale does not matter.
MOST_SHRINKAGE = 0.99


class ShrinkagePartialCorrelation(InformedOfPairs, Learner):
    """Join the columns whose partial correlation, from a shrunken matrix, is more than chance."""

    only: ClassVar[Kind] = "continuous"
    needs_full_rank = False
    weight_means = "weight"
    shrinkage: float | None = option(
        OrNone(Between(0, 1), "what minimises the expected error"),
        "How far correlations are shrunk towards zero.",
        default=None,
    )
    null: Null = option(
        one_of(Null),
        "How to know chance: from the small correlations [3]_, or by a mixture with a uniform law [1]_.",
        default="censored",
    )
    min_probability: float = option(
        Between(0, 1), "How probable an edge must be: 1 less its local false discovery rate.", default=0.8
    )
    max_q_value: float | None = option(
        OrNone(Between(0, 1), "by probability"),
        "Up to which false discovery rate to take edges instead.",
        default=None,
    )
    n_edges: int | None = option(
        OrNone(Whole(0), "by probability"), "How many of the strongest edges to take instead.", default=None
    )

    def _learn(self, statistics: Statistics, knowledge: Knowledge, run: Run) -> Outcome:
        names, rows = statistics.names, standardised_rows(run.owner, statistics)
        known_pairs = KnownPairs(names, knowledge)
        known_pairs.refuse_directions(run.owner, names)
        shrinkage = min(best_shrinkage(rows), MOST_SHRINKAGE) if self.shrinkage is None else self.shrinkage
        if shrinkage == 0.0:
            check_columns(statistics, run)
            refuse_few_rows(run.owner, len(np.unique(rows, axis=0)), len(names))
        partial = partial_correlations(rows, shrinkage)
        pairs = pairs_among(np.flatnonzero(rows.any(axis=0)))  # what never varies does not show chance
        rho = partial[pairs[:, 0], pairs[:, 1]]
        by = judged_columns(statistics, rows, rho, shrinkage, self.null, run)
        chosen = known_pairs.must_be_edge(pairs) | self._chosen(rho, by) & known_pairs.may_be_edge(pairs)
        evidence = {
            (names[a], names[b]): EdgeEvidence(float(rho[i]), float(by.p_value[i]), float(by.probability[i]))
            for i, (a, b) in enumerate(pairs.tolist())
            if chosen[i]
        }
        return Outcome(
            graph=Graph(names, edges=edges_of(evidence, "undirected")),
            status=run.status,
            evidence=evidence,
            by_pair={"partial_correlations": partial},
            extra={"shrinkage": shrinkage, "null": by.null},
        )

    def _chosen(self, rho: NDArray[np.float64], by: Judgement) -> NDArray[np.bool_]:
        if self.n_edges is not None:
            strongest = np.argsort(-np.abs(rho), kind="stable")[: self.n_edges]
            return np.isin(np.arange(len(rho)), strongest)
        if self.max_q_value is not None:
            return by.q_value <= self.max_q_value
        return by.probability > self.min_probability

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        An undirected graph; weights are partial correlations, confidences are probabilities.
    shrinkage_ : float
        The shrinkage used.
    partial_correlations_ : array
        All of them, in the order of `graph_.nodes`.
    null_ : NullModel
        How chance looks: its degrees of freedom and its share among all pairs.
    evidence_ : dict
        The p-value and the probability of each edge.

    Notes
    -----
    For more columns than rows. With few pairs, and more rows than columns, p-values are those of the partial
    correlations without shrinkage, by theory; where rows make up most of some columns, by shuffled columns.
    Probabilities are then 1 less Benjamini and Hochberg's false discovery rate. The shrinkage is by [2]_.

    References
    ----------
    .. [1] Schäfer and Strimmer (2005), An empirical Bayes approach to inferring large-scale gene association
       networks, Bioinformatics 21.
    .. [2] Schäfer and Strimmer (2005), A shrinkage approach to large-scale covariance matrix estimation and
       implications for functional genomics, Statistical Applications in Genetics and Molecular Biology 4.
    .. [3] Strimmer (2008), A unified approach to false discovery rate estimation, BMC Bioinformatics 9.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(20, 30))
    >>> rows[:, 1] += 3 * rows[:, 0]
    >>> sl.ShrinkagePartialCorrelation(n_edges=1).fit(rows).graph_.undirected
    (('x0', 'x1'),)
    """
