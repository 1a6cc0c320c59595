"""What splits of columns with long tails gain by chance."""

from dataclasses import replace

import numpy as np

from structlearn.learners.network.modules.problem import Problem
from structlearn.learners.network.modules.search import Search

N_TABLES = 3


def penalty_by_tails(search: Search) -> float:
    """The penalty that takes the last regulator from searches among the same columns, shuffled."""
    gains = [gain for seed in range(N_TABLES) for gain in _of_chance(search, seed)]
    return search.problem.penalty + max(gains, default=0.0)


def _of_chance(search: Search, seed: int) -> list[float]:
    """What the regulators of modules of shuffled columns gain."""
    state, _, _ = replace(search, problem=_shuffled(search.problem, seed), trace=[]).best()
    return [gain for module in range(state.n_modules) for gain in state.gains(module).values()]


def _shuffled(problem: Problem, seed: int) -> Problem:
    """The columns with their values in an order that only depends on what values there are."""
    in_order = np.sort(problem.values, axis=1)
    order = np.tile(np.arange(problem.n_arrays), (len(in_order), 1))
    order[np.lexsort(in_order.T)] = np.random.default_rng(seed).permuted(order, axis=1)
    measured = np.take_along_axis(np.sort(problem.measured, axis=1), order, axis=1)
    values = np.take_along_axis(in_order, order, axis=1)
    return replace(problem, values=values, measured=measured, required={})
