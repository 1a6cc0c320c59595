"""What the tests of a tree gain, and tests that have to be there."""

import math

import numpy as np
import pytest

from structlearn.learners.network.dependency.tree_gains import gains_by_parent, with_required_tests
from structlearn.scores import K2
from structlearn.scores.tree_growth import Items, grow_tree, growth_rule
from tests.oracles.dependency_networks import evidence

KAPPA = 0.1


def rule(**options):
    return growth_rule(K2(), 200, kappa=KAPPA, splits="one-value", lookahead=False, **options)


def items_of(points, child, n_states=2):
    return Items(np.array(points, dtype=np.float64), np.eye(n_states)[child])


def worth(states):
    return evidence(list(states), 2, 1.0) + math.log(KAPPA)


def table(seed, n=200):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, n), rng.integers(0, 2, n)
    x = rng.normal(size=n)
    child = (rng.random(n) < 0.1 + 0.5 * (a == 1) + 0.3 * (x > 0)).astype(int)
    return [a, b, x], child, np.array([3, 2, 0])


@pytest.mark.parametrize("seed", range(5))
def test_all_gains_together_are_the_score_less_that_of_one_leaf(seed):
    points, child, levels = table(seed)
    items = items_of(points, child)
    grown = grow_tree(items, levels, rule())

    gains = gains_by_parent(grown, items, levels, rule())

    assert set(gains) == set(grown.parents[grown.parents >= 0].tolist())
    assert list(gains) == sorted(gains)
    assert sum(gains.values()) == pytest.approx(grown.score - worth(child))


def test_a_threshold_pays_for_how_many_there_were():
    x, child = np.repeat([1.0, 2.0, 3.0, 4.0], 10), np.repeat([0, 0, 1, 1], 10)
    items, levels = items_of([x], child), np.array([0])
    grown = grow_tree(items, levels, rule())

    assert grown.at[0] == 2.5
    by_hand = 2 * worth([0] * 20) - worth(child) - math.log(3)
    assert gains_by_parent(grown, items, levels, rule())[0] == pytest.approx(by_hand)


def test_a_required_test_stands_at_the_leaf_where_it_costs_least():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 400))
    child = (rng.random(400) < np.where(a == 1, 0.9, 0.2)).astype(int)
    items, levels = items_of([a, b], child), np.array([2, 2])
    grown = grow_tree(items, levels, rule())
    assert set(grown.parents.tolist()) == {0, -1}

    forced = with_required_tests(grown, items, levels, [1], rule())

    losses = []
    for state in range(2):
        here = a == state
        parts = [child[here & (b == value)] for value in range(2)]
        losses.append(sum(map(worth, parts)) - worth(child[here]))
    gains = gains_by_parent(forced, items, levels, rule())
    assert gains[1] == pytest.approx(max(losses))
    assert forced.score == pytest.approx(grown.score + max(losses))
    assert max(losses) < 0
    assert with_required_tests(forced, items, levels, [0, 1], rule()) is forced


def test_a_required_measurement_gets_its_best_threshold():
    rng = np.random.default_rng(1)
    x, child = rng.normal(size=60), rng.integers(0, 2, 60)
    items, levels = items_of([x], child), np.array([0])
    alone = grow_tree(items, levels, rule(max_depth=0))

    forced = with_required_tests(alone, items, levels, [0], rule())

    ranked = np.sort(x)
    cuts = (ranked[1:] + ranked[:-1]) / 2
    best = max(worth(child[x <= cut]) + worth(child[x > cut]) for cut in cuts)
    assert forced.score == pytest.approx(best - math.log(59))
    at_cut = worth(child[x <= forced.at[0]]) + worth(child[x > forced.at[0]])
    assert at_cut == pytest.approx(best)


def test_a_required_parent_that_parts_nothing_is_left_out():
    child = np.array([0, 1, 0, 1])
    items, levels = items_of([np.zeros(4)], child), np.array([2])
    grown = grow_tree(items, levels, rule())

    assert with_required_tests(grown, items, levels, [0], rule()) is grown
