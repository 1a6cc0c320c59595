"""Mutual information of pairs of coded columns by popcounts, a thread for each pair of a tile of columns."""

from functools import cache

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def word_of(masks, state, word, column):
    """A word of a column's mask, without rows where there is none."""
    if word < masks.shape[1] and column < masks.shape[2]:
        return masks[state, word, column]
    return np.uint32(0)


@cache
def information_kernel(n_masks, tile, n_words):
    """The kernel for columns of at most `n_masks` + 1 states, with so many words of a tile at once."""

    @cuda.jit
    def fill(masks, margins, alone, count_logs, out):
        """Write the information of each pair of two tiles, in both halves of the matrix.

        `masks` is (states, words, columns), of all states but the last of each column; `margins` has the rows
        of these states and, behind them, those of the last. Terms are added in the twin's order.
        """
        mine = cuda.shared.array((n_words, tile), np.uint32)
        others = cuda.shared.array((n_masks, n_words, tile), np.uint32)
        counts = cuda.local.array(n_masks, np.int32)
        below = cuda.local.array(n_masks, np.int32)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        if cuda.blockIdx.x < cuda.blockIdx.y:
            return
        j_first, i_first = cuda.blockIdx.x * tile, cuda.blockIdx.y * tile
        i, j = i_first + y, j_first + x
        is_pair = i < j < masks.shape[2]
        corner, total = 0, 0.0
        if is_pair:
            corner = margins[j, n_masks]
            for b in range(n_masks):
                below[b] = margins[j, b]
        for a in range(n_masks):
            for b in range(n_masks):
                counts[b] = 0
            for first in range(0, masks.shape[1], n_words):
                cuda.syncthreads()
                for word in range(y, n_words, tile):
                    mine[word, x] = word_of(masks, a, first + word, i_first + x)
                    for b in range(n_masks):
                        others[b, word, x] = word_of(masks, b, first + word, j)
                cuda.syncthreads()
                for word in range(n_words):
                    bits = mine[word, y]
                    for b in range(n_masks):
                        counts[b] += cuda.popc(bits & others[b, word, x])
            if is_pair:
                left = margins[i, a]
                for b in range(n_masks):
                    total += count_logs[counts[b]]
                    below[b] -= counts[b]
                    left -= counts[b]
                total += count_logs[left]
                corner -= left
        if is_pair:
            for b in range(n_masks):
                total += count_logs[below[b]]
            total += count_logs[corner]
            n_rows = count_logs.size - 1
            value = (total - alone[i] - alone[j] + count_logs[n_rows]) / n_rows
            out[i, j] = out[j, i] = max(value, 0.0)

    return fill


@cuda.jit
def take_off_bias(more, n_rows, out):
    """Take the bias off the information of each pair, (states − 1)(states − 1) / 2n."""
    j, i = cuda.grid(2)
    if i < more.size and j < more.size and i != j:
        out[i, j] -= more[i] * more[j] / (2.0 * n_rows)


@cuda.jit
def mirror(out):
    """Write the upper half of a matrix into the lower."""
    j, i = cuda.grid(2)
    if i < j < out.shape[0]:
        out[j, i] = out[i, j]
