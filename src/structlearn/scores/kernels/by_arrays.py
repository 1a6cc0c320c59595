"""Scores of discrete families in steps of numpy over all tables of a shape, until compiled kernels pay.

Each function has the arguments of the kernel that it stands in for, and writes the same to the bit.
"""

import numpy as np


def parent_states(levels, families, out):
    """Write the number of joint states of the parents of each family."""
    out[:] = 1.0
    for column in families.T[1:]:
        out *= levels[column]


def log_likelihoods(counts, starts, strata, child_levels, parent_levels, n_log_n, out):
    """Write the maximised log-likelihoods; `n_log_n[m]` is m·ln m for every count m that can occur."""
    by_shape = {}
    shapes = zip(strata.tolist(), child_levels.tolist(), parent_levels.tolist(), strict=True)
    for i, shape in enumerate(shapes):
        by_shape.setdefault(shape, []).append(i)
    for (n_strata, n_children, n_parents), tables in by_shape.items():
        n_cells = n_strata * n_children * n_parents
        cells = counts[starts[tables][:, None] + np.arange(n_cells)]
        cells = cells.reshape(-1, n_strata, n_children, n_parents).transpose(0, 1, 3, 2)
        terms = np.empty((len(tables), n_strata, n_parents, n_children + 1))
        terms[..., :-1] = n_log_n[cells]
        terms[..., -1] = -n_log_n[cells.sum(axis=-1)]
        # One after the other, as the kernel adds them: a sum of numpy's own would round otherwise.
        out[tables] = np.add.accumulate(terms.reshape(len(tables), -1), axis=1)[:, -1]
