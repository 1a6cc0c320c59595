"""Network component analysis: E ≈ A·P, where it is known which entries of A are 0.

E is genes by samples, A genes by regulators, P regulators by samples.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pattern = NDArray[np.bool_]

MOST_SWEEPS = 5000
TOLERANCE = 1e-10  # the change of the residual in a sweep, per its size, at which nothing more is gained
ILL_CONDITIONED = 1e8  # beyond it half of the digits of a least-squares solution are noise
LITTLE = 1e-8  # the ridge, per mean square of a column, where a matrix is ill-conditioned


class Fault(NamedTuple):
    """Why a pattern does not identify its factors: the criterion, and the regulators that break it."""

    criterion: int
    regulators: tuple[int, ...]


class Components(NamedTuple):
    """A, P, the residual sum of squares after each sweep, and whether a ridge was put."""

    strengths: Floats
    activities: Floats
    residuals: list[float]
    has_ridge: bool


def faults_of(pattern: Pattern) -> list[Fault]:
    """Which regulators break which criterion of Liao et al.; none where the factors are identified.

    Criterion 1: the columns of A are independent, for almost all numbers on the pattern. Criterion 2: so are
    the others once a regulator is taken away with all of its genes.
    """
    numbers = np.where(pattern, np.random.default_rng(0).uniform(1.0, 2.0, size=pattern.shape), 0.0)
    n_regulators = pattern.shape[1]
    found, rank = [], _rank(numbers)
    if rank < n_regulators:
        others = (np.delete(numbers, k, axis=1) for k in range(n_regulators))
        found.append(Fault(1, tuple(k for k, rest in enumerate(others) if _rank(rest) == rank)))
    broken = [
        k
        for k in range(n_regulators)
        if _rank(np.delete(numbers[~pattern[:, k]], k, axis=1)) < n_regulators - 1
    ]
    return [*found, Fault(2, tuple(broken))] if broken else found


def _rank(matrix: Floats) -> int:
    return int(np.linalg.matrix_rank(matrix)) if matrix.size else 0


def repaired(pattern: Pattern) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The genes and regulators of a compliant network inside: what fails goes, one after the other.

    Each time that regulator goes without which fewest others fail; of equals, the one with most genes.
    """
    kept = list(range(pattern.shape[1]))
    while kept and (faults := faults_of(_served(pattern[:, kept]))):
        failing = sorted({k for fault in faults for k in fault.regulators})
        worst = min(failing, key=lambda k: _cost_without(pattern[:, kept], k))
        del kept[worst]
    genes = np.flatnonzero(pattern[:, kept].any(axis=1))
    return genes, np.array(kept, dtype=np.int64)


def _served(pattern: Pattern) -> Pattern:
    """The genes that have a regulator."""
    return pattern[pattern.any(axis=1)]


def _cost_without(pattern: Pattern, regulator: int) -> tuple[int, int]:
    left = _served(np.delete(pattern, regulator, axis=1))
    failing = {k for fault in faults_of(left) for k in fault.regulators}
    return len(failing), -int(pattern[:, regulator].sum())


def alternated(
    expression: Floats,
    pattern: Pattern,
    strengths: Floats,
    *,
    ridge: float | None = None,
    tolerance: float = TOLERANCE,
    stop: Callable[[], bool] = lambda: False,
) -> Components:
    """Least squares for the activities and for the strengths in turn, from strengths on the pattern.

    `ridge` is put per mean square of a column; with None a little, and only where it is needed. It ends
    once the residual changes by less than `tolerance` of its size in a sweep.
    """
    groups = groups_of(pattern)
    residuals: list[float] = []
    has_ridge = False
    size = max(float((expression**2).sum()), np.finfo(float).tiny)
    while len(residuals) < MOST_SWEEPS:
        activities, put = solved(strengths, expression, ridge)
        has_ridge |= put
        for regulators, genes in groups:
            found, put = solved(activities[regulators].T, expression[genes].T, ridge)
            has_ridge |= put
            strengths[np.ix_(genes, regulators)] = found.T
        residuals.append(float(((expression - strengths @ activities) ** 2).sum()))
        if (len(residuals) > 1 and residuals[-2] - residuals[-1] <= tolerance * residuals[-2]) or stop():
            break
        if residuals[-1] <= np.finfo(float).eps ** 2 * size:
            break
    return Components(strengths, activities, residuals, has_ridge)


def groups_of(pattern: Pattern) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Genes that have the same regulators are solved for together: the regulators, and the genes."""
    kinds, which = np.unique(pattern, axis=0, return_inverse=True)
    members = [np.flatnonzero(which.ravel() == g) for g in range(len(kinds))]
    return [(np.flatnonzero(kind), genes) for kind, genes in zip(kinds, members, strict=True) if kind.any()]


def solved(matrix: Floats, targets: Floats, ridge: float | None) -> tuple[Floats, bool]:
    """The least-squares solution of matrix · x = targets, and whether a ridge was needed for it."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    is_bad = bool(values[-1] * ILL_CONDITIONED <= values[0])
    put = (LITTLE if is_bad else 0.0) if ridge is None else ridge
    added = put * float((values**2).mean())
    if values[0] == 0.0:
        return np.zeros((matrix.shape[1], targets.shape[1])), is_bad
    return (right.T * (values / (values**2 + added))) @ (left.T @ targets), put > 0.0


def normalised(strengths: Floats, activities: Floats, pattern: Pattern) -> tuple[Floats, Floats]:
    """Scaled so that the sizes of a regulator's strengths are 1 in the mean, and their sum is 0 or more."""
    scale = np.abs(strengths).sum(axis=0) / pattern.sum(axis=0)
    scale = np.where(scale > 0.0, scale, 1.0) * np.where(strengths.sum(axis=0) < 0.0, -1.0, 1.0)
    return strengths / scale, activities * scale[:, None]


def random_strengths(pattern: Pattern, rng: np.random.Generator) -> Floats:
    """Numbers of either sign on the pattern."""
    sizes, signs = rng.uniform(0.5, 1.5, size=pattern.shape), rng.choice([-1.0, 1.0], size=pattern.shape)
    return np.where(pattern, sizes * signs, 0.0)
