"""The heaviest forests and branchings are the best of all."""

import numpy as np
import pytest

from structlearn.learners.score.trees.spanning import heaviest_branching, heaviest_forest, rooted
from tests.oracles import trees


def random_weights(seed):
    rng = np.random.default_rng(seed)
    n = 2 + seed % 4
    return rng.integers(-3, 10, (n, n)).astype(float)


@pytest.mark.parametrize("seed", range(40))
def test_no_forest_is_heavier(seed):
    weights = random_weights(seed)
    weights = np.triu(weights, k=1) + np.triu(weights, k=1).T
    best = max(sum(weights[edge] for edge in edges) for edges in trees.forests(len(weights)))

    found = heaviest_forest(weights)

    assert tuple(sorted(found)) in set(trees.forests(len(weights)))
    assert sum(weights[edge] for edge in found) == best


@pytest.mark.parametrize("seed", range(80))
def test_no_branching_is_heavier(seed):
    weights = random_weights(seed)

    def weight(parents):
        return sum(weights[u, v] for v, u in enumerate(parents) if u is not None)

    found = dict.fromkeys(range(len(weights))) | {v: u for u, v in heaviest_branching(weights)}

    parents = tuple(found[v] for v in range(len(weights)))
    assert parents in set(trees.branchings(len(weights)))
    assert weight(parents) == max(weight(other) for other in trees.branchings(len(weights)))


def test_a_long_chain_of_contractions_is_undone():
    n = 60
    weights = np.zeros((n, n))
    for v in range(n - 1):
        weights[v, v + 1] = weights[v + 1, v] = n - v

    arcs = heaviest_branching(weights)

    assert {frozenset(arc) for arc in arcs} == {frozenset((v, v + 1)) for v in range(n - 1)}
    assert len({target for _, target in arcs}) == n - 1


def test_every_part_of_a_forest_has_one_root():
    assert rooted(5, [(0, 1), (1, 2), (3, 4)], [2, 0, 1, 2, 3, 4]) == [(2, 1), (1, 0), (3, 4)]
