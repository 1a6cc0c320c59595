"""Non-negative factors of a non-negative matrix: V ≈ W·H, variables by factors and factors by samples."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.factorization.sparseness import made_sparse

Floats = NDArray[np.float64]
Loss = Literal["euclidean", "kl"]

SMALLEST = 1e-16  # keeps divisions finite; what is 0 stays 0
MOST_HALVINGS = 20  # of a step of the projected gradient: shorter ones no longer change any module
MOST_SWEEPS = 2000
SWEEPS_BETWEEN = 5  # looks at the loss, which costs half as much as a sweep
TOLERANCE = 1e-7  # per sweep and size of the matrix; modules are clear long before
SPARSE_TOLERANCE = 1e-5  # each sweep projects every part, and goes a shorter way


class Factors(NamedTuple):
    """What multiplies to the matrix, and what is lost."""

    parts: Floats
    mixtures: Floats
    loss: float


class Sparse(NamedTuple):
    """The sparseness that each part, and each course of mixtures, must have; None where it is free."""

    parts: float | None
    mixtures: float | None


Sweep = Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]


def loss_of(matrix: Floats, parts: Floats, mixtures: Floats, loss: Loss = "euclidean") -> float:
    """The sum of squares that is left, or the generalised divergence of Kullback and Leibler.

    Squares are of the known entries, those that are not NaN.
    """
    fitted = parts @ mixtures
    if loss == "euclidean":
        return _known_sum((matrix - fitted) ** 2)
    ratio = np.where(matrix > 0.0, matrix / np.maximum(fitted, SMALLEST), 1.0)
    return float((matrix * np.log(ratio) - matrix + fitted).sum())


def _known_sum(values: Floats) -> float:
    total = float(values.sum())  # twice as fast as without looking for NaN
    return total if total == total else float(np.nansum(values))  # noqa: PLR0124, NaN is no number


def multiplied(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
    """One sweep of the multiplicative updates of Lee and Seung for squares, mixtures first."""
    mixtures = mixtures * (parts.T @ matrix) / np.maximum(parts.T @ parts @ mixtures, SMALLEST)
    parts = parts * (matrix @ mixtures.T) / np.maximum(parts @ (mixtures @ mixtures.T), SMALLEST)
    return parts, mixtures


def multiplied_by_divergence(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
    """One sweep of the multiplicative updates of Lee and Seung for the divergence, mixtures first."""
    ratio = matrix / np.maximum(parts @ mixtures, SMALLEST)
    mixtures = mixtures * (parts.T @ ratio) / np.maximum(parts.sum(axis=0), SMALLEST)[:, None]
    ratio = matrix / np.maximum(parts @ mixtures, SMALLEST)
    parts = parts * (ratio @ mixtures.T) / np.maximum(mixtures.sum(axis=1), SMALLEST)
    return parts, mixtures


def descended(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
    """One sweep of hierarchical alternating least squares: each factor in turn to its optimum."""
    mixtures = _rows_descended(parts.T @ parts, parts.T @ matrix, mixtures)
    parts = _rows_descended(mixtures @ mixtures.T, mixtures @ matrix.T, parts.T).T
    return parts, mixtures


def _rows_descended(gram: Floats, products: Floats, rows: Floats, price: float = 0.0) -> Floats:
    rows = rows.copy()
    for k in range(len(rows)):
        if gram[k, k] > 0.0:
            rows[k] = np.maximum(rows[k] + (products[k] - gram[k] @ rows - price) / gram[k, k], 0.0)
    return rows


def descended_at_a_price(of_parts: float, of_mixtures: float) -> Sweep:
    """Sweeps to the optimum of each factor in turn for half the squares + price · sum of entries."""

    def sweep(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
        mixtures = _rows_descended(parts.T @ parts, parts.T @ matrix, mixtures, of_mixtures)
        parts = _rows_descended(mixtures @ mixtures.T, mixtures @ matrix.T, parts.T, of_parts).T
        return parts, mixtures

    return sweep


def multiplied_where_known(is_known: NDArray[np.bool_]) -> Sweep:
    """Sweeps of the multiplicative updates for the squares of the known entries alone."""
    weights = is_known.astype(np.float64)

    def sweep(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
        known = np.where(is_known, matrix, 0.0)
        fitted = weights * (parts @ mixtures)
        mixtures = mixtures * (parts.T @ known) / np.maximum(parts.T @ fitted, SMALLEST)
        fitted = weights * (parts @ mixtures)
        parts = parts * (known @ mixtures.T) / np.maximum(fitted @ mixtures.T, SMALLEST)
        return parts, mixtures

    return sweep


def descended_sparsely(sparse: Sparse) -> Sweep:
    """Sweeps of Hoyer: a projected gradient for what must be sparse, least squares for what is free."""

    def sweep(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
        mixtures = _rows_improved(matrix, parts, mixtures, sparse.mixtures)
        parts = _rows_improved(matrix.T, mixtures.T, parts.T, sparse.parts).T
        return parts, mixtures

    return sweep


def _rows_improved(matrix: Floats, others: Floats, rows: Floats, sparseness: float | None) -> Floats:
    """Rows that fit `matrix` ≈ `others` · `rows` no worse than before."""
    gram, products = others.T @ others, others.T @ matrix
    if sparseness is None:
        return _rows_descended(gram, products, rows)
    before, gradient = _cost(gram, products, rows), gram @ rows - products
    step = 1.0 / max(float(np.linalg.norm(gram, 2)), SMALLEST)
    for _ in range(MOST_HALVINGS):
        tried = made_sparse(rows - step * gradient, sparseness)
        if _cost(gram, products, tried) <= before:
            return tried
        step /= 2.0
    return rows


def _cost(gram: Floats, products: Floats, rows: Floats) -> float:
    return float(0.5 * np.vdot(gram @ rows, rows) - np.vdot(products, rows))


def factorised(
    matrix: Floats,
    start: tuple[Floats, Floats],
    sweep: Sweep,
    loss: Loss,
    stop: Callable[[], bool],
    prices: tuple[float, float] = (0.0, 0.0),
    tolerance: float = TOLERANCE,
) -> Factors:
    """Sweep until the loss, and twice the price of all entries, hardly changes.

    Parts are scaled to a largest entry of 1.
    """
    total = _known_sum(matrix**2)
    has_gaps = bool(np.isnan(matrix).any())

    def cost(parts: Floats, mixtures: Floats) -> float:
        paid = prices[0] * float(parts.sum()) + prices[1] * float(mixtures.sum())
        if loss == "euclidean" and not has_gaps:
            return _squares_left(matrix, parts, mixtures, total) + 2.0 * paid
        return loss_of(matrix, parts, mixtures, loss) + 2.0 * paid

    parts, mixtures = start
    last = cost(parts, mixtures)
    scale = total if loss == "euclidean" else float(matrix.sum())
    for n_sweeps in range(1, MOST_SWEEPS + 1):
        parts, mixtures = sweep(matrix, parts, mixtures)
        is_over = stop()
        if n_sweeps % SWEEPS_BETWEEN and not is_over:
            continue
        found = cost(parts, mixtures)
        if last - found <= SWEEPS_BETWEEN * tolerance * scale or is_over:
            break
        last = found
    heights = parts.max(axis=0, initial=0.0)
    heights = np.where(heights > 0.0, heights, 1.0)
    return Factors(parts / heights, mixtures * heights[:, None], loss_of(matrix, parts, mixtures, loss))


def _squares_left(matrix: Floats, parts: Floats, mixtures: Floats, total: float) -> float:
    """The sum of squares that is left, without the fitted matrix: right to rounding beside `total`."""
    common = np.vdot(parts, matrix @ mixtures.T)
    return float(total - 2.0 * common + np.vdot(parts.T @ parts, mixtures @ mixtures.T))
