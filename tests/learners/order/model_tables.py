"""Tables with many dependences, drawn along a random order."""

import numpy as np

import structlearn as sl


def random_table(seed, n_columns=5, n_rows=100):
    """Binary columns x0, x1, …; each row of one copies another column, of several before it, or is noise."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(0, 2, (n_columns, n_rows))
    for j in range(1, n_columns):
        sources = rng.choice(j, size=min(j, 3), replace=False)
        copied = columns[rng.choice(sources, size=n_rows), np.arange(n_rows)]
        columns[j] = np.where(rng.random(n_rows) < 0.8, copied, columns[j])
    names = rng.permutation(n_columns)
    return sl.Dataset({f"x{name}": column for name, column in zip(names, columns, strict=True)})
