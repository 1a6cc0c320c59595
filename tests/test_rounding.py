"""What ties is what another order of the same terms can change, and no more."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structlearn.rounding import (
    ALMOST_ONE,
    COLLINEAR,
    CONSTANT,
    DECIMALS_OF_WEIGHTS,
    DETERMINED,
    ENOUGH,
    TINY,
    first_best,
    slack,
    tie,
)

TERMS = st.lists(st.floats(-1e3, 0), min_size=1, max_size=100)


def summed(terms):
    """Added one after the other, as kernels do; Python's own sum makes good what rounding loses."""
    return float(np.add.accumulate(terms)[-1])


@given(terms=TERMS, seed=st.integers(0, 2**32 - 1))
def test_a_score_ties_with_itself_in_any_order_of_its_terms(terms, seed):
    shuffled = np.random.default_rng(seed).permutation(terms)
    exact = math.fsum(terms)

    assert abs(summed(terms) - summed(shuffled)) <= min(tie(exact), slack(exact))
    assert abs(summed(shuffled) - exact) <= ENOUGH


@pytest.mark.parametrize("size", [0.0, 1.0, 1e3, 1e6, 1e9])
def test_a_factor_of_1_01_in_the_posterior_is_no_tie_of_scores(size):
    assert slack(-size) < math.log(1.01)


def test_what_ties_grows_with_the_size_of_what_is_compared():
    assert tie(1e6) == pytest.approx(1e-3)
    assert tie(-1e6) == tie(1e6)
    assert tie(0.5) == tie(0.0) == pytest.approx(1e-9)
    assert slack(-1e6) == pytest.approx(1e-6)
    assert slack(10.0) == pytest.approx(1e-9)


def test_nothing_ties_with_an_infinite_gain_but_another():
    assert tie(math.inf) == tie(-math.inf) == 0.0
    assert slack(math.inf) == slack(-math.inf) == 0.0


def test_almost_one_is_nine_steps_of_a_double_below_one():
    assert (1.0 - ALMOST_ONE) / (1.0 - math.nextafter(1.0, 0.0)) == 9.0


def test_decimals_of_weights_say_the_same_as_enough():
    assert pytest.approx(10.0**-DECIMALS_OF_WEIGHTS) == ENOUGH


def test_what_is_nothing_is_above_rounding_and_below_what_a_table_can_tell():
    eps = np.finfo(float).eps

    assert 100 * eps < CONSTANT < COLLINEAR < DETERMINED < 1e6 * eps
    assert 1e15 * np.finfo(float).tiny < TINY < 1e-280


def test_of_equals_up_to_rounding_the_first_is_taken():
    scores = {"a": -1000.0, "b": -1000.0 + 1e-12, "c": -1000.5}

    assert first_best(scores, scores.__getitem__) == "a"
    assert first_best(reversed(scores), scores.__getitem__) == "b"
