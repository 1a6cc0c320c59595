"""A path of penalties falls evenly, and its end is warned of."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.penalties.path import penalty_path, warn_of_the_end


def test_a_path_falls_by_the_same_share_at_each_step():
    assert penalty_path(8.0, n_penalties=4, smallest_share=1 / 8) == pytest.approx([8, 4, 2, 1])
    assert penalty_path(0.0, n_penalties=4, smallest_share=0.1).tolist() == [0.0]


def test_the_end_of_a_path_is_warned_of():
    with pytest.warns(sl.DataWarning, match="smaller smallest_share"):
        warn_of_the_end("Somebody", np.array([3, 9]), 10)
    warn_of_the_end("Somebody", np.array([3, 8]), 10)
