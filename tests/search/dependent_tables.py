"""Tables whose columns depend on each other along a random order."""

import numpy as np

import structlearn as sl


def random_table(seed, n_columns=5, n_rows=200):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        shift = sum((columns[k] for k in range(j) if rng.random() < 0.5), np.zeros(n_rows, dtype=int))
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})
