"""Network component analysis: E ≈ A·P, where it is known which entries of A are 0.

E is genes by samples, A genes by regulators, P regulators by samples.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pattern = NDArray[np.bool_]
Groups = list[tuple[NDArray[np.int64], NDArray[np.int64]]]
Swept = tuple[Floats, Floats, float, bool]

MOST_SWEEPS = 5000
# Columns that are nearly alike take thousands of sweeps, and some ten strides.
FEW_SWEEPS = 50
MOST_IN_A_STRIDE = 300  # strengths: their equations take as long as some sweeps
FIRST_DAMPING, MOST_TRIES = 0.01, 6
ROUNDING = 1e-12  # per sum of the diagonal: scales, which are free, leave equations singular
TOLERANCE = 1e-10  # the change of the residual in a sweep, per its size, at which nothing more is gained
ILL_CONDITIONED = 1e8  # beyond it half of the digits of a least-squares solution are noise
FAR_FROM_SINGULAR = 1e-8  # of eigenvalues: normal equations then keep half of the digits
LITTLE = 1e-8  # the ridge, per mean square of a column, where a matrix is ill-conditioned


class Fault(NamedTuple):
    """Why a pattern does not identify its factors: the criterion, and the regulators that break it."""

    criterion: int
    regulators: tuple[int, ...]


class Components(NamedTuple):
    """A, P, what was minimised after each sweep, and whether a ridge was put."""

    strengths: Floats
    activities: Floats
    costs: list[float]
    has_ridge: bool


class Limits(NamedTuple):
    """When to end: at which change of the cost in a sweep, per its size, or when told to."""

    tolerance: float = TOLERANCE
    stop: Callable[[], bool] = lambda: False

    def go_on(self, costs: list[float]) -> bool:
        """Whether another sweep is worth it; the first always is."""
        if len(costs) < 2:
            return not costs or not self.stop()
        is_still = costs[-2] - costs[-1] <= self.tolerance * costs[-2]
        return not (is_still or len(costs) >= MOST_SWEEPS or self.stop())


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
    limits: Limits = Limits(),  # noqa: B008, it cannot be changed
) -> Components:
    """Least squares for the activities and for the strengths in turn, from strengths on the pattern.

    `ridge` is put per mean square of a column; with None a little, and only where it is needed. What is
    minimised is the sum of squares that is left.
    """
    groups = groups_of(pattern)
    costs: list[float] = []
    has_ridge, damping = False, FIRST_DAMPING
    may_stride = not ridge and np.count_nonzero(pattern) <= MOST_IN_A_STRIDE
    nothing = np.finfo(float).eps ** 2 * float((expression**2).sum())
    while limits.go_on(costs) and (not costs or costs[-1] > nothing):
        found = None
        if may_stride and len(costs) >= FEW_SWEEPS:
            found, damping = _strode(expression, pattern, strengths, groups, costs[-1], damping)
        strengths, activities, cost, put = found or _swept(expression, strengths, groups, ridge)
        has_ridge |= put
        costs.append(cost)
    return Components(strengths, activities, costs, has_ridge)


def _strode(
    expression: Floats, pattern: Pattern, strengths: Floats, groups: Groups, cost: float, damping: float
) -> tuple[Swept | None, float]:
    """A sweep after a stride, damped until less is left than before, and the damping for the next."""
    for _ in range(MOST_TRIES):
        found = _swept(expression, strided(expression, pattern, strengths, damping), groups, None)
        if found[2] < cost:
            return found, damping / 10.0
        damping *= 10.0
    return None, FIRST_DAMPING


def _swept(expression: Floats, strengths: Floats, groups: Groups, ridge: float | None) -> Swept:
    """New strengths, the activities before them, what is left, and whether a ridge was put."""
    activities, put = solved(strengths, expression, ridge)
    found = np.zeros_like(strengths)
    put |= _strengths_fitted(expression, activities, found, groups, ridge)
    return found, activities, float(((expression - found @ activities) ** 2).sum()), put


def strided(expression: Floats, pattern: Pattern, strengths: Floats, damping: float) -> Floats:
    """Strengths after a step of Gauss and Newton's, damped, with activities that follow (Kaufman, 1975).

    The slope of what is left in the strength of gene g and regulator k is −P⊥[:, g] ⊗ activities[k], where P⊥
    takes off all that strengths explain: so products of two slopes are products of entries.
    """
    sizes = np.linalg.norm(strengths, axis=0)
    strengths = strengths / np.where(sizes > 0.0, sizes, 1.0)  # a scale means nothing
    activities, _ = solved(strengths, expression, None)
    off = np.eye(len(strengths)) - strengths @ np.linalg.pinv(strengths)
    genes, regulators = np.nonzero(pattern)
    normal = off[np.ix_(genes, genes)] * (activities @ activities.T)[np.ix_(regulators, regulators)]
    diagonal = np.diag(normal)
    normal = normal + np.diag(damping * diagonal + ROUNDING * diagonal.sum() + np.finfo(float).tiny)
    slopes = (expression - strengths @ activities) @ activities.T
    found = strengths.copy()
    found[pattern] += np.linalg.solve(normal, slopes[pattern])
    return found


def groups_of(pattern: Pattern) -> Groups:
    """Genes with as many regulators are solved for together: the genes (m,), and their regulators (m, k)."""
    counts = pattern.sum(axis=1)
    kinds = np.unique(counts[counts > 0])
    members = [np.flatnonzero(counts == n) for n in kinds]
    return [(genes, np.nonzero(pattern[genes])[1].reshape(len(genes), -1)) for genes in members]


def _strengths_fitted(
    expression: Floats, activities: Floats, strengths: Floats, groups: Groups, ridge: float | None
) -> bool:
    """Put the least-squares strengths of every gene in place, and say whether a ridge was needed."""
    gram, products, has_ridge = activities @ activities.T, expression @ activities.T, bool(ridge)
    for genes, regulators in groups:
        grams = gram[regulators[:, :, None], regulators[:, None, :]]
        spread = np.linalg.eigvalsh(grams)
        is_fine = spread[:, 0] > FAR_FROM_SINGULAR * spread[:, -1]
        if ridge:
            grams = grams + ridge * np.eye(grams.shape[1]) * spread.mean(axis=1)[:, None, None]
        wanted = products[genes[:, None], regulators][:, :, None]
        good = genes[is_fine]
        found = np.linalg.solve(grams[is_fine], wanted[is_fine])[:, :, 0]
        strengths[good[:, None], regulators[is_fine]] = found
        for gene, mine in zip(genes[~is_fine], regulators[~is_fine], strict=True):
            alone, put = solved(activities[mine].T, expression[[gene]].T, ridge)
            strengths[gene, mine] = alone[:, 0]
            has_ridge |= put
    return has_ridge


def solved(matrix: Floats, targets: Floats, ridge: float | None) -> tuple[Floats, bool]:
    """The least-squares solution of matrix · x = targets, and whether a ridge was needed for it."""
    gram = matrix.T @ matrix
    spread, axes = np.linalg.eigh(gram)
    if spread[0] > FAR_FROM_SINGULAR * spread[-1]:
        added = (ridge or 0.0) * float(spread.mean())
        return (axes / (spread + added)) @ (axes.T @ (matrix.T @ targets)), bool(ridge)
    return _solved_with_care(matrix, targets, ridge)


def _solved_with_care(matrix: Floats, targets: Floats, ridge: float | None) -> tuple[Floats, bool]:
    """The same by singular values, where squares would cost too many digits."""
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    is_bad = bool(values[-1] * ILL_CONDITIONED <= values[0])
    put = (LITTLE if is_bad else 0.0) if ridge is None else ridge
    added = put * float((values**2).mean())
    if values[0] == 0.0:
        return np.zeros((matrix.shape[1], targets.shape[1])), is_bad
    return (right.T * (values / (values**2 + added))) @ (left.T @ targets), put > 0.0


def normalised(strengths: Floats, activities: Floats, pattern: Pattern) -> tuple[Floats, Floats]:
    """Scaled so that the sizes of a regulator's strengths are 1 in the mean, and their sum is 0 or more."""
    scales = scales_of(strengths, pattern)
    return strengths / scales, activities * scales[:, None]


def scales_of(strengths: Floats, pattern: Pattern) -> Floats:
    """For each regulator the mean size of its strengths, with the sign of their sum."""
    sizes = np.abs(strengths).sum(axis=0) / pattern.sum(axis=0)
    return np.where(sizes > 0.0, sizes, 1.0) * np.where(strengths.sum(axis=0) < 0.0, -1.0, 1.0)


def random_strengths(pattern: Pattern, rng: np.random.Generator) -> Floats:
    """Numbers of either sign on the pattern."""
    sizes, signs = rng.uniform(0.5, 1.5, size=pattern.shape), rng.choice([-1.0, 1.0], size=pattern.shape)
    return np.where(pattern, sizes * signs, 0.0)
