"""Edges from the neighbours that nodes chose, by hand."""

import numpy as np
import pytest

from structlearn.learners.regression.nodewise.joined import joined, mean_weights

# 0 and 1 choose each other, 2 chooses 0, and nobody chooses 2.
CHOSEN = np.array([[0.0, 0.5, 0.0], [0.3, 0.0, 0.0], [0.2, 0.0, 0.0]])


def test_both_must_choose_or_one_is_enough():
    assert joined(CHOSEN, "and").tolist() == [0 * 3 + 1]
    assert joined(CHOSEN, "or").tolist() == [0 * 3 + 1, 0 * 3 + 2]


def test_the_weight_of_a_pair_is_the_mean_of_what_is_not_zero():
    assert mean_weights(CHOSEN, np.array([1, 2])) == pytest.approx([0.4, 0.2])
