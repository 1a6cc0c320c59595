"""Where non-negative factors begin."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SMALLEST = 1e-16


def random_start(
    shape: tuple[int, int], rank: int, size: float, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Factors whose product is about as large as the matrix, whose mean is `size`."""
    height = np.sqrt(max(size, SMALLEST) / rank)
    return (
        height * rng.uniform(0.1, 2.0, size=(shape[0], rank)),
        height * rng.uniform(0.1, 2.0, size=(rank, shape[1])),
    )


def singular_start(matrix: Floats, rank: int, fill: float = 0.0) -> tuple[Floats, Floats]:
    """The non-negative double singular value decomposition of Boutsidis and Gallopoulos (2008).

    Of each singular vector, left and right, the parts of one sign are taken: those with the larger product of
    lengths. `fill` takes the place of zeros, which multiplications could never leave.
    """
    left, values, right = np.linalg.svd(matrix, full_matrices=False)
    parts, mixtures = np.zeros((len(matrix), rank)), np.zeros((rank, matrix.shape[1]))
    for k in range(min(rank, len(values))):
        sides = [(np.maximum(s * left[:, k], 0.0), np.maximum(s * right[k], 0.0)) for s in (1.0, -1.0)]
        lengths = [float(np.linalg.norm(u) * np.linalg.norm(v)) for u, v in sides]
        u, v = sides[int(np.argmax(lengths))]
        height = np.sqrt(values[k] * max(lengths))
        parts[:, k] = height * u / max(float(np.linalg.norm(u)), SMALLEST)
        mixtures[k] = height * v / max(float(np.linalg.norm(v)), SMALLEST)
    return np.where(parts > 0.0, parts, fill), np.where(mixtures > 0.0, mixtures, fill)
