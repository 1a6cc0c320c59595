"""How the slopes of the penalised likelihood change along a direction that most pairs have no part in.

The change is W D W, with the inverse W of a precision matrix and a symmetric direction D. Both are wanted at
few pairs only: then D is sparse, and of the product only some rows are multiplied by some columns.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from structlearn.gpu.card import load_cuda

DENSE = 0.01  # pairs for every two columns, from which on products of whole matrices are as quick
FEWEST_COLUMNS = 3000  # below, a product of whole matrices takes less than to launch the steps of others
N_THREADS = 64  # of a pair: each adds up some of the products of a row and a column
Pairs = tuple[Any, Any]


def curving(xp: Any, inverse: Any, pairs: Pairs) -> Callable[[Any], Any]:
    """The function of a direction, given by its numbers at these pairs of low and high ends."""
    if len(inverse) < FEWEST_COLUMNS or len(pairs[0]) > DENSE * len(inverse) ** 2:
        return partial(_by_matrices, xp, inverse, pairs)
    return partial(_by_pairs, inverse, pairs, _SparseDirections(xp, len(inverse), pairs))


def _by_matrices(xp: Any, inverse: Any, pairs: Pairs, direction: Any) -> Any:
    matrix = xp.zeros_like(inverse)
    matrix[pairs] = matrix[pairs[::-1]] = direction
    return (inverse @ matrix @ inverse)[pairs]


def _by_pairs(inverse: Any, pairs: Pairs, directions: "_SparseDirections", direction: Any) -> Any:
    return directions.product_at(inverse, directions.times(direction, inverse), pairs)


class _SparseDirections:
    """Symmetric matrices that are zero but at some pairs: where their numbers go is worked out once."""

    def __init__(self, xp: Any, n_nodes: int, pairs: Pairs) -> None:
        low, high = pairs
        is_beside = low != high
        codes = xp.concatenate([low * n_nodes + high, (high * n_nodes + low)[is_beside]])
        own = xp.arange(len(low))
        order = xp.argsort(codes)
        self._xp, self._n = xp, n_nodes
        self._source = xp.concatenate([own, own[is_beside]])[order]
        self._columns = codes[order] % n_nodes
        self._starts = xp.searchsorted(codes[order], n_nodes * xp.arange(n_nodes + 1))

    def times(self, direction: Any, matrix: Any) -> Any:
        """The direction times a symmetric matrix, turned: a row for each column of the product."""
        if self._xp is np:
            from scipy import sparse  # noqa: PLC0415, where CuPy is not loaded either
        else:
            from cupyx.scipy import sparse  # noqa: PLC0415, it comes with CuPy
        parts = direction[self._source], self._columns, self._starts
        return (sparse.csr_matrix(parts, shape=(self._n, self._n)) @ matrix.T).T

    def product_at(self, left: Any, right: Any, pairs: Pairs) -> Any:
        """The products of a row of one matrix with a row of another, for each pair."""
        if self._xp is np:
            return np.einsum("ij,ij->i", left[pairs[0]], right[pairs[1]])
        found = self._xp.empty(len(pairs[0]))
        products_of_rows(left, self._xp.ascontiguousarray(right), *pairs, found)
        return found


def products_of_rows(left: Any, right: Any, rows: Any, others: Any, found: Any) -> None:
    """Fill in the products of rows of a matrix and of another in the card's memory."""
    load_cuda()
    from structlearn.gpu.kernels.row_products import row_product_kernel  # noqa: PLC0415, needs CUDA

    row_product_kernel(N_THREADS)[len(rows), N_THREADS](left, right, rows, others, found)
