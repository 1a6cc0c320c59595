"""A path of penalties falls evenly, and its end is warned of."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.penalties.path import penalty_path, warn_of_the_end
from structlearn.run import Run


def test_a_path_falls_by_the_same_share_at_each_step():
    assert penalty_path(8.0, n_penalties=4, smallest_share=1 / 8) == pytest.approx([8, 4, 2, 1])
    assert penalty_path(0.0, n_penalties=4, smallest_share=0.1).tolist() == [0.0]


def test_the_end_of_a_path_is_warned_of():
    run = Run("Somebody")
    warn_of_the_end(run, np.array([3, 8]), 10)
    run.say_warnings()
    warn_of_the_end(run, np.array([3, 9]), 10)

    with pytest.warns(sl.DataWarning, match="Somebody: .* smaller smallest_share"):
        run.say_warnings()
