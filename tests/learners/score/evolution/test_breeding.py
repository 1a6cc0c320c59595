"""Repair, crossing, selection and mutation by their definitions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import structlearn as sl
from structlearn.learners.score.evolution import breeding
from structlearn.learners.score.kernels.genetic import break_cycles
from tests.oracles import graphs as oracle
from tests.search import dependent_tables
from tests.search.spaces import space_of

N = 6


MATRICES = arrays.arrays(np.bool_, (N, N)).map(lambda arcs: arcs & ~np.eye(N, dtype=bool))


SEEDS = st.integers(0, 2**32)


REQUIRED = [("v1", "v0"), ("v0", "v2"), ("v4", "v2")]


def random_table(seed, n_columns=N):
    return dependent_tables.random_table(seed, n_columns)


DATA = random_table(0)


def arrows(arcs):
    return {(int(u), int(v)) for v, u in np.argwhere(arcs)}


@settings(deadline=None)  # the first call compiles
@given(arcs=MATRICES, seed=SEEDS)
def test_arcs_of_cycles_are_removed_until_none_is_left(arcs, seed):
    frozen = np.zeros((N, N), dtype=bool)
    frozen[0, 1] = frozen[1, 2] = frozen[3, 2] = True
    before = arcs | frozen
    after = before.copy()

    n_removed = break_cycles(after, frozen, np.random.default_rng(seed).random(N * N))

    assert oracle.is_acyclic(arrows(after))
    assert (after <= before).all()
    assert (frozen <= after).all()
    removed = arrows(before) - arrows(after)
    assert len(removed) == n_removed
    assert all(source in oracle.descendants(arrows(before), target) for source, target in removed)


def test_each_arc_of_a_cycle_is_as_likely_to_go():
    cycle = np.zeros((4, 4), dtype=bool)
    cycle[1, 0] = cycle[2, 1] = cycle[0, 2] = cycle[3, 2] = True
    none = np.zeros((4, 4), dtype=bool)

    gone = []
    for draw in (0.1, 0.5, 0.9):
        arcs = cycle.copy()
        break_cycles(arcs, none, np.full(4, draw))
        gone += arrows(cycle) - arrows(arcs)

    assert sorted(gone) == [(0, 1), (1, 2), (2, 0)]


@settings(deadline=None)
@given(arcs=MATRICES, seed=SEEDS, max_parents=st.integers(2, 4))
def test_what_is_repaired_is_a_dag_within_the_limits(arcs, seed, max_parents):
    knowledge = sl.Knowledge(required=REQUIRED, forbidden=[("v3", "v0"), ("v5", "v4")])
    space = space_of(DATA, knowledge=knowledge, max_parents=max_parents, seed=seed)

    mended = breeding.repaired(arcs, space)

    graph = sl.Graph(DATA.names, directed=[(f"v{u}", f"v{v}") for u, v in arrows(mended)])
    assert graph.is_dag
    assert knowledge.violations(graph) == []
    assert mended.sum(axis=1).max() <= max_parents
    assert (mended <= arcs | space.limits.frozen).all()


def test_of_too_many_parents_those_stay_that_the_score_would_miss_most():
    data = sl.example("asia").sample(2000, random_state=0)
    child = data.names.index("either")  # tub or lung
    arcs = np.zeros((8, 8), dtype=bool)
    arcs[child, [data.names.index(name) for name in ("smoke", "tub", "asia", "lung")]] = True

    mended = breeding.repaired(arcs, space_of(data, max_parents=2))

    assert [data.names[u] for u, _ in sorted(arrows(mended))] == ["tub", "lung"]


@pytest.mark.parametrize("crossover", breeding.CROSSOVERS)
@given(mother=MATRICES, father=MATRICES, seed=SEEDS)
def test_two_children_share_out_what_their_parents_have(crossover, mother, father, seed):
    one, other = breeding.CROSSOVERS[crossover](mother, father, np.random.default_rng(seed))

    np.testing.assert_array_equal(one + 1 * other, mother + 1 * father)


@given(mother=MATRICES, father=MATRICES, seed=SEEDS)
def test_parents_are_exchanged_whole(mother, father, seed):
    for child in breeding.exchange_parents(mother, father, np.random.default_rng(seed)):
        for row, *choices in zip(child, mother, father, strict=True):
            assert any((row == choice).all() for choice in choices)


def test_strings_are_cut_at_any_one_place():
    mother, father = np.zeros((3, 3), dtype=bool), np.ones((3, 3), dtype=bool)
    rng = np.random.default_rng(0)
    lengths = set()
    for _ in range(200):
        one, _ = breeding.exchange_tails(mother, father, rng)
        string = one.T.ravel()  # From docs/references/search.md#genetic-search: bit u·n + v is u → v
        lengths.add(int(string.sum()))
        assert (np.diff(string.astype(int)) >= 0).all()

    assert lengths == set(range(10))


def test_the_best_of_m_is_drawn_m_times_as_often_as_the_worst():
    drawn = breeding.by_rank(4, 40_000, np.random.default_rng(0))

    assert np.bincount(drawn) / 40_000 == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=0.01)


def test_the_better_of_two_wins_a_tournament():
    drawn = breeding.by_tournament(3, 40_000, np.random.default_rng(0))
    pairs = [min(pair) for pair in itertools.product(range(3), repeat=2)]

    assert np.bincount(drawn) / 40_000 == pytest.approx(np.bincount(pairs) / 9, abs=0.01)


def test_mutation_changes_each_place_at_its_rate():
    rng = np.random.default_rng(0)
    arcs = rng.random((200, 200)) < 0.5

    changed = arcs != breeding.mutated(arcs, 0.1, rng)

    assert changed.mean() == pytest.approx(0.1, abs=0.01)
    assert changed[arcs].mean() == pytest.approx(changed[~arcs].mean(), abs=0.01)


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 10, 40])
def test_random_graphs_are_acyclic_with_two_arcs_at_a_node_or_fewer(n_nodes):
    rng = np.random.default_rng(0)
    found = [breeding.random_arcs(n_nodes, rng) for _ in range(200)]

    assert all(np.linalg.matrix_power(arcs.astype(float), n_nodes).sum() == 0 for arcs in found)
    pairs = n_nodes * (n_nodes - 1) / 2
    expected = pairs * min(0.5, 2 / (n_nodes - 1)) if n_nodes > 1 else 0
    assert np.mean([arcs.sum() for arcs in found]) == pytest.approx(expected, rel=0.1, abs=0.2)
