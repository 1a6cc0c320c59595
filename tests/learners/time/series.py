"""Small series that several tests of methods in time look at."""

import numpy as np

# One series, twelve times: docs/references/time.md#a-series-of-twelve-steps
W = {
    "x": np.array([1.0, 2, 4, 3, 5, 7, 6, 8, 7, 9, 11, 10]),
    "y": np.array([0.0, 1, 1, 3, 2, 4, 6, 5, 7, 6, 8, 10]),
}
# Two binary series: docs/references/time.md#two-binary-series
D = {
    "id": ["first"] * 10 + ["second"] * 6,
    "t": [*range(10), *range(6)],
    "u": [int(state) for state in "0011011100" + "110011"],
    "v": [int(state) for state in "0001101110" + "011001"],
}


def autoregressive(matrices, n_rows, rng, *, noise=None, burn_in=100):
    """Rows of x_t = Σ M_l x_{t-l} + e_t, after the start is forgotten; `noise` draws e."""
    n = len(matrices[0])
    errors = rng.normal(size=(n_rows + burn_in, n)) if noise is None else noise((n_rows + burn_in, n))
    states = np.zeros((n_rows + burn_in, n))
    for t in range(len(states)):
        states[t] = errors[t]
        for lag, matrix in enumerate(matrices, start=1):
            states[t] += matrix @ states[t - lag] if t >= lag else 0.0
    return states[burn_in:]


def named(rows):
    """The table of an array, with the columns v0, v1 and so on."""
    return {f"v{j}": rows[:, j] for j in range(rows.shape[1])}
