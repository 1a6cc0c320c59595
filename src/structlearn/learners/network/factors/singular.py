"""Components of a table by singular values, and the correlations that they carry."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.learners.network.factors.chance import largest_by_chance
from structlearn.learners.network.factors.options import Factored
from structlearn.learners.network.factors.table import Found, cosines, standardised
from structlearn.numerics.factorization.singular_values import (
    Decomposition,
    decomposed,
    entropy_of,
    fractions_of,
    rank_by_chance,
    rank_by_noise,
    rank_by_thumb,
    values_by_chance,
)
from structlearn.numerics.factorization.sparse_loadings import roughly_decomposed, sparsely_decomposed
from structlearn.run import Run

Floats = NDArray[np.float64]

N_PERMUTATIONS = 100  # the 0.95 quantile then stands on the five largest
LARGE = 500  # a side; an exact decomposition then takes a second
MANY = 10  # times the rank, where random directions are worth it


def by_singular_values(rows: Floats, options: Factored, rng: np.random.Generator, run: Run) -> Found:
    """The carried correlation of columns i and j is Σ s² u_i u_j / n over the components that are kept."""
    matrix = standardised(rows, center=options.center != "none", scale=options.scale).T
    if options.center == "both":
        matrix = matrix - matrix.mean(axis=0)
    n_rows, is_rough = matrix.shape[1], _is_rough(matrix.shape, options)
    if is_rough:
        whole = roughly_decomposed(matrix, _given_rank(options, run), rng)
        rank = len(whole.values)
    else:
        whole = decomposed(matrix)
        rank = _rank(matrix, whole.values, options, rng, run)
    first = sparsely_decomposed(matrix, rank, options.penalty) if options.penalty else whole.cut(rank)
    kept = first.without(_left_out(options, rank, len(whole.values), run))
    sizes = np.sqrt((matrix**2).mean(axis=1))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    parts = kept.loadings * kept.values / np.sqrt(n_rows) / sizes[:, None]
    n_columns, is_carried = len(matrix), options.likeness != "cosine"
    chance = largest_by_chance(options.alpha, n_rows, n_columns * (n_columns - 1) // 2)
    return Found(
        pairs=parts @ parts.T if is_carried else cosines(parts),
        pair_threshold=chance if is_carried else 0.5,
        parts=parts,
        part_threshold=largest_by_chance(options.alpha, n_rows, n_columns * max(len(kept.values), 1)),
        extra={
            "rank": rank,
            "singular_values": whole.values,
            "courses": kept.courses.T,
            "filtered": _in_units_of(rows, kept, options),
        }
        | _evenness(matrix, whole.values, is_rough=is_rough),
    )


def _left_out(options: Factored, rank: int, n_components: int, run: Run) -> list[int]:
    """The places of the components to leave out among those that are kept."""
    if isinstance(options.without, int):
        return list(range(min(options.without, rank)))
    strange = [number for number in options.without if not 1 <= number <= n_components]
    if strange:
        raise OptionError(
            f"{run.owner}(without={options.without}): there is no component {strange[0]}; they are numbered "
            f"from 1 to {n_components}."
        )
    return sorted({number - 1 for number in options.without if number <= rank})


def _evenness(matrix: Floats, values: Floats, *, is_rough: bool) -> dict[str, object]:
    """The shares of the sum of squares; how even all of them are is known only where all are."""
    if is_rough:
        return {"fractions": values**2 / max(float((matrix**2).sum()), np.finfo(float).tiny)}
    return {"fractions": fractions_of(values), "entropy": entropy_of(values)}


def _in_units_of(rows: Floats, kept: Decomposition, options: Factored) -> Floats:
    """What the components make of the table, with its means and units."""
    means = rows.mean(axis=0) if options.center != "none" else np.zeros(rows.shape[1])
    scales = np.sqrt(((rows - means) ** 2).mean(axis=0)) if options.scale else np.ones(rows.shape[1])
    return np.asarray(kept.matrix().T * scales + means)


def _is_rough(shape: tuple[int, ...], options: Factored) -> bool:
    if options.randomised is not None:
        return options.randomised
    is_few = isinstance(options.rank, int) and options.rank * MANY <= min(shape)
    return is_few and min(shape) > LARGE


def _given_rank(options: Factored, run: Run) -> int:
    if not isinstance(options.rank, int):
        raise OptionError(
            f"{run.owner}(randomised=True): only the first components are found, so that their number must "
            "be given: rank=…"
        )
    return options.rank


def _rank(matrix: Floats, values: Floats, options: Factored, rng: np.random.Generator, run: Run) -> int:
    rule = options.rank or "chance"
    if isinstance(rule, int):
        return min(rule, len(values))
    if rule == "thumb":
        return rank_by_thumb(values)
    if rule == "noise":
        return rank_by_noise(values, matrix.shape)
    if rule in {"cophenetic", "held-out"}:
        raise OptionError(
            f"{run.owner}(rank={rule!r}): runs of non-negative factors are compared with it, and 'svd' has "
            "none. Use rank='chance', 'thumb', 'noise' or a number."
        )
    ordered, chance = np.sort(matrix, axis=1), []
    for done in range(N_PERMUTATIONS):
        chance.append(values_by_chance(ordered, rng))
        run.show("permuted tables", done + 1, N_PERMUTATIONS)
        if run.must_stop():
            break
    return rank_by_chance(matrix, values, np.array(chance))
