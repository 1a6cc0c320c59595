"""Components of a table by singular values, and the correlations that they carry."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.learners.network.factors.chance import largest_by_chance
from structlearn.learners.network.factors.options import Factored
from structlearn.learners.network.factors.table import Found, standardised
from structlearn.numerics.factorization.singular_values import (
    decomposed,
    entropy_of,
    fractions_of,
    rank_by_chance,
    rank_by_noise,
    rank_by_thumb,
    values_by_chance,
)
from structlearn.run import Run

Floats = NDArray[np.float64]

N_PERMUTATIONS = 100  # the 0.95 quantile then stands on the five largest


def by_singular_values(rows: Floats, options: Factored, rng: np.random.Generator, run: Run) -> Found:
    """The carried correlation of columns i and j is Σ s² u_i u_j / n over the components that are kept."""
    matrix = standardised(rows, center=options.center != "none", scale=options.scale).T
    if options.center == "both":
        matrix = matrix - matrix.mean(axis=0)
    n_rows, whole = matrix.shape[1], decomposed(matrix)
    rank = _rank(matrix, whole.values, options, rng, run)
    kept = whole.cut(rank).without(list(range(min(options.without, rank))))
    sizes = np.sqrt((matrix**2).mean(axis=1))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    parts = kept.loadings * kept.values / np.sqrt(n_rows) / sizes[:, None]
    n_columns = len(matrix)
    return Found(
        pairs=parts @ parts.T,
        pair_threshold=largest_by_chance(options.alpha, n_rows, n_columns * (n_columns - 1) // 2),
        parts=parts,
        part_threshold=largest_by_chance(options.alpha, n_rows, n_columns * max(len(kept.values), 1)),
        extra={
            "rank": rank,
            "singular_values": whole.values,
            "fractions": fractions_of(whole.values),
            "entropy": entropy_of(whole.values),
            "courses": kept.courses.T,
        },
    )


def _rank(matrix: Floats, values: Floats, options: Factored, rng: np.random.Generator, run: Run) -> int:
    rule = options.rank or "chance"
    if isinstance(rule, int):
        return min(rule, len(values))
    if rule == "thumb":
        return rank_by_thumb(values)
    if rule == "noise":
        return rank_by_noise(values, matrix.shape)
    if rule == "cophenetic":
        raise OptionError(
            f"{run.owner}(rank='cophenetic'): runs from random starts are compared with it, and 'svd' has "
            "none. Use rank='chance', 'thumb', 'noise' or a number."
        )
    ordered, chance = np.sort(matrix, axis=1), []
    for done in range(N_PERMUTATIONS):
        chance.append(values_by_chance(ordered, rng))
        run.show("permuted tables", done + 1, N_PERMUTATIONS)
        if run.must_stop():
            break
    return rank_by_chance(matrix, values, np.array(chance))
