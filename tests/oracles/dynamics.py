"""Linear systems with known answers, and slow ways to find them."""

from itertools import combinations

import numpy as np
from scipy.linalg import expm


def random_system(rng, p=10, n_sources=2, sizes=(0.5, 1.0), decay=(0.8, 1.2)):
    """A stable matrix with a decay on the diagonal and a few other entries in each row."""
    while True:
        matrix = np.diag(-rng.uniform(*decay, p))
        for i in range(p):
            sources = rng.choice([j for j in range(p) if j != i], n_sources, replace=False)
            matrix[i, sources] = rng.choice([-1, 1], n_sources) * rng.uniform(*sizes, n_sources)
        if np.linalg.eigvals(matrix).real.max() < 0:
            return matrix


def course(matrix, start, times):
    """The states of dx/dt = matrix·x at these times, one exponential for each."""
    return np.array([expm(matrix * (t - times[0])) @ start for t in times])


def long_table(matrix, rng, *, n_courses=5, times=None, noise=0.0):
    """Courses from random starts as a long table with columns `id`, `t` and one for each node."""
    times = np.linspace(0, 4, 21) if times is None else np.asarray(times)
    runs = [course(matrix, rng.normal(size=len(matrix)), times) for _ in range(n_courses)]
    states = np.concatenate([run + noise * rng.normal(size=run.shape) for run in runs])
    table = {
        "id": np.repeat([f"run {k}" for k in range(n_courses)], len(times)),
        "t": np.tile(times, n_courses),
    }
    return table | {f"g{j}": states[:, j] for j in range(len(matrix))}


def f1(found, truth):
    """The F1 of the non-zero entries, self terms counted."""
    found, truth = np.asarray(found) != 0, np.asarray(truth) != 0
    return 2 * (found & truth).sum() / (found.sum() + truth.sum())


def best_subset(columns, target, size):
    """The columns that leave the least squares, by trying all sets."""

    def left(members):
        part = columns[:, list(members)]
        return ((target - part @ np.linalg.lstsq(part, target, rcond=None)[0]) ** 2).sum()

    return min(combinations(range(columns.shape[1]), size), key=left)
