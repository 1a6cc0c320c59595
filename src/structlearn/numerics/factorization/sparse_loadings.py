"""Components whose loadings are 0 for most variables, and components of large tables."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.factorization.singular_values import Decomposition, decomposed

Floats = NDArray[np.float64]

MOST_STEPS = 1000
ENOUGH = 1e-12  # the change of a course of length 1 at which nothing more is gained
MORE = 10  # directions beside those that are wanted: Halko, Martinsson and Tropp advise 5 to 10
POWERS = 4  # a gap of 0.7 between singular values becomes one of 0.04


def sparsely_decomposed(matrix: Floats, rank: int, share: float) -> Decomposition:
    """One component after the other, each of what the ones before it leave (Shen and Huang 2008).

    Each minimises ½‖X − u·v'‖² + price · ‖u‖₁ with v of length 1, where the price is this share of the
    largest loading that the singular vector would have.
    """
    left, loadings, values, courses = matrix, [], [], []
    for _ in range(rank):
        loading, course = sparse_component(left, share)
        length = float(np.linalg.norm(loading))
        if length == 0.0:
            break
        loading = loading / length
        value = float(loading @ left @ course)
        left = left - value * np.outer(loading, course)
        sign = -1.0 if loading[np.abs(loading).argmax()] < 0.0 else 1.0
        loadings.append(sign * loading)
        values.append(value)
        courses.append(sign * course)
    shape = (len(values), matrix.shape[1])
    return Decomposition(
        np.array(loadings).reshape(len(values), len(matrix)).T, np.array(values), np.reshape(courses, shape)
    )


def sparse_component(matrix: Floats, share: float) -> tuple[Floats, Floats]:
    """Loadings with zeros, and the course of length 1 that they belong to."""
    course = decomposed(matrix).courses[0]
    pull = matrix @ course
    price = share * float(np.abs(pull).max())
    for _ in range(MOST_STEPS):
        loading = np.copysign(np.maximum(np.abs(pull) - price, 0.0), pull)
        towards = matrix.T @ loading
        length = float(np.linalg.norm(towards))
        if length == 0.0:
            break
        before, course = course, towards / length
        pull = matrix @ course
        if float(np.abs(course - before).max()) <= ENOUGH:
            break
    return np.copysign(np.maximum(np.abs(pull) - price, 0.0), pull), course


def roughly_decomposed(matrix: Floats, rank: int, rng: np.random.Generator) -> Decomposition:
    """The first components of a large matrix, from what it makes of random directions (Halko et al. 2011)."""
    n_directions = min(rank + MORE, *matrix.shape)
    reached = np.linalg.qr(matrix @ rng.normal(size=(matrix.shape[1], n_directions)))[0]
    for _ in range(POWERS):
        reached = np.linalg.qr(matrix @ np.linalg.qr(matrix.T @ reached)[0])[0]
    small = decomposed(reached.T @ matrix)
    loadings = reached @ small.loadings
    largest = np.abs(loadings).argmax(axis=0)
    signs = np.where(loadings[largest, np.arange(len(small.values))] < 0.0, -1.0, 1.0)
    return Decomposition(loadings * signs, small.values, small.courses * signs[:, None]).cut(rank)
