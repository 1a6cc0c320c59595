"""The search for inputs agrees with dictionaries of patterns, set by set."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from structlearn.learners.network.boolean.kernels.input_sets import ONE_ERROR, cheapest_sets
from structlearn.learners.network.boolean.pairs import Pairs
from structlearn.learners.network.boolean.search import Costs, Search, prices_of_information
from structlearn.run import Run
from tests.oracles.boolean_networks import n_errors, open_information

STATES = hnp.arrays(np.int64, st.tuples(st.integers(2, 9), st.just(8)), elements=st.integers(0, 1))


def pairs_of(before, after, levels=2):
    names = tuple(f"g{j:02}" for j in range(before.shape[1]))
    return Pairs(names, (tuple(range(levels)),) * before.shape[1], before, after)


def search_of(pairs, may=None):
    p = len(pairs.names)
    return Search(pairs, np.zeros((p, p), dtype=np.int8) if may is None else may, Run("Test"), 1)


def plain_costs(n_targets, **parts):
    zeros = np.zeros(n_targets, dtype=np.int64)
    return Costs(**({"units": zeros, "floors": zeros} | parts))


@settings(deadline=None, max_examples=25)
@given(states=STATES, size=st.integers(0, 3))
def test_the_sets_with_fewest_errors_are_all_found_and_no_others(states, size):
    before, after = states[:, :4], states[:, 4:]

    found = search_of(pairs_of(before, after)).of_size(size, np.arange(4), plain_costs(4))

    for target in range(4):
        errors = {each: n_errors(before, after, each, target) for each in combinations(range(4), size)}
        least = min(errors.values())
        assert found.costs[target, 0] == least * ONE_ERROR
        assert [tuple(s) for s in found.sets[target].tolist()] == [s for s, e in errors.items() if e == least]
        others = [e for e in errors.values() if e > least]
        if others:
            assert found.costs[target, 1] == min(others) * ONE_ERROR
            assert errors[tuple(found.next_sets[target].tolist())] == min(others)


@settings(deadline=None, max_examples=15)
@given(states=STATES, size=st.integers(1, 3))
def test_the_least_open_information_is_found_to_six_decimals(states, size):
    before, after = states[:, :4], states[:, 4:]
    costs = plain_costs(4, prices=prices_of_information(len(before)))

    found = search_of(pairs_of(before, after)).of_size(size, np.arange(4), costs)

    for target in range(4):
        by_set = [open_information(before, after, s, target) for s in combinations(range(4), size)]
        assert found.costs[target, 0] / ONE_ERROR / len(before) == pytest.approx(min(by_set), abs=1e-5)


def test_states_may_be_more_than_two_and_pairs_more_than_a_word_has_bits():
    rng = np.random.default_rng(0)
    before, after = rng.integers(0, 3, (150, 4)), rng.integers(0, 3, (150, 4))

    found = search_of(pairs_of(before, after, 3)).of_size(2, np.arange(4), plain_costs(4))

    for target in range(4):
        errors = {s: n_errors(before, after, s, target) for s in combinations(range(4), 2)}
        assert found.costs[target, 0] == min(errors.values()) * ONE_ERROR


def test_patterns_have_a_price_and_costs_a_floor():
    before = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    after = before.copy()
    units = np.array([ONE_ERROR, ONE_ERROR])

    priced = search_of(pairs_of(before, after)).of_size(1, np.arange(2), plain_costs(2, units=units))
    floored = search_of(pairs_of(before, after)).of_size(
        1, np.arange(2), plain_costs(2, floors=np.array([2 * ONE_ERROR, 0]))
    )

    assert priced.costs[:, 0].tolist() == [2 * ONE_ERROR, 2 * ONE_ERROR]
    assert floored.sets[0].tolist() == [[0], [1]]  # two errors are as good as none
    assert floored.sets[1].tolist() == [[1]]


def test_inputs_that_may_not_be_are_left_out_and_those_that_must_be_are_in():
    rng = np.random.default_rng(1)
    before = rng.integers(0, 2, (40, 4))
    may = np.zeros((4, 4), dtype=np.int8)
    may[0, 0], may[3, 1] = -1, 1

    search = search_of(pairs_of(before, before), may)
    one, two = (search.of_size(size, np.arange(4), plain_costs(4)) for size in (1, 2))

    assert [0] not in one.sets[0].tolist()
    assert one.sets[1].tolist() == [[3]]
    assert two.sets[1].tolist() == [[1, 3]]
    assert len(search.of_size(0, np.arange(4), plain_costs(4)).sets[1]) == 0


def test_more_solutions_than_there_was_room_for_are_all_there():
    before = np.tile(np.array([[0], [1]]), (1, 90))

    found = search_of(pairs_of(before, before)).of_size(1, np.array([0, 89]), plain_costs(2))

    assert [len(sets) for sets in found.sets] == [90, 90]
    assert found.sets[1].ravel().tolist() == list(range(90))


def test_errors_of_all_pairs_are_those_of_matrix_products():
    """Counts of (x_a, x_b, y) come from X'X and X'·diag(y)·X, so the errors do too."""
    rng = np.random.default_rng(2)
    before, after = rng.integers(0, 2, (200, 12)), rng.integers(0, 2, (200, 12))
    masks, starts = pairs_of(before, after).packed()
    nothing = np.zeros(0, dtype=np.int64)
    zeros = np.zeros(1, dtype=np.int64)

    for target in (0, 7):
        of_both = products(before, np.ones(200, dtype=np.int64))
        of_ones = products(before, after[:, target])
        for a, b in combinations(range(12), 2):
            errors = sum(
                min(ones, all_ - ones) for all_, ones in zip(of_both[a, b], of_ones[a, b], strict=True)
            )
            may = np.full((12, 12), -1, dtype=np.int8)
            may[[a, b], target] = 0
            costs = np.full((1, 2), np.iinfo(np.int64).max)
            kept = np.zeros((1, 2, 2), dtype=np.int64)
            cheapest_sets(
                masks, starts, np.array([target]), a, may, nothing, zeros, zeros, costs, zeros.copy(), kept
            )
            assert costs[0, 0] == errors * ONE_ERROR


def products(states, weights):
    """The four counts of every pair of columns, in rows of weight one."""
    weighted = states * weights[:, None]
    both, single, total = states.T @ weighted, weighted.sum(axis=0), weights.sum()
    return np.stack(
        [
            total - single[:, None] - single + both,
            single[None] - both,
            single[:, None] - both,
            both,
        ],
        axis=-1,
    )
