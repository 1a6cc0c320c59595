"""Columns of extreme size are measured in powers of two, and long integers from the smallest of them."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics import from_dataset, opened, statistics_of
from structlearn.statistics.units import in_fair_units, log_units, refuse_other_units

STEPS = np.array([0.0, 1.0, 3.0])


def table(**columns):
    return sl.Dataset(columns, kinds=dict.fromkeys(columns, "continuous"))


@pytest.mark.parametrize("exponent", [-199, 0, 201])
def test_a_table_within_range_stays_what_it_is(exponent):
    data = table(
        x=np.ldexp(STEPS / 4, exponent)
    )  # half of the distance of the ends is below a half of 2^exponent

    found, units = in_fair_units(data)

    assert found is data
    assert units.tolist() == [0.0]


@pytest.mark.parametrize("exponent", [-1050, -202, 200, 1020])
def test_a_column_of_extreme_size_is_divided_by_a_power_of_two(exponent):
    data = table(x=np.ldexp(STEPS, exponent), y=STEPS)

    found, units = in_fair_units(data)

    x, y = found.columns
    assert x.values.tolist() == (STEPS / 2).tolist()  # half of the distance of the ends is then 0.75
    assert y is data.columns[1]
    assert units.tolist() == [pytest.approx((exponent + 1) * math.log(2.0)), 0.0]


@pytest.mark.parametrize("value", [1e300, -1e300])
def test_a_constant_counts_by_its_size_and_nothing_by_nothing(value):
    found, units = in_fair_units(table(x=np.full(3, value), y=np.zeros(3)))

    assert 0.5 <= abs(found.columns[0].values[0]) < 1.0
    assert units[0] > 600.0
    assert units[1] == 0.0


@pytest.mark.parametrize("low", [2**53, 2**62, -(2**63)])
def test_long_integers_are_counted_from_the_smallest(low):
    numbers = np.array([low + 3, low, low + 1], dtype=np.int64)

    found, units = in_fair_units(table(n=numbers))

    assert found.columns[0].values.tolist() == [3.0, 0.0, 1.0]
    assert units.tolist() == [0.0]


def test_long_integers_with_gaps_are_counted_too():
    found, _ = in_fair_units(table(n=[2**62 + 3, None, 2**62]))

    assert found.columns[0].values.tolist() == [3.0, 0.0, 0.0]
    assert found.columns[0].missing.tolist() == [False, True, False]


def test_integers_of_both_signs_have_their_distance():
    found, _ = in_fair_units(table(n=np.array([-(2**63), 2**63 - 1, 0], dtype=np.int64)))

    assert found.columns[0].values.tolist() == [0.0, 2.0**64, 2.0**63]


def test_what_is_missing_has_no_say():
    gaps = np.ldexp(STEPS, 300)
    found, units = in_fair_units(table(x=np.where(STEPS == 1.0, np.nan, gaps), y=[None, 2.0**60, 1.0]))

    assert found.columns[0].values[[0, 2]].tolist() == [0.0, 1.5]
    assert units.tolist() == [pytest.approx(301 * math.log(2.0)), 0.0]


def test_where_units_matter_a_column_in_another_is_refused_by_name_and_size():
    def statistics_with(**columns):
        return statistics_of(opened(table(**columns)), list(columns), owner="test")

    statistics = statistics_with(x=STEPS, y=STEPS * 1e200)

    assert log_units(statistics).tolist() == [0.0, pytest.approx(200 * math.log(10.0), abs=2.0)]
    with pytest.raises(sl.DataError, match="test: distances add up, and column 'y' varies by about 1e200"):
        refuse_other_units("test", statistics, "distances add up")
    refuse_other_units("test", statistics_with(x=STEPS), "distances add up")


@pytest.mark.parametrize(("centre", "spread"), [(1e15, 1.0), (1e6, 1e-9), (-3e12, 0.01)])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_far_from_zero_have_the_variance_of_their_differences(centre, spread, weighted):
    values = centre + spread * np.random.default_rng(0).normal(size=1000)
    weights = np.tile([1.0, 3.0], 500) if weighted else None

    found = from_dataset(sl.Dataset({"x": values}, weights=weights)).moments()

    near = values - values[0]  # differences of near numbers are exact
    expected = np.cov(near, aweights=weights, bias=True)
    np.testing.assert_allclose(found.covariance[0, 0], expected, rtol=1e-12)
