"""What stands in for the kernels of moves does what their loops do, and agrees with enumeration."""

import numpy as np
import pytest

from structlearn.search.kernels import moves
from tests.oracles import graphs as oracle
from tests.tiers import loops_of

N_NODES = [5, 70]  # a word of ancestors, and two


def random_dag(seed, n_nodes):
    """Arcs and ancestors of a sparse DAG over shuffled nodes."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_nodes)
    arcs = np.zeros((n_nodes, n_nodes), dtype=np.bool_)
    arcs[np.ix_(order, order)] = np.tril(rng.random((n_nodes, n_nodes)) < 2 / n_nodes, k=-1)
    return arcs, ancestors_of(arcs)


def ancestors_of(arcs):
    """A bit for each node above, by following arrows."""
    n_nodes = len(arcs)
    arrows = {(int(u), int(v)) for v, u in np.argwhere(arcs)}
    ancestors = np.zeros((n_nodes, -(-n_nodes // 64)), dtype=np.uint64)
    for u in range(n_nodes):
        for v in oracle.descendants(arrows, u):
            if v != u:
                ancestors[v, u // 64] |= np.uint64(1 << u % 64)
    return ancestors


def is_above(ancestors, v, u):
    return int(ancestors[v, u // 64]) >> (u % 64) & 1 == 1


@pytest.mark.parametrize("n_nodes", N_NODES)
def test_nodes_below_one_are_those_that_have_it_above(n_nodes):
    _, ancestors = random_dag(0, n_nodes)

    for v in range(n_nodes):
        expected = [is_above(ancestors, w, v) for w in range(n_nodes)]
        assert moves.are_below(ancestors, v).tolist() == expected


@pytest.mark.parametrize("n_nodes", N_NODES)
def test_an_arc_added_brings_all_that_is_above_it(n_nodes):
    arcs, ancestors = random_dag(1, n_nodes)
    rng = np.random.default_rng(1)
    n_added = 0
    for u, v in rng.integers(n_nodes, size=(40, 2)).tolist():
        if u == v or arcs[v, u] or is_above(ancestors, u, v):
            continue
        moves.add_arc_at_once(arcs, ancestors, u, v)
        n_added += 1
        assert arcs[v, u]
        assert (ancestors == ancestors_of(arcs)).all()
    assert n_added > 3


@pytest.mark.parametrize("n_nodes", N_NODES)
@pytest.mark.parametrize("seed", [2, 3])
def test_an_arc_removed_takes_away_what_no_other_path_brings(n_nodes, seed):
    arcs, ancestors = random_dag(seed, n_nodes)
    arrows = np.argwhere(arcs)
    np.random.default_rng(seed).shuffle(arrows)

    for v, u in arrows[:20].tolist():
        moves.remove_arc_at_once(arcs, ancestors, u, v)
        assert not arcs[v, u]
        assert (ancestors == ancestors_of(arcs)).all()


@pytest.mark.parametrize("change_to", [moves.change_to_at_once, loops_of(moves.change_to)])
@pytest.mark.parametrize("n_nodes", N_NODES)
@pytest.mark.parametrize("seed", [8, 9, None])
def test_arcs_change_to_those_of_any_other_dag_though_both_together_have_cycles(n_nodes, seed, change_to):
    arcs, ancestors = random_dag(7, n_nodes)
    arcs_turned = arcs.T.copy(), ancestors_of(arcs.T)
    wanted, expected = arcs_turned if seed is None else random_dag(seed, n_nodes)

    change_to(wanted, arcs, ancestors)

    assert (arcs == wanted).all()
    assert (ancestors == expected).all()


@pytest.mark.parametrize("n_nodes", N_NODES)
def test_ancestors_are_the_parents_and_what_is_above_them(n_nodes):
    arcs, ancestors = random_dag(4, n_nodes)
    expected = ancestors.copy()

    for v in range(n_nodes):
        ancestors[v] = np.uint64(2**64 - 1)  # whatever was there goes
        moves.find_ancestors_at_once(arcs, ancestors, v)
        assert (ancestors == expected).all()


@pytest.mark.parametrize("n_nodes", N_NODES)
def test_rows_that_may_gain_by_an_arc_that_is_gone_are_the_same_in_both_tiers(n_nodes):
    arcs, _ = random_dag(5, n_nodes)
    gains = np.random.default_rng(5).normal(size=arcs.shape)
    raised = []
    for v, u in np.argwhere(arcs)[:10].tolist():
        without = arcs.copy()
        without[v, u] = False
        after = ancestors_of(without)
        found, expected = np.full((2, n_nodes), -1.0)
        moves.reopen_of_lists(found, gains, without, after, u, v)
        loops_of(moves.reopen)(expected, gains, without, after, u, v)
        assert found.tolist() == expected.tolist()
        raised.append((found > -1.0).any())
    assert any(raised)


@pytest.mark.parametrize("n_nodes", N_NODES)
@pytest.mark.parametrize("max_parents", [1, 2, 100])
@pytest.mark.parametrize("least", [0.5, np.inf])
def test_moves_of_a_row_are_the_same_in_both_tiers(n_nodes, max_parents, least):
    arcs, ancestors = random_dag(6, n_nodes)
    rng = np.random.default_rng(6)
    gains = rng.normal(size=arcs.shape)
    is_bound = rng.random(arcs.shape) < 0.2
    frozen = arcs & (rng.random(arcs.shape) < 0.2)
    closed = ~arcs & (rng.random(arcs.shape) < 0.2)
    graph = arcs, ancestors, frozen, closed, np.full(n_nodes, max_parents)
    keys = rng.integers(2**63, size=arcs.shape, dtype=np.uint64)
    key = np.uint64(0)
    tabu = keys[arcs][:3]  # the graphs without one of these arcs
    ranks = []
    for v in range(min(n_nodes, 20)):
        doubts, expected_doubts = np.full((2, n_nodes), np.nan)
        found = moves.row_moves_of_lists(v, least, gains, is_bound, graph, key, keys, tabu, doubts)
        expected = loops_of(moves.row_moves)(
            v, least, gains, is_bound, graph, key, keys, tabu, expected_doubts
        )
        assert found == expected
        assert np.array_equal(doubts, expected_doubts, equal_nan=True)
        ranks.append(found[2])
    assert len(set(ranks)) > 1 or least == np.inf
