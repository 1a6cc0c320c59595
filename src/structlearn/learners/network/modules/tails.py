"""What splits of columns with long tails gain by chance."""

from dataclasses import replace

import numpy as np

from structlearn.learners.network.modules.problem import Problem
from structlearn.learners.network.modules.search import Search
from structlearn.numerics.fourth_moments import FEWEST_DEVIATIONS
from structlearn.search.chance_price import LONG_TAILS

N_TABLES = 3


def has_long_tails(problem: Problem) -> bool:
    """Whether a column has longer tails than luck gives normal ones.

    A split that takes rows far out to one side leaves a small variance to the other, in however many rows.
    """
    return bool((problem.tails > FEWEST_DEVIATIONS).any())


def price_of_tails(search: Search) -> float:
    """What a split costs more, so that a search among the same columns, shuffled, makes about one."""
    gains = _of_chance(search, 0)
    if not gains:  # of most tables a single shuffled one shows that chance makes nothing of tails
        return 0.0
    search.run.note(LONG_TAILS)
    gains += [gain for seed in range(1, N_TABLES) for gain in _of_chance(search, seed)]
    return sorted(gains)[-min(N_TABLES, len(gains))]


def _of_chance(search: Search, seed: int) -> list[float]:
    """What the splits of modules of shuffled columns gain."""
    state, _, _ = replace(search, problem=_shuffled(search.problem, seed), trace=[]).best()
    return [split.gain for program in state.programs for split in program.root.splits()]


def _shuffled(problem: Problem, seed: int) -> Problem:
    """The columns with their values in an order that only depends on what values there are."""
    in_order = np.sort(problem.values, axis=1)
    order = np.tile(np.arange(problem.n_arrays), (len(in_order), 1))
    order[np.lexsort(in_order.T)] = np.random.default_rng(seed).permuted(order, axis=1)
    measured = np.take_along_axis(np.sort(problem.measured, axis=1), order, axis=1)
    values = np.take_along_axis(in_order, order, axis=1)
    return replace(problem, values=values, measured=measured, required={})
