"""Smooth measures of cycles, 0 for DAGs alone, with their gradients: entry [i, j] is the weight of i → j.

No cycle leaves a strongly connected part of the arcs that have a weight: measures are sums over these parts,
and their slopes 0 elsewhere. Where weights are few this saves nearly all of the work.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.later import csgraph, linalg, sparse
from structlearn.numerics.products import product
from structlearn.run import MustStop, never

Floats = NDArray[np.float64]
Measured = tuple[float, Floats]
ROUNDING = 1e-12  # by which the inverse of a matrix that has no negative entry may be below 0
FEW = 200  # columns that take no longer than their parts would take to find
AT_ONCE = 256  # columns of a matrix that is inverted, or has its exponential, in one piece
BLOCK, N_BLOCKS = 4, 5  # of powers up to the 20th: of what is at most 1, the next one over 21! is rounding


def exponential(weights: Floats, must_stop: MustStop = never) -> Measured:
    """Tr exp(W ∘ W) − p: closed walks of every length (Zheng et al., 2018)."""

    def of_part(part: Floats) -> Measured:
        squares = np.square(part)
        walks = linalg.expm(squares) if len(part) <= AT_ONCE else _exponential(squares, must_stop)
        return float(np.trace(walks)) - len(part), walks.T * (2.0 * part)

    return _over_parts(weights, of_part)


def polynomial(weights: Floats, must_stop: MustStop = never) -> Measured:
    """Tr (I + W ∘ W / p)^p − p: closed walks of up to p steps (Yu et al., 2019)."""
    p = len(weights)

    def of_part(part: Floats) -> Measured:
        step = np.eye(len(part)) + np.square(part) / p
        before = _power(step, p - 1, must_stop)
        return float(np.vdot(before.T, step)) - len(part), before.T * (2.0 * part)

    return _over_parts(weights, of_part)


def log_determinant(weights: Floats, scale: float, must_stop: MustStop = never) -> Measured:
    """−ln det(sI − W ∘ W) + p ln s (Bello et al., 2022); infinite where the spectral radius reaches s."""

    def of_part(part: Floats) -> Measured:
        found = _inverse(scale * np.eye(len(part)) - np.square(part), must_stop)
        if found is None:
            return math.inf, part
        return len(part) * math.log(scale) - found[0], 2.0 * found[1].T * part

    return _over_parts(weights, of_part)


def _over_parts(weights: Floats, measure: Callable[[Floats], Measured]) -> Measured:
    if len(weights) <= FEW:
        return measure(weights)
    _, part = csgraph.connected_components(sparse.csr_array(weights), connection="strong")
    is_cyclic = (np.bincount(part)[part] > 1) | (np.diag(weights) != 0.0)
    total, slopes = 0.0, np.zeros_like(weights)
    for each in np.unique(part[is_cyclic]):
        members = np.flatnonzero(part == each)
        at = np.ix_(members, members)
        value, slopes[at] = measure(weights[at])
        total += value
    return total, slopes


def _exponential(matrix: Floats, must_stop: MustStop) -> Floats:
    """Exp A of numbers that are not negative, whose sums lose no digit, in products that look at the clock.

    By its series at a part of the size, and by squares from there.
    """
    size = float(matrix.sum(axis=0).max())
    if not math.isfinite(size):
        return np.full_like(matrix, math.inf)
    n_doublings = max(math.ceil(math.log2(size)), 0) if size > 0.0 else 0
    powers = [matrix / 2.0**n_doublings]
    while len(powers) < BLOCK:
        powers.append(product(powers[-1], powers[0], must_stop))
    found = np.zeros_like(matrix)
    for block in reversed(range(N_BLOCKS)):
        terms = (powers[i] / math.factorial(BLOCK * block + i + 1) for i in range(BLOCK))
        found = sum(terms, start=product(found, powers[-1], must_stop) if block + 1 < N_BLOCKS else found)
    found += np.eye(len(matrix))
    for _ in range(n_doublings):
        found = product(found, found, must_stop)
    return found


def _power(matrix: Floats, exponent: int, must_stop: MustStop) -> Floats:
    found, square = np.eye(len(matrix)), matrix
    while exponent:
        if exponent % 2:
            found = product(found, square, must_stop)
        exponent //= 2
        square = product(square, square, must_stop) if exponent else square
    return found


def _inverse(matrix: Floats, must_stop: MustStop) -> tuple[float, Floats] | None:
    """The logarithm of the determinant and the inverse, where that has no negative entry; otherwise None.

    Off its diagonal the matrix has none above 0. Large ones are taken apart into four: the inverse is there
    if it is for the first and for what that leaves of the last.
    """
    if len(matrix) <= AT_ONCE:
        sign, size = np.linalg.slogdet(matrix)
        inverse = np.asarray(
            np.linalg.inv(matrix) if sign > 0.0 else np.full_like(matrix, math.nan), np.float64
        )
        is_inside = np.isfinite(inverse).all() and inverse.min() >= -ROUNDING * inverse.max()
        return (float(size), inverse) if is_inside else None
    half = len(matrix) // 2
    first = _inverse(matrix[:half, :half], must_stop)
    if first is None:
        return None
    down = product(matrix[half:, :half], first[1], must_stop)
    last = _inverse(matrix[half:, half:] - product(down, matrix[:half, half:], must_stop), must_stop)
    if last is None:
        return None
    across = product(product(first[1], -matrix[:half, half:], must_stop), last[1], must_stop)
    upper = np.hstack([first[1] - product(across, down, must_stop), across])
    return first[0] + last[0], np.vstack([upper, np.hstack([product(-last[1], down, must_stop), last[1]])])
