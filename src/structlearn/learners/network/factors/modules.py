"""Modules of columns by non-negative factors, and how often runs put two columns into one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.learners.network.factors.options import FactorOptions
from structlearn.learners.network.factors.table import Found, standardised
from structlearn.numerics.factorization.consensus import consensus_of, cophenetic_correlation
from structlearn.numerics.factorization.nonnegative import (
    Factors,
    Loss,
    Sparse,
    Sweep,
    descended,
    descended_sparsely,
    factorised,
    made_sparse,
    multiplied,
    multiplied_by_divergence,
    random_start,
)
from structlearn.run import Run

Floats = NDArray[np.float64]

MOST_FACTORS = 6  # that are tried; more modules than that are asked for by number
AS_GOOD = 1e-6  # of two cophenetic correlations, for the larger number of factors to be taken


class Runs(NamedTuple):
    """The best of the runs, their consensus, and how well a tree keeps it."""

    best: Factors
    consensus: Floats
    cophenetic: float


def by_non_negative_factors(
    rows: Floats, names: list[str], options: FactorOptions, rng: np.random.Generator, run: Run
) -> Found:
    """The strength of two columns is the share of runs in which they have the same largest factor."""
    refuse_negative(run.owner, options.method, rows, names)
    matrix = standardised(rows, center=False, scale=options.scale).T
    by_rank: dict[int, Runs] = {}
    for rank in _ranks(matrix, options, run):
        by_rank[rank] = _runs(matrix, rank, options, rng, run)
        if run.must_stop():
            break
    most = max(runs.cophenetic for runs in by_rank.values())
    rank = max(rank for rank, runs in by_rank.items() if runs.cophenetic >= most - AS_GOOD)
    found = by_rank[rank]
    return Found(
        pairs=found.consensus,
        pair_threshold=0.5,
        parts=found.best.parts,
        part_threshold=0.5,
        extra={
            "rank": rank,
            "consensus": found.consensus,
            "cophenetic": {rank: runs.cophenetic for rank, runs in by_rank.items()},
            "loss": found.best.loss,
            "courses": found.best.mixtures.T,
        },
    )


def refuse_negative(owner: str, method: str, rows: Floats, names: list[str]) -> None:
    """Refuse negative numbers, with what can be done about them."""
    least = rows.min(axis=0)
    if (least < 0.0).any():
        j = int(least.argmin())
        raise DataError(
            f"{owner}(method={method!r}): {(least < 0.0).sum()} of {len(names)} columns have negative "
            f"numbers, the smallest {least[j]:.4g} in column {names[j]!r}, and its parts can only be added. "
            "Exponentiate logarithms; or split each column into max(x, 0) and max(−x, 0), two columns; or "
            "use method='svd'."
        )


def _ranks(matrix: Floats, options: FactorOptions, run: Run) -> list[int]:
    most = min(matrix.shape)
    if isinstance(options.rank, int):
        return [min(options.rank, most)]
    if options.rank not in {None, "cophenetic"}:
        raise OptionError(
            f"{run.owner}(rank={options.rank!r}): it is for singular values. With method={options.method!r} "
            "give a number, or 'cophenetic'."
        )
    return list(range(2, max(min(MOST_FACTORS, most - 1), 2) + 1))


def _runs(matrix: Floats, rank: int, options: FactorOptions, rng: np.random.Generator, run: Run) -> Runs:
    loss, sweep, sparse = _way(options, run)
    found: list[Factors] = []
    for _ in range(options.restarts):
        parts, mixtures = random_start(matrix.shape, rank, float(matrix.mean()), rng)
        if sparse.parts is not None:
            parts = made_sparse(parts.T, sparse.parts).T
        if sparse.mixtures is not None:
            mixtures = made_sparse(mixtures, sparse.mixtures)
        found.append(factorised(matrix, (parts, mixtures), sweep, loss, run.must_stop))
        run.show(f"{rank} factors", len(found), options.restarts)
        if run.must_stop():
            break
    consensus = consensus_of([each.parts for each in found])
    return Runs(min(found, key=lambda each: each.loss), consensus, cophenetic_correlation(consensus))


def _way(options: FactorOptions, run: Run) -> tuple[Loss, Sweep, Sparse]:
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
        return "euclidean", descended_sparsely(sparse), sparse
    if options.loss == "kl":
        return "kl", multiplied_by_divergence, Sparse(None, None)
    sweep = descended if options.solver == "hals" else multiplied
    return "euclidean", sweep, Sparse(None, None)
