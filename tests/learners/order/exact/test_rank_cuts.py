"""Rank cuts are kept by every DAG, and those that are found are broken."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.learners.order.exact.rank_cuts import CutSearch, Mixture, RankCut
from structlearn.learners.order.kernels import rank_cuts as kernels
from tests.oracles import best_dag
from tests.oracles import rank_cuts as oracle

N_NODES = 4
CLASSES = st.lists(st.integers(-1, 3), min_size=N_NODES, max_size=N_NODES)
RANKS = st.integers(1, 4)


def mixture_of(parents, weights=None):
    """A mixture of (child, parents) pairs."""
    width = max(1, *(len(members) for _, members in parents))
    members = np.full((len(parents), width), -1)
    for row, (_, of_child) in zip(members, parents, strict=True):
        row[: len(of_child)] = of_child
    weights = np.ones(len(parents)) if weights is None else np.array(weights)
    return Mixture(np.array([child for child, _ in parents]), members, weights)


def random_mixture(seed, n_nodes=N_NODES):
    """Three families of random weights for every node."""
    rng = np.random.default_rng(seed)
    families, weights = [], []
    for child in range(n_nodes):
        others = [node for node in range(n_nodes) if node != child]
        families += [(child, rng.choice(others, rng.integers(n_nodes), replace=False)) for _ in range(3)]
        weights += rng.dirichlet(np.ones(3)).tolist()
    return mixture_of(families, weights)


@settings(deadline=None)
@given(classes=CLASSES, rank=RANKS)
def test_every_dag_keeps_every_cut(classes, rank):
    least = oracle.rank_of(range(N_NODES), classes, rank)

    for parents in best_dag.every_dag(N_NODES):
        assert sum(oracle.rise(*family, classes, rank) for family in enumerate(parents)) >= least


@settings(deadline=None)
@given(classes=CLASSES, rank=RANKS)
def test_families_raise_the_rank_where_the_definition_says(classes, rank):
    families = list(best_dag.every_family(N_NODES))
    mixture = mixture_of(families)
    is_raised = np.empty(len(families), dtype=np.bool_)

    kernels.fill_row(np.array(classes), rank, mixture.child, mixture.members, is_raised)

    assert is_raised.tolist() == [oracle.rise(*family, classes, rank) == 1 for family in families]
    assert RankCut(np.array(classes), rank).rank_of_all == oracle.rank_of(range(N_NODES), classes, rank)


@settings(deadline=None, max_examples=4)
@given(seed=st.integers(0, 10_000))
def test_every_cut_that_is_found_is_broken(seed):
    mixture = random_mixture(seed)

    for cut in CutSearch(N_NODES).broken_by(mixture):
        assert oracle.slack(mixture, cut.classes.tolist(), cut.rank) < -1e-4


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10_000), classes=CLASSES, rank=RANKS)
def test_a_descent_ends_where_no_move_of_a_node_lowers_the_slack(seed, classes, rank):
    mixture = random_mixture(seed)
    nodes = np.column_stack([mixture.child, mixture.members])
    touching = [np.flatnonzero(np.any(nodes == node, axis=1)) for node in range(N_NODES)]
    first = np.cumsum([0, *map(len, touching)])
    cut, slack = np.array([classes]), np.empty(1)

    kernels.descend(cut, np.array([rank]), (*mixture, first, np.concatenate(touching)), slack)

    assert slack[0] == pytest.approx(oracle.slack(mixture, cut[0].tolist(), rank), abs=1e-9)
    for node in range(N_NODES):
        for label in range(-1, 5):
            moved = cut[0].tolist()
            moved[node] = label
            assert oracle.slack(mixture, moved, rank) >= slack[0] - 1e-6


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10_000), n_nodes=st.integers(2, 9))
def test_a_graph_breaks_a_cut_exactly_where_it_has_a_cycle(seed, n_nodes):
    rng = np.random.default_rng(seed)
    others = [[u for u in range(n_nodes) if u != v] for v in range(n_nodes)]
    parents = [rng.choice(others[v], rng.integers(min(3, n_nodes)), replace=False) for v in range(n_nodes)]
    reach = np.zeros((n_nodes, n_nodes), dtype=np.int64)
    for child, members in enumerate(parents):
        reach[members, child] = 1
    has_cycle = np.trace(np.linalg.matrix_power(np.eye(n_nodes, dtype=np.int64) + reach, n_nodes)) > n_nodes

    cuts = CutSearch(n_nodes).broken_by(mixture_of(list(enumerate(parents))))

    assert bool(cuts) == has_cycle


def test_a_cycle_is_found_though_a_common_parent_hides_it_from_greedy_growth():
    cycle = [(0, ()), (1, (0, 2)), (2, (0, 4)), (3, (0, 1)), (4, (0, 3))]

    cuts = CutSearch(5).broken_by(mixture_of(cycle))

    assert [(cut.classes.tolist(), cut.rank) for cut in cuts] == [([-1, 0, 0, 0, 0], 1)]


def test_three_nodes_that_are_each_half_the_child_of_the_others_break_only_a_cut_of_rank_two():
    families = [(0, (1, 2)), (0, ()), (1, (0, 2)), (1, ()), (2, (0, 1)), (2, ())]
    mixture = mixture_of(families, [0.5] * 6)

    cuts = CutSearch(3).broken_by(mixture)

    assert [(cut.classes.tolist(), cut.rank) for cut in cuts] == [([0, 1, 2], 2)]


def test_no_cut_is_found_twice():
    search, mixture = CutSearch(2), mixture_of([(0, (1,)), (1, (0,))])

    assert len(search.broken_by(mixture)) == 1
    assert not search.broken_by(mixture)


def test_arc_weights_add_up_the_families_of_a_child():
    mixture = mixture_of([(0, ()), (1, (0,)), (1, (0, 2)), (2, ())], [1.0, 0.25, 0.75, 1.0])

    assert mixture.arc_weights(3).tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.75, 0.0]]


@settings(deadline=None)
@given(cuts=st.lists(st.tuples(CLASSES, RANKS), min_size=1, max_size=3))
def test_families_are_paid_the_prices_of_the_cuts_that_they_raise(cuts):
    families = list(best_dag.every_family(N_NODES))
    mixture = mixture_of(families)
    prices = 2.0 ** np.arange(len(cuts))  # sums of powers of two are exact
    losses = np.zeros(len(families))
    classes, ranks = (np.array(part) for part in zip(*cuts, strict=True))

    kernels.subtract_prices(classes, ranks, prices, mixture.child, mixture.members, losses)

    raised = [[oracle.rise(*family, *cut) for cut in cuts] for family in families]
    assert losses.tolist() == (-np.array(raised) @ prices).tolist()
