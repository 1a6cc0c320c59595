"""Sums and maxima in logarithms agree with the product of all tables, written out in full."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.inference.log_domain import elimination_order, maximised, summed_out

SEEDS = st.integers(0, 2**32 - 1)
LIMIT = 2**20


def random_tables(seed, n_axes=5):
    """Tables of logarithms over a few axes, and the whole product as one array."""
    rng = np.random.default_rng(seed)
    sizes = {axis: int(rng.integers(1, 4)) for axis in range(n_axes)}
    tables, whole = [], np.zeros([sizes[axis] for axis in range(n_axes)])
    for axis in range(n_axes):
        others = [int(other) for other in rng.permutation(n_axes)[:2] if other != axis]
        axes = (axis, *others)
        table = rng.normal(scale=3.0, size=[sizes[a] for a in axes])
        table[rng.random(table.shape) < 0.1] = -math.inf
        tables.append((axes, table))
        letters = [axes.index(a) if a in axes else None for a in range(n_axes)]
        order = [place for place in letters if place is not None]
        shape = [sizes[a] if a in axes else 1 for a in range(n_axes)]
        whole = whole + table.transpose(order).reshape(shape)
    return tables, sizes, whole


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS, kept=st.sets(st.integers(0, 4), max_size=2))
def test_what_is_left_multiplies_to_the_sum_over_all_other_axes(seed, kept):
    tables, sizes, whole = random_tables(seed)
    kept = sorted(kept)

    left = summed_out(tables, kept, sizes, cell_limit=LIMIT)

    found = np.zeros([sizes[axis] for axis in kept])
    for axes, table in left:
        assert set(axes) <= set(kept)
        order = [axes.index(axis) for axis in kept if axis in axes]
        shape = [sizes[axis] if axis in axes else 1 for axis in kept]
        found = found + table.transpose(order).reshape(shape)
    expected = np.exp(whole).sum(axis=tuple(axis for axis in sizes if axis not in kept))
    np.testing.assert_allclose(np.exp(found), expected, rtol=1e-9, atol=1e-12)


@settings(deadline=None, max_examples=60)
@given(seed=SEEDS)
def test_a_maximum_is_the_largest_cell_and_where_it_is(seed):
    tables, sizes, whole = random_tables(seed)

    states, value = maximised(tables, sizes, cell_limit=LIMIT)

    assert value == pytest.approx(float(whole.max()), abs=1e-9)
    assert whole[tuple(states[axis] for axis in sizes)] == pytest.approx(float(whole.max()), abs=1e-9)


def test_numbers_far_below_any_float_are_summed():
    tiny = -1e6
    tables = [((0,), np.array([tiny, tiny])), ((0, 1), np.zeros((2, 2)))]

    ((_, total),) = summed_out(tables, (), {0: 2, 1: 2}, cell_limit=LIMIT)

    assert float(total) == pytest.approx(tiny + math.log(4), abs=1e-6)


def test_an_order_eliminates_each_axis_once_and_keeps_what_is_kept():
    scopes = [(0, 1), (1, 2), (2, 3), (3, 0)]

    order = elimination_order(scopes, [2], dict.fromkeys(range(4), 2), LIMIT)

    assert sorted(order) == [0, 1, 3]


def test_tables_beyond_the_limit_are_refused_before_any_is_made():
    everything = [tuple(range(10))]

    with pytest.raises(sl.DataError, match=r"10 nodes at once.*cell_limit of 1,000"):
        elimination_order(everything, [], dict.fromkeys(range(10), 2), 1000)
