"""What resamples agree on has no directed cycle, whatever the order in which arrows come."""

from itertools import combinations

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.ensemble.consensus import _without_cycles


@pytest.mark.parametrize("n_nodes", [3, 4, 5, 8])
def test_arrows_that_are_kept_make_a_dag_and_each_of_the_others_would_close_a_cycle(n_nodes):
    rng, nodes = np.random.default_rng(0), "abcdefgh"[:n_nodes]
    pairs = list(combinations(nodes, 2))
    for _ in range(100):
        ranked = [pairs[place][:: rng.choice([1, -1])] for place in rng.permutation(len(pairs))]

        kept, left = _without_cycles(nodes, ranked)

        assert sorted(kept + left) == sorted(ranked)
        assert sl.Graph(nodes, directed=kept).is_dag
        for pair in left:
            before = [arrow for arrow in kept if ranked.index(arrow) < ranked.index(pair)]
            assert not sl.Graph(nodes, directed=[*before, pair]).is_dag
