"""Sums over the cells of sets of up to four columns, and the families that no smaller one beats.

`masks` are (words, levels · p): the word of column a at level l is in place l · p + a, so that threads of
neighbouring columns read side by side. `terms` has a row for each of the numbers of cells in `kinds`. Tables
of pairs and triples are kept: `most` is the largest number of levels, and the strides are its powers.
"""

from functools import cache

import numpy as np
from numba import cuda

from structlearn.rounding import ENOUGH, SHARE_OF_A_TOTAL


@cuda.jit(device=True)
def row_of(kinds, n_cells):
    """The row of the terms for tables of so many cells."""
    low, high = 0, kinds.size - 1
    while low < high:
        middle = (low + high) // 2
        if kinds[middle] < n_cells:
            low = middle + 1
        else:
            high = middle
    return low


@cuda.jit(device=True)
def pair(a, b):
    """The rank of a pair, a < b."""
    return b * (b - 1) // 2 + a


@cuda.jit(device=True)
def triple(a, b, c):
    """The rank of three, a < b < c."""
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@cuda.jit
def sum_pairs(masks, levels, kinds, terms, most, tables, sums):
    """A block for each column b, its threads for the columns a before it."""
    p = levels.size
    b = np.int64(cuda.blockIdx.x)
    for a in range(np.int64(cuda.threadIdx.x), b, cuda.blockDim.x):
        at, total = pair(a, b), 0.0
        kind = row_of(kinds, levels[a] * levels[b])
        for i in range(levels[a]):
            for j in range(levels[b]):
                count = 0
                for w in range(masks.shape[0]):
                    count += np.int64(cuda.popc(masks[w, i * p + a] & masks[w, j * p + b]))
                tables[at, i * most + j] = count
                total += terms[kind, count]
        sums[at] = total


@cuda.jit
def sum_triples(pairs, masks, levels, kinds, terms, most, of_pairs, tables, sums):
    """A block for each pair b < c, its threads for the columns a before it."""
    p = levels.size
    b, c = pairs[cuda.blockIdx.x, 0], pairs[cuda.blockIdx.x, 1]
    for a in range(np.int64(cuda.threadIdx.x), b, cuda.blockDim.x):
        at, total = triple(a, b, c), 0.0
        kind = row_of(kinds, levels[a] * levels[b] * levels[c])
        for j in range(levels[b]):
            for k in range(levels[c]):
                left = of_pairs[pair(b, c), j * most + k]
                for i in range(levels[a]):
                    count = left
                    if i + 1 < levels[a]:
                        count = 0
                        for w in range(masks.shape[0]):
                            both = masks[w, j * p + b] & masks[w, k * p + c]
                            count += np.int64(cuda.popc(both & masks[w, i * p + a]))
                        left -= count
                    tables[at, (i * most + j) * most + k] = count
                    total += terms[kind, count]
        sums[at] = total


@cache
def cell_counter(most):
    """The function that counts cells of four columns; `most` is the largest number of levels."""

    @cuda.jit(device=True)
    def count_cells(masks, p, a, b_word, c_word, d, last_a, last_d, cells):
        """Count the rows of one level of b and one of c by the levels of a and d but the last ones.

        Two levels of a by two of d at once: a popcount takes as long as two words to be read. Of an odd
        number the last one is counted twice.
        """
        for i in range(0, last_a, 2):
            next_i = min(i + 1, last_a - 1)
            for m in range(0, last_d, 2):
                next_m = min(m + 1, last_d - 1)
                first = second = third = fourth = np.int32(0)
                for w in range(masks.shape[0]):
                    both = masks[w, b_word] & masks[w, c_word]
                    three, next_three = both & masks[w, m * p + d], both & masks[w, next_m * p + d]
                    own, next_own = masks[w, i * p + a], masks[w, next_i * p + a]
                    first += np.int32(cuda.popc(three & own))
                    second += np.int32(cuda.popc(next_three & own))
                    third += np.int32(cuda.popc(three & next_own))
                    fourth += np.int32(cuda.popc(next_three & next_own))
                cells[i * most + m], cells[i * most + next_m] = first, second
                cells[next_i * most + m], cells[next_i * most + next_m] = third, fourth

    return count_cells


@cache
def quadruple_kernel(most):
    """The kernel for columns of at most so many levels, by which local arrays have their sizes."""
    n_before_d = max(most - 1, 1) * most  # constants: arrays of a kernel take no sums and products
    n_before_b = n_before_d * most
    count_cells = cell_counter(most)

    @cuda.jit
    def sum_quadruples(pairs, first, masks, levels, kinds, terms, of_triples, sums):
        """A block for each pair c < d and each b before them, its threads for the columns a before b.

        Only cells without a last level are counted; the others are what those leave of the tables of triples.
        """
        left_b = cuda.local.array(n_before_b, np.int32)
        left_c = cuda.local.array(n_before_d, np.int32)
        cells = cuda.local.array(n_before_d, np.int32)
        left_a = cuda.local.array(most, np.int32)
        p = levels.size
        b = np.int64(cuda.blockIdx.y)
        c, d = pairs[first + cuda.blockIdx.x, 0], pairs[first + cuda.blockIdx.x, 1]
        if b >= c:
            return
        for a in range(np.int64(cuda.threadIdx.x), b, cuda.blockDim.x):
            kind = row_of(kinds, levels[a] * levels[b] * levels[c] * levels[d])
            abc, abd, acd, bcd = triple(a, b, c), triple(a, b, d), triple(a, c, d), triple(b, c, d)
            last_a, last_b, last_c, last_d = levels[a] - 1, levels[b] - 1, levels[c] - 1, levels[d] - 1
            total = 0.0
            for i in range(last_a):
                for k in range(last_c + 1):
                    for m in range(last_d + 1):
                        left_b[(i * most + k) * most + m] = of_triples[acd, (i * most + k) * most + m]
            for j in range(last_b + 1):
                for i in range(last_a):
                    for m in range(last_d + 1):
                        left_c[i * most + m] = of_triples[abd, (i * most + j) * most + m]
                for k in range(last_c + 1):
                    for m in range(last_d + 1):
                        left_a[m] = of_triples[bcd, (j * most + k) * most + m]
                    if j < last_b and k < last_c:
                        count_cells(masks, p, a, j * p + b, k * p + c, d, last_a, last_d, cells)
                    for i in range(last_a):
                        left_d = of_triples[abc, (i * most + j) * most + k]
                        for m in range(last_d + 1):
                            if j == last_b:
                                count = left_b[(i * most + k) * most + m]
                            elif k == last_c:
                                count = left_c[i * most + m]
                            elif m == last_d:
                                count = left_d
                            else:
                                count = cells[i * most + m]
                            left_a[m] -= count
                            left_b[(i * most + k) * most + m] -= count
                            left_c[i * most + m] -= count
                            left_d -= count
                            total += terms[kind, count]
                    for m in range(last_d + 1):
                        total += terms[kind, left_a[m]]
            sums[d * (d - 1) * (d - 2) // 6 * (d - 3) // 4 + abc] = total

    return sum_quadruples


@cuda.jit(device=True)
def keep(rank, score, below, counter, ranks, scores):
    """Keep a set that scores more than its subsets, in no order; the best score within it."""
    if score > below + max(ENOUGH, SHARE_OF_A_TOTAL * abs(below)):
        slot = cuda.atomic.add(counter, 0, 1)
        if slot < ranks.size:
            ranks[slot] = rank
            scores[slot] = score
    return max(score, below)


@cuda.jit
def keep_pairs(child, free, levels, price, sums2, sums3, best1, best2, counter, ranks, scores):
    """The useful pairs of parents of a child, of the `free` columns: a block for each second one."""
    j = np.int64(cuda.blockIdx.x)
    b = free[j]
    for i in range(np.int64(cuda.threadIdx.x), j, cuda.blockDim.x):
        a = free[i]
        if child < a:
            whole = triple(child, a, b)
        elif child < b:
            whole = triple(a, child, b)
        else:
            whole = triple(a, b, child)
        score = sums3[whole] - sums2[pair(a, b)]
        score -= price * (levels[child] - 1) * levels[a] * levels[b]
        at = pair(i, j)
        best2[at] = keep(at, score, max(best1[i], best1[j]), counter, ranks, scores)


@cuda.jit
def keep_triples(pairs, child, free, levels, price, sums3, sums4, best2, counter, ranks, scores):
    """The useful triples of parents of a child: a block for each of their upper two."""
    j, k = pairs[cuda.blockIdx.x, 0], pairs[cuda.blockIdx.x, 1]
    b, c = free[j], free[k]
    for i in range(np.int64(cuda.threadIdx.x), j, cuda.blockDim.x):
        a = free[i]
        if child < a:
            d, abc = c, triple(child, a, b)
        elif child < b:
            d, abc = c, triple(a, child, b)
        elif child < c:
            d, abc = c, triple(a, b, child)
        else:
            d, abc = child, triple(a, b, c)
        whole = d * (d - 1) * (d - 2) // 6 * (d - 3) // 4 + abc
        score = sums4[whole] - sums3[triple(a, b, c)]
        score -= price * (levels[child] - 1) * levels[a] * levels[b] * levels[c]
        below = max(best2[pair(i, j)], best2[pair(i, k)])
        below = max(below, best2[pair(j, k)])
        keep(triple(i, j, k), score, below, counter, ranks, scores)
