"""Edges by strength, and how well that order finds the true ones."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import structlearn as sl

NODES = "abcd"
PAIRS = list(itertools.permutations(NODES, 2))


def weighted(weights):
    """A graph with an arrow for each pair that has a weight."""
    edges = [
        sl.Edge(*pair, weight=weight)
        for pair, weight in zip(PAIRS, weights, strict=True)
        if weight is not None
    ]
    return sl.Graph(NODES, edges=edges)


def of_pairs(is_true):
    return sl.Graph(NODES, directed=[pair for pair, true in zip(PAIRS, is_true, strict=True) if true])


WEIGHTS = st.lists(
    st.none() | st.sampled_from([-3.0, -2.0, -0.5, 0.5, 1.0, 2.0, 5.0]), min_size=12, max_size=12
)
TRUTHS = st.lists(st.booleans(), min_size=12, max_size=12).filter(lambda true: 0 < sum(true) < 12)


def in_some_order(weights, rng):
    """The pairs by strength, ties in a random order, pairs without an edge last."""
    return sorted(
        range(12), key=lambda i: (-abs(weights[i]) if weights[i] is not None else 1.0, rng.random())
    )


@given(WEIGHTS, TRUTHS)
def test_the_area_under_the_curve_of_rates_is_that_of_scikit_learn(weights, is_true):
    strength = [-1.0 if weight is None else abs(weight) for weight in weights]

    found = weighted(weights).compare_ranking(of_pairs(is_true))

    assert found.auroc == pytest.approx(roc_auc_score(is_true, strength), abs=1e-12)


def test_precision_and_recall_of_single_pairs_are_the_sum_of_the_dream_challenges():
    # True, false, true, true, false, …: one at place k, f false before, brings 1 - f ln(k / (k - 1)).
    truth = of_pairs([True, False, True, True] + 8 * [False])

    found = weighted([float(12 - i) for i in range(12)]).compare_ranking(truth)

    terms = [1.0, 1.0 - math.log(3 / 2), 1.0 - math.log(4 / 3)]
    assert found.aupr == pytest.approx(sum(terms) / 3)
    assert found.early_precision == pytest.approx(2 / 3)
    assert found.chance_aupr == 3 / 12


@given(WEIGHTS, TRUTHS)
def test_the_area_under_precision_and_recall_is_that_of_the_curve(weights, is_true):
    found = weighted(weights).compare_ranking(of_pairs(is_true))

    places = np.linspace(0, 12, 200_001)[1:]
    n_found = np.interp(places, found.n_found + found.n_false, found.n_found)
    area = np.trapezoid(n_found / places, n_found) / sum(is_true)

    assert found.aupr == pytest.approx(area, abs=2e-4)
    recall, precision = found.precision_recall()
    assert recall[-1] == 1.0
    assert precision[-1] == pytest.approx(found.chance_aupr)


@given(WEIGHTS, TRUTHS)
def test_early_precision_is_the_mean_over_orders_of_the_ties(weights, is_true):
    rng, n_true = np.random.default_rng(0), sum(is_true)
    means = [np.mean([is_true[i] for i in in_some_order(weights, rng)[:n_true]]) for _ in range(400)]

    found = weighted(weights).compare_ranking(of_pairs(is_true))

    assert found.early_precision == pytest.approx(np.mean(means), abs=0.15)


def test_an_order_without_a_tie_has_its_own_early_precision():
    weights = [12.0, 1.0, 11.0, 2.0, 10.0, 3.0, 9.0, 4.0, 8.0, 5.0, 7.0, 6.0]

    # The four strongest are pairs 0, 2, 4 and 6, of which the truth has 0 and 4.
    found = weighted(weights).compare_ranking(of_pairs([i in (0, 1, 4, 5) for i in range(12)]))

    assert found.early_precision == 0.5


def test_comparisons_can_be_compared():
    graph = sl.Graph("abc", directed=[sl.Edge("a", "b", weight=2.0), sl.Edge("b", "c", weight=1.0)])
    found, again = (graph.compare_ranking(graph) for _ in range(2))

    assert (found == again) in {True, False}


def test_ties_share_the_mean_of_their_places():
    graph = sl.Graph(
        NODES,
        edges=[sl.Edge("a", "b", weight=-2.0), sl.Edge("b", "c", weight=1.0), sl.Edge("c", "d", weight=2.0)],
    )

    assert graph.ranking() == (("a", "b", 2.0, 1.5), ("c", "d", 2.0, 1.5), ("b", "c", 1.0, 3.0))
    assert sl.Graph(NODES).ranking() == ()


def test_confidence_and_p_values_rank_where_there_is_no_weight():
    sure = sl.Graph("abc", edges=[sl.Edge("a", "b", confidence=0.4), sl.Edge("b", "c", confidence=0.9)])
    tested = sl.Graph("abc", edges=[sl.Edge("a", "b", p_value=0.01), sl.Edge("b", "c", p_value=0.25)])
    bare = sl.Graph("abc", directed=["ab", "bc"])

    assert [(pair.source, pair.strength) for pair in sure.ranking()] == [("b", 0.9), ("a", 0.4)]
    assert [(pair.source, pair.strength) for pair in tested.ranking()] == [("a", 0.99), ("b", 0.75)]
    assert [pair.rank for pair in bare.ranking()] == [1.5, 1.5]


def test_an_edge_without_the_weight_that_others_have_is_refused():
    with pytest.raises(sl.DataError, match=r"b → c.*weight"):
        sl.Graph("abc", edges=[sl.Edge("a", "b", weight=1.0), sl.Edge("b", "c")]).ranking()


def test_a_line_stands_for_both_directions_beside_arrows_and_an_arrow_for_a_line_beside_lines():
    line = sl.Graph("abc", undirected=[sl.Edge("a", "b", "undirected", weight=1.0)])
    arrow = sl.Graph("abc", edges=[sl.Edge("b", "a", weight=1.0)])

    beside_arrows = line.compare_ranking(sl.Graph("abc", directed=["ab"]))
    beside_lines = arrow.compare_ranking(sl.Graph("abc", undirected=["ab"]))

    assert (beside_arrows.n_pairs, beside_arrows.n_found.tolist(), beside_arrows.n_false.tolist()) == (
        6,
        [0, 1, 1],
        [0, 1, 5],
    )
    assert (beside_lines.n_pairs, beside_lines.n_found.tolist(), beside_lines.n_false.tolist()) == (
        3,
        [0, 1, 1],
        [0, 0, 2],
    )


def test_edges_to_themselves_take_no_part():
    graph = sl.Graph("abc", edges=[sl.Edge("a", "a", weight=9.0), sl.Edge("a", "b", weight=1.0)])

    assert graph.ranking() == (("a", "b", 1.0, 1.0),)
    assert graph.compare_ranking(sl.Graph("abc", directed=["ab", "cc"])).auroc == 1.0


def test_a_truth_that_cannot_be_missed_and_other_nodes_are_refused():
    with pytest.raises(sl.DataError, match="0 of 6 pairs"):
        sl.Graph("abc").compare_ranking(sl.Graph("abc", directed=["aa"]))
    with pytest.raises(sl.DataError, match=r"d.*one graph only"):
        sl.Graph("abc").compare_ranking(sl.Graph("abd", directed=["ab"]))
