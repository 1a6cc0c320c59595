"""What a Gaussian graphical model is given, checked: a precision matrix and a mean."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.numerics.precision.components import components

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

SYMMETRIC = 1e-8  # of the diagonal: an inverse has about so many digits where columns are nearly dependent
ROWS_AT_A_TIME = 512  # of a matrix that is compared, so that this takes little memory
MOST_IN_A_FILE = 2**13  # nodes: a matrix of 0.5 GiB, for which a file needs two numbers a node


def checked_precision(graph: Graph, precision: ArrayLike) -> Matrix:
    """A precision matrix in the order of the nodes, 0 where they have no edge."""
    matrix = np.array(precision, dtype=np.float64)
    p = len(graph)
    if matrix.shape != (p, p) or not np.isfinite(matrix).all():
        raise DataError(f"precision: {p} nodes need a square matrix of that size, all numbers finite.")
    strangers = np.argwhere((matrix != 0.0) & (graph.adjacency() == 0) & ~np.eye(p, dtype=bool))
    if len(strangers):
        a, b = (graph.nodes[i] for i in strangers[0])
        raise DataError(f"precision: the entry of {a!r} and {b!r} is not 0, and they have no edge.")
    if not _is_symmetric(matrix) or not _is_positive(matrix):
        raise DataError("precision: the matrix must be symmetric and positive definite.")
    return matrix


def checked_mean(graph: Graph, mean: ArrayLike) -> Vector:
    """A number for each node."""
    vector = np.array(mean, dtype=np.float64)
    if vector.shape != (len(graph),) or not np.isfinite(vector).all():
        raise DataError(f"mean: each of the {len(graph)} nodes needs a finite number.")
    return vector


def refuse_large_matrix(n_nodes: int) -> None:
    """Refuse a file that would hold, or holds, a model whose matrix takes much memory."""
    if n_nodes > MOST_IN_A_FILE:
        raise DataError(
            f"A file holds a Gaussian graphical model of at most {MOST_IN_A_FILE:,} nodes, and this one has "
            f"{n_nodes:,}. Save its graph, and its mean and precision with numpy.savez."
        )


def _is_symmetric(matrix: Matrix) -> bool:
    """Whether a matrix is its transpose, but for rounding in the units of each two nodes."""
    units = np.sqrt(np.abs(np.diag(matrix)))
    parts = [slice(i, i + ROWS_AT_A_TIME) for i in range(0, len(matrix), ROWS_AT_A_TIME)]
    return all(
        bool((np.abs(matrix[part] - matrix[:, part].T) <= SYMMETRIC * np.outer(units[part], units)).all())
        for part in parts
    )


def _is_positive(matrix: Matrix) -> bool:
    """Whether a matrix is positive definite, as it is where its parts are that no entry joins."""
    try:
        for part in components(matrix, np.zeros((1, 1))):
            np.linalg.cholesky(matrix[np.ix_(part, part)])
    except np.linalg.LinAlgError:
        return False
    return True
