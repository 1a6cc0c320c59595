"""Scores that differ by rounding only are a tie."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structlearn.search.ranking import first_best, ranked

SCORES = st.integers(0, 8).map(float)


@given(st.lists(SCORES, max_size=12), st.randoms(use_true_random=False))
def test_scores_that_differ_by_rounding_only_keep_their_order(scores, random):
    rough = np.array([score + random.uniform(-1e-11, 1e-11) for score in scores])

    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], place))
    assert ranked(rough).tolist() == expected
    assert not scores or first_best(rough) == expected[0]
