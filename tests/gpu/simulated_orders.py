"""Checks of sums over orders on a simulated card."""

import numpy as np

import structlearn as sl
from structlearn.gpu import order_sums
from structlearn.learners.order.exact.order_sums import on_a_card, on_the_processor
from structlearn.run import Run
from structlearn.search.parent_sets import ScoredSets


def random_sets(n, rng):
    """The empty set and some others for each node, with weights that are far apart, and some impossible."""
    found = []
    for node in range(n):
        others = [other for other in range(n) if other != node]
        members = np.full((1 + rng.integers(0, 6), max(n - 1, 1)), -1)
        for row in members[1:]:
            chosen = rng.permutation(others)[: rng.integers(0, n)]
            row[: len(chosen)] = np.sort(chosen)
        members = np.unique(members, axis=0)
        weights = rng.normal(scale=rng.choice([1.0, 300.0]), size=len(members))
        weights[1:][rng.random(len(members) - 1) < 0.1] = -np.inf
        found.append(ScoredSets.of(members, weights))
    return found


def check_probabilities_of_families():
    order_sums.N_BLOCKS = 2
    rng = np.random.default_rng(0)
    for trial in range(24):
        order_sums.N_LOW = 1 + trial % 3
        order_sums.N_THREADS = 1 + (trial % 4 == 0)
        sets = random_sets(1 + trial % 5, rng)
        with Run("test", progress=False) as run:
            here, log_total = on_the_processor(sets, run, 1)
            there, found_total = on_a_card(sets, run)
        np.testing.assert_allclose(found_total, log_total, rtol=1e-12, atol=1e-12)
        for one, other in zip(here, there, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-15)


def check_exact_posterior_and_a_run_that_must_stop():
    order_sums.N_THREADS, order_sums.N_BLOCKS, order_sums.N_LOW = 1, 1, 2
    data = sl.example("cancer").sample(200, random_state=0)
    here, there = (sl.ExactPosterior(device=device).fit(data) for device in ("cpu", "cuda"))
    np.testing.assert_allclose(there.log_total_, here.log_total_, rtol=1e-12)
    assert there.graph_.undirected == here.graph_.undirected
    assert there.graph_.directed == here.graph_.directed
    for arc, share in here.probabilities_.items():
        np.testing.assert_allclose(there.probabilities_[arc], share, rtol=1e-9)

    sets = random_sets(3, np.random.default_rng(1))
    with Run("test", time_limit_s=1e-9, progress=False) as run:
        assert on_a_card(sets, run) is None
