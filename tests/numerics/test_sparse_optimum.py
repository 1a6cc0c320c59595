"""Sparse optima of a quadratic have a closed form: each weight is pulled towards zero by its penalty."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from structlearn.numerics.sparse_optimum import residual, sparse_optimum

NUMBERS = st.floats(-5, 5).filter(lambda number: number == 0.0 or abs(number) > 1e-3)


class Hill:
    """A concave function with its top at `top`."""

    def __init__(self, top):
        self.top = top

    def at(self, weights):
        return -0.5 * float(((weights - self.top) ** 2).sum()), self.top - weights


@given(st.lists(st.tuples(NUMBERS, st.floats(0, 3)), min_size=1, max_size=6), st.floats(0, 2))
def test_weights_are_the_top_thresholded_and_shrunken(drawn, ridge):
    top, penalties = (np.array(column) for column in zip(*drawn, strict=True))

    found = sparse_optimum(Hill(top), np.zeros(len(top)), penalties, ridges=ridge)

    expected = np.sign(top) * np.maximum(np.abs(top) - penalties, 0.0) / (1.0 + ridge)
    assert found == pytest.approx(expected, abs=1e-6)
    assert not found[np.abs(top) < penalties - 1e-6].any()


def test_one_thread_does_the_algebra_of_few_weights():
    class Watched(Hill):
        def at(self, weights):
            threads.update(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
            return super().at(weights)

    threads = set()
    with threadpool_limits(2, user_api="blas"):
        sparse_optimum(Watched(np.ones(2)), np.zeros(2), np.full(2, 0.5))

    assert threads == {1}


def test_the_residual_is_the_worst_condition():
    # A weight of 1 wants a slope equal to its penalty; a weight of 0 wants one that is not above it.
    assert residual(np.array([1.0, 0.0]), np.array([0.5, 0.2]), np.array([0.3, 0.3])) == pytest.approx(0.2)
    assert residual(np.array([0.0]), np.array([-1.0]), np.array([0.25])) == pytest.approx(0.75)


def test_nothing_to_fit_is_nothing_found():
    assert sparse_optimum(Hill(np.zeros(0)), np.zeros(0), np.zeros(0)).tolist() == []
