"""Every set on the path of a lasso is proposed, also those between two penalties."""

import numpy as np
from sklearn.linear_model import lars_path_gram

import structlearn as sl
from structlearn.learners.hybrid.l1.gaussian_paths import GaussianPaths
from structlearn.learners.hybrid.l1.path_sets import sets_along
from structlearn.learners.hybrid.l1.penalties import Penalties
from structlearn.statistics.source import from_dataset


def test_columns_that_come_in_between_two_penalties_come_in_one_by_one():
    entries = {0: 0.9, 1: 0.5, 2: 0.49, 3: 0.488, 4: 0.1}

    def set_at(penalty):
        return tuple(sorted(j for j, entry in entries.items() if penalty < entry))

    grid = [(penalty, set_at(penalty)) for penalty in (1.0, 0.6, 0.3, 0.2)]

    assert list(sets_along(grid, set_at)) == [(), (0,), (0, 1), (0, 1, 2), (0, 1, 2, 3)]


def test_columns_that_come_in_together_are_not_told_apart():
    grid = [(1.0, ()), (0.5, (0, 1))]

    assert list(sets_along(grid, lambda penalty: (0, 1) if penalty < 0.7 else ())) == [(), (0, 1)]


def exact_sets(correlation, child):
    """The sets of least angle regression (Efron et al., 2004), which finds where a set changes exactly."""
    others = np.delete(np.arange(len(correlation)), child)
    penalties, _, coefficients = lars_path_gram(
        correlation[others, child], correlation[np.ix_(others, others)], n_samples=1, method="lasso"
    )
    is_far_enough = penalties[1:] > 1.001e-3 * penalties[0]
    is_wide_enough = penalties[1:] < (1 - 1e-4) * penalties[:-1]
    between = (coefficients[:, 1:] + coefficients[:, :-1]) / 2
    return {
        tuple(others[np.flatnonzero(column)].tolist()) for column in between.T[is_far_enough & is_wide_enough]
    }


def test_the_sets_of_exact_paths_are_proposed_but_for_a_few_that_come_and_go():
    n_sets, n_missed = 0, 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(80, 10)) @ (np.eye(10) + 0.5 * rng.normal(size=(10, 10)))
        statistics = from_dataset(sl.Dataset(rows))
        paths = GaussianPaths(statistics, Penalties(price=2.0, n_penalties=100, smallest_share=1e-3))
        for child in range(10):
            is_other = np.arange(10) != child
            found = set(paths.active_sets(child, np.zeros(10, dtype=np.bool_), is_other))
            exact = exact_sets(statistics.moments().correlation, child)
            n_sets, n_missed = n_sets + len(exact), n_missed + len(exact - found)
            assert min(paths.cost(child, some) for some in found) <= min(
                paths.cost(child, some) for some in exact
            )

    assert n_sets > 300
    assert n_missed <= 0.005 * n_sets  # 7 % without the penalties between
