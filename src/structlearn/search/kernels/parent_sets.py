"""Sets of possible parents, and which of them are worth trying.

Sets of one size are in colexicographic order: the smallest member changes fastest, and the rank
of a set is the sum of the binomials C(member i, i + 1).
"""

import numpy as np

from structlearn.compile import kernel
from structlearn.search.kernels.moves import slack


@kernel
def subsets(members):
    """Fill the rows of `members` with the first sets of whole numbers of their size, in order."""
    size = members.shape[1]
    current = np.arange(size)
    for row in range(members.shape[0]):
        members[row] = current
        i = 0
        while i + 1 < size and current[i] + 1 == current[i + 1]:
            current[i] = i
            i += 1
        current[i] += 1


@kernel
def keep_undominated(members, scores, best_smaller, binomials, best, is_kept):
    """Keep the sets that score more than each of their subsets.

    A smaller set leaves more nodes free to be children, so it is as good wherever it scores as
    much. `best_smaller` has the best score within each set with one member less, `best` gets
    those of the sets themselves.
    """
    size = members.shape[1]
    for row in range(members.shape[0]):
        below = -np.inf
        for left_out in range(size):
            rank = 0
            for i in range(size):
                if i != left_out:
                    place = i - (i > left_out)
                    rank += binomials[members[row, i], place + 1]
            below = max(below, best_smaller[rank])
        is_kept[row] = scores[row] > below + slack(below)
        best[row] = max(below, scores[row])


@kernel
def differences_of_sets(child, free, positions, levels, price, binomials, larger, smaller, out):
    """Write the scores of a child with sets of parents: what it brings, less the price of its parameters.

    A row of `positions` are those of the parents among the `free` nodes, rising. `smaller` has the values of
    all sets of so many nodes, by rank, `larger` those with one more.
    """
    size = positions.shape[1]
    for row in range(positions.shape[0]):
        n_free, with_child, without, n_below = levels[child] - 1.0, 0, 0, 0
        for i in range(size):
            parent = free[positions[row, i]]
            n_free *= levels[parent]
            without += binomials[parent, i + 1]
            if parent < child:
                with_child += binomials[parent, i + 1]
                n_below += 1
            else:
                with_child += binomials[parent, i + 2]
        with_child += binomials[child, n_below + 1]
        out[row] = larger[with_child] - smaller[without]
        if price > 0.0:
            out[row] -= price * n_free
