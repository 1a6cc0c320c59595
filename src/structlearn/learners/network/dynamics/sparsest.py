"""The sparsest of all rows that fit: a family by SVD, and its smallest member by linear programming."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.later import optimize

Floats = NDArray[np.float64]
FITS = 1e-8  # how far, as a share of its size, a target may be from what the columns span
ZERO = 1e-6  # share of the largest coefficient below which one is rounding of the solver
UNDECIDED = 1e-9  # price, or share of the norm, below which another row may be as good


@dataclass(frozen=True, slots=True)
class Family:
    """All rows a with columns·a = target: `shortest` + `null` times anything.

    `rank` is that of the columns; `misfit` is how far the target is from their span, per its size.
    """

    shortest: Floats
    null: Floats
    rank: int
    misfit: float


@dataclass(frozen=True, slots=True)
class SparseRow:
    """A row, and whether no other one is as good; without `is_found` nothing fits."""

    coefficients: Floats
    is_unique: bool = True
    is_found: bool = True


def family_of(columns: Floats, target: Floats, *, tolerance: float) -> Family:
    """Solve columns·a = target by the singular values above `tolerance` times the largest."""
    left, sizes, right = np.linalg.svd(columns, full_matrices=True)
    rank = int((sizes > tolerance * sizes.max(initial=0.0)).sum())
    parts = left[:, :rank].T @ target
    off = np.linalg.norm(target - left[:, :rank] @ parts)
    return Family(
        right[:rank].T @ (parts / sizes[:rank]),
        right[rank:].T,
        rank,
        float(off / (np.linalg.norm(target) or 1.0)),
    )


def sparsest_row(
    columns: Floats, target: Floats, *, costs: Floats, noise: float = 0.0, tolerance: float = 1e-10
) -> SparseRow:
    """The a of least Σ costs·|a| with |columns·a − target| ≤ noise.

    Parameters
    ----------
    columns : array of shape (measurements, candidates)
        The states.
    target : array of shape (measurements,)
        The rates to explain.
    costs : array of shape (candidates,)
        What a unit of each candidate costs: 0 is free, infinity keeps it out.
    noise : float, default 0
        How far each measurement may be off. With 0, and no freedom left, the least-squares row is returned.
    tolerance : float, default 1e-10
        The share of the largest singular value below which one is zero.
    """
    kept = np.flatnonzero(np.isfinite(costs))
    result = np.zeros(columns.shape[1])
    if not len(kept):
        return SparseRow(result, is_found=bool((np.abs(target) <= noise).all()))
    family = family_of(columns[:, kept], target, tolerance=tolerance)
    if noise == 0.0 and family.rank == len(kept):
        result[kept] = family.shortest
        return SparseRow(result)
    if noise == 0.0 and family.misfit > FITS:
        return SparseRow(result, is_found=False)
    found = _programme(columns[:, kept], family, target, costs[kept], noise)
    if found.status != 0:
        return SparseRow(result, is_found=False)
    n = len(kept)
    row = found.x[:n] - found.x[n : 2 * n]
    row[np.abs(row) <= ZERO * np.abs(row).max(initial=0.0)] = 0.0
    result[kept] = _polished(columns[:, kept], target, row) if noise == 0.0 else row
    is_unique = noise > 0.0 or _is_unique(family, columns[:, kept], row, costs[kept], found)
    return SparseRow(result, is_unique=is_unique)


def _programme(columns: Floats, family: Family, target: Floats, costs: Floats, noise: float) -> Any:
    both_costs = np.concatenate([costs, costs])
    if noise > 0.0:
        both = np.hstack([columns, -columns])
        limits = np.concatenate([target + noise, noise - target])
        return optimize.linprog(both_costs, A_ub=np.vstack([both, -both]), b_ub=limits, method="highs")
    # Equations that repeat others would be infeasible by rounding: those of the row space do not.
    span = np.linalg.svd(columns, full_matrices=False)[2][: family.rank]
    return optimize.linprog(
        both_costs, A_eq=np.hstack([span, -span]), b_eq=span @ family.shortest, method="highs"
    )


def _polished(columns: Floats, target: Floats, row: Floats) -> Floats:
    """The same columns with coefficients that fit to rounding."""
    members = np.flatnonzero(row)
    exact = np.zeros_like(row)
    exact[members] = np.linalg.lstsq(columns[:, members], target, rcond=None)[0]
    fits = np.linalg.norm(columns @ exact - target) <= np.linalg.norm(columns @ row - target)
    return exact if fits else row


def _is_unique(family: Family, columns: Floats, row: Floats, costs: Floats, found: Any) -> bool:
    """Whether no other row is as short, by looking for the one with most outside of this one's columns.

    The prices that the solver gives do not tell: a row with fewer columns than equations has many.
    """
    n, off = len(row), row == 0.0
    reduced, is_zero = np.asarray(found.lower.marginals), found.x <= 0.0
    is_priced = np.minimum(np.abs(reduced[:n]), np.abs(reduced[n:])) > UNDECIDED
    if (is_priced | ~off)[is_zero[:n] & is_zero[n:]].all():
        return True
    span = np.linalg.svd(columns, full_matrices=False)[2][: family.rank]
    other = optimize.linprog(
        -np.concatenate([off, off]).astype(np.float64),
        A_eq=np.hstack([span, -span]),
        b_eq=span @ family.shortest,
        A_ub=np.concatenate([costs, costs])[None, :],
        b_ub=[float(costs @ np.abs(row)) * (1.0 + UNDECIDED)],
        bounds=(0.0, 2.0 * np.abs(row).max(initial=0.0) + 1.0),  # free columns could grow without end
        method="highs",
    )
    return bool(other.status != 0 or -other.fun <= ZERO * (1.0 + np.abs(row).max(initial=0.0)))
