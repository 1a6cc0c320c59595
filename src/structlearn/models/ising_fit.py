"""The parameters of an Ising model from rows, without shrinkage."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.models.spins import Spins
from structlearn.models.undirected_model import Objective
from structlearn.numerics.junction_tree import TooWideError
from structlearn.numerics.log_linear.exact_likelihood import ExactLikelihood
from structlearn.numerics.log_linear.indicators import Features, Indicators
from structlearn.numerics.log_linear.pseudo_likelihood import PseudoLikelihood
from structlearn.numerics.sparse_optimum import Floats, sparse_optimum

LARGEST = 15.0  # of a weight: e¹⁵ is more than any odds that a million rows can show


def fit_spins(
    indicators: Indicators,
    edges: NDArray[np.int64],
    *,
    objective: Objective | None,
    ridge: float,
    couplings: Floats | None,
) -> tuple[Spins, Objective]:
    """The parameters of largest likelihood or pseudo-likelihood, and which of them it is.

    `indicators` has one for each node. `couplings`, for states -1 and 1, stay as they are; where
    they are None they are estimated, less `ridge` times the sum of their squares.
    """
    singles = indicators.singletons(2)
    features = np.concatenate([singles, edges])
    likelihood, used = _likelihood(indicators, features, objective)
    shares = indicators.means(singles)
    fields = np.log(shares / (1.0 - shares))
    if couplings is not None:
        found = sparse_optimum(_FieldsOnly(likelihood, 4.0 * couplings), fields, np.zeros(len(fields)))
        return Spins.from_zero_one(edges, found, 4.0 * couplings), used
    # A coupling is a quarter of the weight of its feature, and the likelihood is that of one row.
    ridges = np.repeat([0.0, ridge / (8.0 * indicators.size)], [len(fields), len(edges)])
    start = np.concatenate([fields, np.zeros(len(edges))])
    found = sparse_optimum(likelihood, start, np.zeros(len(start)), ridges=ridges)
    return Spins.from_zero_one(edges, found[: len(fields)], found[len(fields) :]), used


def refuse_empty_cells(indicators: Indicators, nodes: tuple[str, ...], edges: NDArray[np.int64]) -> None:
    """Refuse ends of an edge that are never in some two states: their coupling would be infinite."""
    a, b = edges.T
    means, together = indicators.means(indicators.singletons(2)), indicators.means(edges)
    cells = np.stack([together, means[a] - together, means[b] - together, 1 - means[a] - means[b] + together])
    empty = np.flatnonzero(
        cells.min(axis=0, initial=1.0) < 0.5 * indicators.shares[indicators.shares > 0.0].min()
    )
    if len(empty):
        one, other = (nodes[i] for i in edges[empty[0]])
        raise DataError(
            f"fit: {one!r} and {other!r} are joined, and some two of their states never occur together, so "
            "that the likelihood has no maximum. Give a ridge above 0, say ridge=1, or drop that edge."
        )


def refuse_infinite_couplings(spins: Spins, nodes: tuple[str, ...]) -> None:
    """Refuse couplings that have run away."""
    wrong = np.flatnonzero(4.0 * np.abs(spins.couplings) > LARGEST)
    if len(wrong):
        one, other = (nodes[i] for i in spins.edges[wrong[0]])
        raise DataError(
            f"fit: the coupling of {one!r} and {other!r} grows without limit: the rows leave no doubt about "
            "one given its neighbours. Give a ridge above 0, say ridge=1."
        )


def _likelihood(
    indicators: Indicators, features: Features, objective: Objective | None
) -> tuple[ExactLikelihood | PseudoLikelihood, Objective]:
    if objective == "pseudo":
        return PseudoLikelihood(indicators, features), "pseudo"
    try:
        return ExactLikelihood(indicators, features), "exact"
    except TooWideError as error:
        if objective == "exact":
            raise DataError(f"fit(objective='exact'): {error}. Use objective='pseudo'.") from None
    return PseudoLikelihood(indicators, features), "pseudo"


class _FieldsOnly:
    """A likelihood whose couplings, behind the fields, stay as they are."""

    def __init__(self, likelihood: ExactLikelihood | PseudoLikelihood, couplings: Floats) -> None:
        self._likelihood, self._couplings = likelihood, couplings

    def at(self, fields: Floats) -> tuple[float, Floats]:
        value, gradient = self._likelihood.at(np.concatenate([fields, self._couplings]))
        return value, gradient[: len(fields)]
