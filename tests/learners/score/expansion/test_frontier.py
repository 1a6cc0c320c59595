"""The frontier keeps what is best."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structlearn.learners.score.expansion.frontier import Frontier
from structlearn.learners.score.expansion.neighbors import STEP

SCORES = st.integers(0, 8).map(float)


BATCHES = st.lists(st.tuples(st.integers(0, 30), SCORES), max_size=8, unique_by=lambda pair: pair[0])


@given(batches=st.lists(BATCHES, max_size=8), max_open=st.integers(1, 6), n_pops=st.integers(0, 2))
def test_the_frontier_is_a_short_list_of_what_is_best(batches, max_open, n_pops):
    frontier, waiting, taken = Frontier(max_open), [], set()
    for batch in batches:
        frontier.push(np.array([(score, key, 0, 0, 0, 0) for key, score in batch], dtype=STEP))
        known = taken | {key for key, _ in waiting}
        waiting = waiting + [(key, score) for key, score in batch if key not in known]
        best = sorted(range(len(waiting)), key=lambda place: (-waiting[place][1], place))[:max_open]
        waiting = [waiting[place] for place in sorted(best)]
        for _ in range(min(n_pops, len(waiting))):
            expected = max(waiting, key=lambda pair: pair[1])
            waiting.remove(expected)
            taken.add(expected[0])
            assert frontier.pop()["key"] == expected[0]
        assert len(frontier) == len(waiting)
