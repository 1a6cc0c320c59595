"""Non-negative factors of a non-negative matrix: V ≈ W·H, variables by factors and factors by samples."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.factorization.sparseness import with_sparseness

Floats = NDArray[np.float64]
Loss = Literal["euclidean", "kl"]

SMALLEST = 1e-16  # keeps divisions finite; what is 0 stays 0
SMALLEST_STEP = 1e-20  # a projected gradient whose step is halved to this has arrived
MOST_SWEEPS = 2000
TOLERANCE = 1e-7  # per sweep and size of the matrix; modules are clear long before


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
    """The sum of squares that is left, or the generalised divergence of Kullback and Leibler."""
    fitted = parts @ mixtures
    if loss == "euclidean":
        return float(((matrix - fitted) ** 2).sum())
    ratio = np.where(matrix > 0.0, matrix / np.maximum(fitted, SMALLEST), 1.0)
    return float((matrix * np.log(ratio) - matrix + fitted).sum())


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


def _rows_descended(gram: Floats, products: Floats, rows: Floats) -> Floats:
    rows = rows.copy()
    for k in range(len(rows)):
        if gram[k, k] > 0.0:
            rows[k] = np.maximum(rows[k] + (products[k] - gram[k] @ rows) / gram[k, k], 0.0)
    return rows


def descended_sparsely(sparse: Sparse) -> Sweep:
    """Sweeps of Hoyer: a projected gradient for what must be sparse, multiplications for what is free."""

    def sweep(matrix: Floats, parts: Floats, mixtures: Floats) -> tuple[Floats, Floats]:
        mixtures = _rows_improved(matrix, parts, mixtures, sparse.mixtures)
        parts = _rows_improved(matrix.T, mixtures.T, parts.T, sparse.parts).T
        return parts, mixtures

    return sweep


def _rows_improved(matrix: Floats, others: Floats, rows: Floats, sparseness: float | None) -> Floats:
    """Rows that fit `matrix` ≈ `others` · `rows` no worse than before."""
    gram, products = others.T @ others, others.T @ matrix
    if sparseness is None:
        return rows * products / np.maximum(gram @ rows, SMALLEST)
    before, gradient = _cost(gram, products, rows), gram @ rows - products
    step = 1.0 / max(float(np.linalg.norm(gram, 2)), SMALLEST)
    while step > SMALLEST_STEP:
        tried = made_sparse(rows - step * gradient, sparseness)
        if _cost(gram, products, tried) <= before:
            return tried
        step /= 2.0
    return rows


def _cost(gram: Floats, products: Floats, rows: Floats) -> float:
    return float(0.5 * np.vdot(gram @ rows, rows) - np.vdot(products, rows))


def made_sparse(rows: Floats, sparseness: float) -> Floats:
    """Each row as the nearest one of its length with the sparseness."""
    return np.array([with_sparseness(row, sparseness) for row in rows])


def factorised(
    matrix: Floats, start: tuple[Floats, Floats], sweep: Sweep, loss: Loss, stop: Callable[[], bool]
) -> Factors:
    """Sweep until the loss hardly changes; parts are scaled to a largest entry of 1."""
    parts, mixtures = start
    last = loss_of(matrix, parts, mixtures, loss)
    scale = float((matrix**2).sum()) if loss == "euclidean" else float(matrix.sum())
    for _ in range(MOST_SWEEPS):
        parts, mixtures = sweep(matrix, parts, mixtures)
        found = loss_of(matrix, parts, mixtures, loss)
        if last - found <= TOLERANCE * scale or stop():
            break
        last = found
    heights = parts.max(axis=0, initial=0.0)
    heights = np.where(heights > 0.0, heights, 1.0)
    return Factors(parts / heights, mixtures * heights[:, None], loss_of(matrix, parts, mixtures, loss))


def random_start(
    shape: tuple[int, int], rank: int, size: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Factors whose product is about as large as the matrix, whose mean is `size`."""
    height = np.sqrt(max(size, SMALLEST) / rank)
    return (
        height * rng.uniform(0.1, 2.0, size=(shape[0], rank)),
        height * rng.uniform(0.1, 2.0, size=(rank, shape[1])),
    )
