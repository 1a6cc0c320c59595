"""Linear systems in time, dx/dt = A·x + c, and in steps, x(t+1) = A·x(t) + c."""

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.later import linalg, sparse, sparse_linalg

Floats = NDArray[np.float64]
TO_START_A_SERIES = 1e6  # a millisecond, in products of numbers


def trajectory(
    matrix: Floats, constant: Floats, start: Floats, times: Floats, *, slopes: Floats | None = None
) -> Floats:
    """The states at `times`, (times, nodes), of dx/dt = matrix·x + constant + slopes, from `start` on.

    `slopes` is (steps, nodes): what the states are pushed by, constant within each step. The solution is
    exact: a step is a matrix exponential, of which equal steps share one.
    """
    pushed = np.zeros((len(times) - 1, len(matrix))) if slopes is None else slopes
    # A node that nothing acts on, and that acts on nothing, goes straight.
    states = np.vstack([start, start + np.cumsum((constant + pushed) * np.diff(times)[:, None], axis=0)])
    acts = matrix != 0.0
    joined = np.flatnonzero(acts.any(axis=0) | acts.any(axis=1))
    inner = matrix[np.ix_(joined, joined)]
    states[:, joined] = _joined(inner, constant[joined], start[joined], times, pushed[:, joined])
    return states


def _joined(matrix: Floats, constant: Floats, start: Floats, times: Floats, pushed: Floats) -> Floats:
    """The states of nodes that act on each other."""
    n_nodes = len(matrix)
    moved = np.flatnonzero((pushed != 0.0).any(axis=0))
    # One more coordinate for the constant, and one for each node that is pushed; they stand still.
    whole = np.zeros((n_nodes + 1 + len(moved),) * 2)
    whole[:n_nodes, :n_nodes], whole[:n_nodes, n_nodes] = matrix, constant
    whole[moved, n_nodes + 1 + np.arange(len(moved))] = 1.0
    # Steps that differ by rounding only are one.
    lengths = [float(f"{length:.12g}") for length in np.diff(times).tolist()]
    apply = {length: _exponential(whole * length, uses) for length, uses in Counter(lengths).items()}
    states = np.empty((len(times), n_nodes))
    states[0] = start
    with np.errstate(over="ignore", invalid="ignore"):  # an unstable system may leave all bounds
        for k, length in enumerate(lengths):
            states[k + 1] = apply[length](np.concatenate([states[k], [1.0], pushed[k, moved]]))[:n_nodes]
    return states


def _exponential(matrix: Floats, uses: int) -> Callable[[Floats], Floats]:
    """exp(matrix) times a vector: a series for each of a few uses, or the whole exponential for many."""
    n_products = 10.0 + np.abs(matrix).sum(axis=0).max()  # about, of a series
    if uses * (TO_START_A_SERIES + n_products * np.count_nonzero(matrix)) < len(matrix) ** 3:
        sparsely = sparse.csr_array(matrix)
        return lambda vector: sparse_linalg.expm_multiply(sparsely, vector)
    exponential = linalg.expm(matrix)
    return lambda vector: exponential @ vector


def steps(
    matrix: Floats, constant: Floats, start: Floats, n_steps: int, *, pushes: Floats | None = None
) -> Floats:
    """The states of x(t+1) = matrix·x(t) + constant + pushes(t), (steps + 1, nodes), the start first."""
    pushed = np.zeros((n_steps, len(matrix))) if pushes is None else pushes
    states = np.empty((n_steps + 1, len(matrix)))
    states[0] = start
    with np.errstate(over="ignore", invalid="ignore"):  # as above
        for k in range(n_steps):
            states[k + 1] = matrix @ states[k] + constant + pushed[k]
    return states


def growth_rate(matrix: Floats) -> float:
    """The largest real part of an eigenvalue: above 0, a system in time runs away."""
    return float(np.linalg.eigvals(matrix).real.max(initial=-np.inf)) if len(matrix) else 0.0


def growth_factor(matrix: Floats) -> float:
    """The largest modulus of an eigenvalue: above 1, a system in steps runs away."""
    return float(np.abs(np.linalg.eigvals(matrix)).max(initial=0.0)) if len(matrix) else 0.0
