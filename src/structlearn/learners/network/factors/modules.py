"""Modules of columns by non-negative factors, and how often runs put two columns into one."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.network.factors.options import FactorOptions
from structlearn.learners.network.factors.table import Found, cosines, standardised
from structlearn.numerics.factorization.consensus import consensus_of, cophenetic_correlation
from structlearn.numerics.factorization.nonnegative import (
    SPARSE_TOLERANCE,
    TOLERANCE,
    Factors,
    Loss,
    Sparse,
    Sweep,
    descended,
    descended_at_a_price,
    descended_sparsely,
    factorised,
    multiplied,
    multiplied_by_divergence,
    multiplied_where_known,
)
from structlearn.numerics.factorization.nonnegative_starts import random_start, singular_start
from structlearn.numerics.factorization.sparseness import made_sparse
from structlearn.run import Run

Floats = NDArray[np.float64]

MOST_FACTORS = 6  # that are tried; more modules than that are asked for by number
AS_GOOD = 1e-6  # of two cophenetic correlations, for the larger number of factors to be taken
HELD_OUT = 0.1
N_HOLD_OUTS = 3  # one of them alone may leave out what a module needs
N_SHUFFLED = 9  # noise fits better than all of them once in ten times
N_HELD_STARTS = 3  # of each fit: one may end where two modules share a factor


class Runs(NamedTuple):
    """The best of the runs, what each of them loses, their consensus, and how well a tree keeps it."""

    best: Factors
    losses: list[float]
    consensus: Floats
    cophenetic: float


class Way(NamedTuple):
    """How a run goes down, what its factors must be, and what their entries cost."""

    loss: Loss
    sweep: Sweep
    sparse: Sparse = Sparse(None, None)
    prices: tuple[float, float] = (0.0, 0.0)
    tolerance: float = TOLERANCE


def by_non_negative_factors(
    rows: Floats, names: list[str], options: FactorOptions, rng: np.random.Generator, run: Run
) -> Found:
    """The strength of two columns: the share of runs with the same largest factor, or a cosine.

    Columns that are split into what is above and what is below 0 have signed strengths.
    """
    if options.negative == "error":
        refuse_negative(run.owner, options.method, rows, names)
    whole = standardised(rows, center=False, scale=options.scale).T
    is_split = bool((whole < 0.0).any())
    matrix = _halves(whole) if is_split else whole
    errors = _held_out_errors(matrix, rng, run) if options.rank == "held-out" else {}
    by_rank: dict[int, Runs] = {}
    for rank in [min(errors, key=errors.__getitem__)] if errors else _ranks(matrix, options, run):
        by_rank[rank] = _runs(matrix, rank, options, rng, run)
        if run.must_stop():
            break
    most = max(runs.cophenetic for runs in by_rank.values())
    rank = max(rank for rank, runs in by_rank.items() if runs.cophenetic >= most - AS_GOOD)
    found = by_rank[rank]
    _warn_of_chance(whole, found.losses, rank, options, rng, run)
    parts = np.subtract(*np.split(found.best.parts, 2)) if is_split else found.best.parts
    consensus = _of_both_halves(found.consensus) if is_split else found.consensus
    return Found(
        pairs=cosines(parts) if options.likeness == "cosine" else consensus,
        pair_threshold=0.5,
        parts=parts,
        part_threshold=0.5,
        extra={
            "rank": rank,
            "consensus": consensus,
            "cophenetic": {rank: runs.cophenetic for rank, runs in by_rank.items()},
            "loss": found.best.loss,
            "courses": found.best.mixtures.T,
        }
        | ({"held_out": errors} if errors else {}),
    )


def refuse_negative(owner: str, method: str, rows: Floats, names: list[str]) -> None:
    """Refuse negative numbers, with what can be done about them."""
    least = rows.min(axis=0)
    if (least < 0.0).any():
        j = int(least.argmin())
        raise DataError(
            f"{owner}(method={method!r}): {(least < 0.0).sum()} of {len(names)} columns have negative "
            f"numbers, the smallest {least[j]:.4g} in column {names[j]!r}, and its parts can only be added. "
            "Exponentiate logarithms; or split each column into max(x, 0) and max(−x, 0) by "
            "negative='split'; or use method='svd'."
        )


def _of_both_halves(consensus: Floats) -> Floats:
    """From the halves of columns to columns: alike where halves of the same side are, else opposed."""
    n = len(consensus) // 2
    up, down, across = consensus[:n, :n], consensus[n:, n:], consensus[:n, n:]
    alike, opposed = np.maximum(up, down), np.maximum(across, across.T)
    found = np.where(opposed > alike, -opposed, alike)
    np.fill_diagonal(found, 1.0)
    return found


def _ranks(matrix: Floats, options: FactorOptions, run: Run) -> list[int]:
    most = min(matrix.shape)
    if isinstance(options.rank, int):
        return [min(options.rank, most)]
    if options.rank not in {None, "cophenetic"}:
        raise OptionError(
            f"{run.owner}(rank={options.rank!r}): it is for singular values. With method={options.method!r} "
            "give a number, 'cophenetic' or 'held-out'."
        )
    return list(range(2, max(min(MOST_FACTORS, most - 1), 2) + 1))


def _held_out_errors(matrix: Floats, rng: np.random.Generator, run: Run) -> dict[int, float]:
    """By number of factors, the mean square by which entries are missed that no fit has seen."""
    ranks = range(1, max(min(MOST_FACTORS, min(matrix.shape) - 1), 1) + 1)
    hidden = [rng.random(matrix.shape) < HELD_OUT for _ in range(N_HOLD_OUTS)]
    errors: dict[int, float] = {}
    for rank in ranks:
        errors[rank] = float(np.mean([_held_out_error(matrix, is_out, rank, rng, run) for is_out in hidden]))
        run.show("numbers of factors", len(errors), len(ranks))
        if run.must_stop():
            break
    return errors


def _held_out_error(
    matrix: Floats, is_out: NDArray[np.bool_], rank: int, rng: np.random.Generator, run: Run
) -> float:
    sweep, known = multiplied_where_known(~is_out), np.where(is_out, np.nan, matrix)
    starts = [random_start(matrix.shape, rank, float(matrix.mean()), rng) for _ in range(N_HELD_STARTS)]
    tried = [factorised(known, start, sweep, "euclidean", run.must_stop) for start in starts]
    best = min(tried, key=lambda found: found.loss)
    return float(((matrix - best.parts @ best.mixtures)[is_out] ** 2).mean()) if is_out.any() else 0.0


def _runs(matrix: Floats, rank: int, options: FactorOptions, rng: np.random.Generator, run: Run) -> Runs:
    way, found = _way(matrix, options, run), list[Factors]()
    n_starts = 1 if options.start == "nndsvd" else options.restarts
    for start in _starts(matrix, rank, way, options, rng):
        found.append(factorised(matrix, start, way.sweep, way.loss, run.must_stop, way.prices, way.tolerance))
        run.show(f"{rank} factors", len(found), n_starts)
        if run.must_stop():
            break
    consensus = consensus_of([each.parts for each in found])
    best, losses = min(found, key=lambda each: each.loss), [each.loss for each in found]
    return Runs(best, losses, consensus, cophenetic_correlation(consensus))


def _warn_of_chance(
    whole: Floats, losses: list[float], rank: int, options: FactorOptions, rng: np.random.Generator, run: Run
) -> None:
    """Say so where the factors fit no better than those of columns whose values stand in any order.

    Runs agree on modules of noise too, so that agreement alone does not tell.
    """
    ordered, usual = np.sort(whole, axis=1), float(np.mean(losses))
    for _ in range(N_SHUFFLED):
        if run.must_stop():
            return
        shuffled = rng.permuted(ordered, axis=1)
        matrix = _halves(shuffled) if (shuffled < 0.0).any() else shuffled
        way = _way(matrix, options, run)
        start = next(_starts(matrix, rank, way, options, rng))
        by_chance = factorised(matrix, start, way.sweep, way.loss, run.must_stop, way.prices, way.tolerance)
        if by_chance.loss <= usual:
            run.warn(
                f"{rank} factors fit the table no better than one whose columns were shuffled: its modules "
                "may be chance."
            )
            return


def _halves(matrix: Floats) -> Floats:
    """What is above 0 of each variable, and below that what is below 0 of each."""
    return np.vstack([np.maximum(matrix, 0.0), np.maximum(-matrix, 0.0)])


def _starts(
    matrix: Floats, rank: int, way: Way, options: FactorOptions, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    for _ in range(1 if options.start == "nndsvd" else options.restarts):
        if options.start == "nndsvd":
            can_leave_zero = way.sweep is descended
            parts, mixtures = singular_start(matrix, rank, 0.0 if can_leave_zero else float(matrix.mean()))
        else:
            parts, mixtures = random_start(matrix.shape, rank, float(matrix.mean()), rng)
        if way.sparse.parts is not None:
            parts = made_sparse(parts.T, way.sparse.parts).T
        if way.sparse.mixtures is not None:
            mixtures = made_sparse(mixtures, way.sparse.mixtures)
        yield parts, mixtures


def _way(matrix: Floats, options: FactorOptions, run: Run) -> Way:
    if options.loss not in {None, "euclidean", "kl"}:
        raise OptionError(
            f"{run.owner}(loss={options.loss!r}): it is for method='mmmf'. Use 'euclidean' or 'kl'."
        )
    if options.method == "sparse-nmf":
        part = options.sparse_part
        sparse = Sparse(
            parts=options.sparseness if part != "samples" else None,
            mixtures=options.sparseness if part != "variables" else None,
        )
        return Way("euclidean", descended_sparsely(sparse), sparse, tolerance=SPARSE_TOLERANCE)
    is_usual = options.loss != "kl" and options.solver == "hals"
    if options.penalty and not is_usual:
        raise OptionError(f"{run.owner}(penalty={options.penalty}): it is for squares and solver='hals'.")
    if options.loss == "kl":
        return Way("kl", multiplied_by_divergence)
    if options.penalty:
        size = options.penalty * float((matrix**2).mean()) ** 0.75
        prices = size * matrix.shape[1], size * len(matrix)
        return Way("euclidean", descended_at_a_price(*prices), prices=prices)
    return Way("euclidean", descended if is_usual else multiplied)
