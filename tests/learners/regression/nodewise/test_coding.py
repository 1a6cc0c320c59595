"""Columns of every kind become numbers of one scale, by hand."""

import numpy as np
import pytest

from structlearn.learners.regression.nodewise.coding import Coding

VALUES = np.array([[1.0, 0, 0], [3.0, 1, 2], [5.0, 1, 1], [7.0, 1, 1]])
LEVELS = np.array([0, 2, 3])  # a measurement, two states, three states
WEIGHTS = np.array([1.0, 1.0, 2.0, 0.0])


def test_states_have_one_number_less_than_there_are_that_count_as_indicators_do():
    coding = Coding(VALUES, LEVELS, WEIGHTS)

    assert coding.widths.tolist() == [1, 1, 2]
    assert coding.starts.tolist() == [0, 1, 2, 4]
    indicators = VALUES[:, [2]] == np.arange(3)
    centred = (indicators - WEIGHTS @ indicators / 4) / np.sqrt(5 / 8)
    numbers = coding.numbers(VALUES)[:, 2:]
    assert numbers @ numbers.T == pytest.approx(centred @ centred.T, abs=1e-12)


def test_numbers_are_centred_and_the_variances_of_a_column_sum_to_one():
    coding = Coding(VALUES, LEVELS, WEIGHTS)
    numbers, shares = coding.numbers(VALUES), WEIGHTS / 4

    variances = shares @ numbers**2
    assert shares @ numbers == pytest.approx(np.zeros(4), abs=1e-12)
    assert variances[0] == pytest.approx(1)
    assert variances[1] == pytest.approx(1)
    assert variances[2:].sum() == pytest.approx(1)
    # 1, 3, 5 and 5 have mean 3.5 and variance 11/4; the states shares of ¼, ¼ and ½: 3/16 + 3/16 + 1/4.
    assert coding.spread == pytest.approx(np.sqrt([11 / 4, 3 / 16, 5 / 8]))


def test_a_response_of_two_states_counts_both():
    spread = Coding(VALUES, LEVELS, WEIGHTS).response_spread()

    assert spread == pytest.approx([1, np.sqrt(2 * 3 / 16), np.sqrt(5 / 8)])


def test_a_constant_column_is_nothing():
    values = np.column_stack([VALUES[:, 0], np.full(4, 0.1)])
    coding = Coding(values, np.array([0, 0]), WEIGHTS)

    assert coding.spread[1] == 0.0
    assert not coding.numbers(values)[:, 1].any()
