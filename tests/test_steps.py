"""Steps are counted for the worst of some arguments, and few are told from many at a glance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes

from structlearn.steps import ENDLESS, FEW, MOST_STEPS, are_few, most_steps


@pytest.mark.parametrize(
    ("arguments", "n_loops", "expected"),
    [
        ((np.ones(30),), 4, 30),
        ((np.ones((4, 10)),), 2, 40),
        ((np.ones((4, 10)),), 4, 40 * 4 * 4),
        ((np.ones((2, 3, 5)),), 4, 30 * 3 * 3),
        ((np.ones(()), np.ones((0, 9))), 4, 1),
        ((np.ones(3), 50), 1, 50),
        ((ENDLESS,), 1, 0),
        (((np.ones(7), 1000),), 1, 7),
    ],
)
def test_loops_go_over_all_of_an_array_and_again_along_its_shorter_axis(arguments, n_loops, expected):
    assert most_steps(arguments, n_loops) == expected


@settings(deadline=None, max_examples=50)
@given(shape=array_shapes(max_dims=3, max_side=40), number=st.integers(0, 2 * MOST_STEPS))
def test_what_are_few_take_few_steps_however_the_loops_are_nested(shape, number):
    array = np.empty(shape)
    for arguments in ((array, number), ((array,), number)):
        if are_few(arguments):
            assert most_steps(arguments, 4) <= MOST_STEPS


def test_small_tables_are_few_and_long_ones_are_not():
    assert are_few((np.ones((20, 30)), (np.ones(FEW), ENDLESS), 3, 0.5))
    assert are_few((np.ones((8, 128)),))  # all families of asia: 1,024 · 8 · 8
    assert not are_few((np.ones((FEW, FEW + 1)),))
    assert not are_few(((np.ones(3), np.ones(MOST_STEPS + 1)),))
    assert not are_few((MOST_STEPS + 1,))
