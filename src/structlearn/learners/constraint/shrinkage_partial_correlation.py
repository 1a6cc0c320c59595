"""Shrinkage partial correlations."""

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Knowledge
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.learners.base import Learner
from structlearn.learners.constraint.known_pairs import KnownPairs
from structlearn.learners.constraint.local_fdr import (
    NullModel,
    chance_p_values,
    discoveries,
    fit_mixture,
    fit_null,
)
from structlearn.learners.constraint.multiplicity import adjusted
from structlearn.learners.option_groups import InformedOfPairs
from structlearn.options import Between, OrNone, Whole, one_of, option
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics, rows_of

FEWEST_ROWS = 3
FEWEST_PAIRS = 200  # below this the shape of chance cannot be seen
LEAST_FREEDOM = 4


Null = Literal["censored", "mixture"]


class ShrinkagePartialCorrelation(InformedOfPairs, Learner):
    """Join the columns whose partial correlation, from a shrunken matrix, is more than chance.

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
    trace_ : dict of arrays
        Empty: there are no steps.

    Notes
    -----
    For more columns than rows. With few pairs of columns, and more rows than columns, chance looks as
    theory says instead of as the correlations show, and probabilities are 1 less the false
    discovery rate of Benjamini and Hochberg. The best shrinkage has a closed form [2]_;
    the inverse of the shrunken matrix is found from the rows where they are fewer than the columns.

    References
    ----------
    .. [1] Schäfer and Strimmer (2005), An empirical Bayes approach to inferring large-scale gene
       association networks, Bioinformatics 21.
    .. [2] Schäfer and Strimmer (2005), A shrinkage approach to large-scale covariance matrix
       estimation and implications for functional genomics, Statistical Applications in Genetics and
       Molecular Biology 4.
    .. [3] Strimmer (2008), A unified approach to false discovery rate estimation, BMC
       Bioinformatics 9.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rows = np.random.default_rng(0).normal(size=(20, 30))
    >>> rows[:, 1] += 3 * rows[:, 0]
    >>> sl.ShrinkagePartialCorrelation(n_edges=1).fit(rows).graph_.undirected
    (('x0', 'x1'),)
    """

    only: ClassVar[Kind] = "continuous"
    weight_means = "weight"
    shrinkage: float | None = option(
        OrNone(Between(0, 1), "what minimises the expected error"),
        "How far correlations are shrunk towards zero.",
        default=None,
    )
    null: Null = option(
        one_of(Null),
        "How chance is told from dependence. From the small correlations alone [3]_, or by a mixture with a "
        "uniform distribution [1]_.",
        default="censored",
    )
    min_probability: float = option(
        Between(0, 1),
        "How probable an edge must be: 1 less its local false discovery rate.",
        default=0.8,
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
        names = statistics.names
        known_pairs = KnownPairs(names, knowledge)
        known_pairs.refuse_directions("ShrinkagePartialCorrelation", names)
        rows = _standardised(statistics)
        shrinkage = best_shrinkage(rows) if self.shrinkage is None else float(self.shrinkage)
        partial = partial_correlations(rows, shrinkage)
        pairs = np.column_stack(np.triu_indices(len(names), k=1)).astype(np.int64)
        rho = partial[pairs[:, 0], pairs[:, 1]]
        null, p_value, q_value, probability = self._judged(rho, run, freedom=len(rows) - len(names) + 1)
        chosen = self._chosen(rho, q_value, probability) & known_pairs.may_be_edge(
            pairs
        ) | known_pairs.must_be_edge(pairs)
        evidence = {
            (names[a], names[b]): EdgeEvidence(float(rho[i]), float(p_value[i]), float(probability[i]))
            for i, (a, b) in enumerate(pairs.tolist())
            if chosen[i]
        }
        return Outcome(
            graph=Graph(names, undirected=list(evidence)),
            status=run.status,
            evidence=evidence,
            by_pair={"partial_correlations": partial},
            extra={"shrinkage": shrinkage, "null": null},
        )

    def _judged(
        self, rho: NDArray[np.float64], run: Run, *, freedom: int
    ) -> tuple[NullModel, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """How chance looks, and the p-value, q-value and probability of each correlation.

        `freedom` is that of chance correlations in theory, for where there are too few to see it.
        """
        if len(rho) < 2 or not rho.any():
            nothing = np.ones(len(rho))
            return NullModel(np.inf, 1.0, 1.0), nothing, nothing, np.zeros(len(rho))
        if self.null == "mixture":
            null, local = fit_mixture(rho)
            return null, chance_p_values(rho, null.freedom), discoveries(rho, null).q_value, 1.0 - local
        if len(rho) < FEWEST_PAIRS and freedom >= LEAST_FREEDOM:
            p_value = chance_p_values(rho, freedom)
            q_value = adjusted(p_value, "bh")
            return NullModel(freedom, 1.0, 1.0), p_value, q_value, 1.0 - q_value
        if len(rho) < FEWEST_PAIRS:
            run.warn(
                f"{len(rho)} pairs of columns are few to see what chance looks like; from {FEWEST_PAIRS} on "
                "its probabilities can be relied on."
            )
        null = fit_null(rho)
        found = discoveries(rho, null)
        return null, found.p_value, found.q_value, 1.0 - found.local_fdr

    def _chosen(
        self, rho: NDArray[np.float64], q_value: NDArray[np.float64], probability: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        if self.n_edges is not None:
            strongest = np.argsort(-np.abs(rho), kind="stable")[: self.n_edges]
            return np.isin(np.arange(len(rho)), strongest)
        if self.max_q_value is not None:
            return q_value <= self.max_q_value
        return probability > self.min_probability


def best_shrinkage(rows: NDArray[np.float64]) -> float:
    """The shrinkage of correlations with the least expected squared error.

    `rows` are standardised with the unbiased variance. Sums over pairs come from two products of
    the rows with themselves, of the smaller of the two shapes.
    """
    n = len(rows)
    squares = rows**2
    # Σ_ij w̄_ij² and Σ_ij Σ_k w_kij², over all pairs, then less the diagonal.
    gram = rows @ rows.T if n < rows.shape[1] else rows.T @ rows
    all_means = float((gram**2).sum()) / n**2
    all_squares = float((squares.sum(axis=1) ** 2).sum())
    own_means = float((squares.sum(axis=0) ** 2).sum()) / n**2
    own_squares = float((squares**2).sum())
    mean_squares = all_means - own_means
    variance = n / (n - 1) ** 3 * (all_squares - own_squares - n * mean_squares)
    correlations = (n / (n - 1)) ** 2 * mean_squares
    if correlations <= 0.0:
        return 1.0
    return float(np.clip(variance / correlations, 0.0, 1.0))


def partial_correlations(rows: NDArray[np.float64], shrinkage: float) -> NDArray[np.float64]:
    """Partial correlations of the shrunken correlation matrix; 1 on the diagonal, 0 for constants."""
    n, p = rows.shape
    if shrinkage > 0.0 and n < p:
        # (λ I + (1 - λ) XᵀX / (n - 1))⁻¹ by the rows, which are fewer (Woodbury).
        scaled = rows * np.sqrt((1.0 - shrinkage) / (n - 1))
        inner = shrinkage * np.eye(n) + scaled @ scaled.T
        precision = (np.eye(p) - scaled.T @ np.linalg.solve(inner, scaled)) / shrinkage
    else:
        shrunken = (1.0 - shrinkage) * (rows.T @ rows) / (n - 1)
        np.fill_diagonal(shrunken, 1.0)
        precision = np.linalg.inv(shrunken)
    scale = np.sqrt(np.diag(precision))
    partial = -precision / np.outer(scale, scale)
    np.fill_diagonal(partial, 1.0)
    return np.asarray(partial)


def _standardised(statistics: Statistics) -> NDArray[np.float64]:
    """The rows with mean 0 and unbiased variance 1; constant columns are zero."""
    owner = "ShrinkagePartialCorrelation"
    rows = rows_of(owner, statistics, range(len(statistics.names)))
    if rows.weights is not None:
        raise DataError(f"{owner} takes no case weights.")
    if statistics.n_rows < FEWEST_ROWS:
        raise DataError(f"{owner}: {statistics.n_rows} rows are too few; it takes {FEWEST_ROWS}.")
    centred = rows.values - rows.values.mean(axis=0)
    deviation = np.sqrt((centred**2).sum(axis=0) / (len(centred) - 1))
    constant = np.diag(statistics.moments().covariance) == 0.0
    return np.where(constant, 0.0, centred / np.where(constant, 1.0, deviation))
