"""The heaviest forests and branchings are the best of all."""

import itertools

import numpy as np
import pytest

from structlearn.learners.score.trees import spanning
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


def kruskal(weights):
    """All edges sorted at once by weight and ends, and joined one by one."""
    n = len(weights)
    edges = sorted(
        (-weights[a, b], a, b) for a, b in itertools.combinations(range(n), 2) if weights[a, b] > 0.0
    )
    part, found = list(range(n)), []
    for _, a, b in edges:
        if part[a] != part[b]:
            found.append((a, b))
            part = [part[a] if own == part[b] else own for own in part]
    return found


@pytest.mark.parametrize("per_node", [1, 2, 8])
@pytest.mark.parametrize("n_weights", [3, 1000])
def test_edges_come_by_weight_and_then_by_their_ends_however_many_are_sorted_at_once(
    per_node, n_weights, monkeypatch
):
    monkeypatch.setattr(spanning, "EDGES_PER_NODE", per_node)
    for seed in range(5):
        weights = np.triu(np.random.default_rng(seed).integers(0, n_weights, (30, 30)), k=1).astype(float)
        weights[:, seed] = 0.0  # few edges lead there, and they are light

        assert heaviest_forest(weights + weights.T) == kruskal(weights)


def test_the_weight_to_begin_from_may_be_guessed_badly(monkeypatch):
    # Of the part that is looked at, every tenth number and so the first column, all is heavy, or all light.
    for looked_at, beside in ((50.0, 1.0), (1.0, 50.0), (0.0, 1.0)):
        weights = np.triu(np.random.default_rng(0).integers(0, 9, (10, 10)) + beside, k=1)
        weights[0] = np.where(np.arange(10) > 0, looked_at, 0.0)
        monkeypatch.setattr(spanning, "WEIGHTS_LOOKED_AT", 10)
        monkeypatch.setattr(spanning, "EDGES_PER_NODE", 1)

        assert heaviest_forest(weights + weights.T) == kruskal(weights)


def test_weights_without_bound_come_first():
    weights = np.array([[0.0, 1.0, np.inf], [1.0, 0.0, 2.0], [np.inf, 2.0, 0.0]])

    assert heaviest_forest(weights) == [(0, 2), (1, 2)]


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
