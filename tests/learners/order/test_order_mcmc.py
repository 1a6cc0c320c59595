"""Order MCMC: probabilities worked out by adding up all orders, proposals, draws, diagnostics."""

import collections
import itertools
import math

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.learners.order.chains.order_chain import OrderChain, shares_of
from structlearn.learners.order.chains.sampled_dags import ByArc, SampledDAGs
from structlearn.learners.order.exact_posterior import ExactPosterior
from structlearn.learners.order.families.family_rows import all_rows, members_at
from structlearn.learners.order.kernels import order_sampling
from structlearn.learners.order.kernels.fitting_rows import FamilyRows
from structlearn.learners.order.kernels.linear_extensions import count_orders_of_all
from structlearn.learners.order.order_mcmc import OrderMCMC
from tests.data_files import data_file
from tests.learners.order.model_tables import random_table
from tests.oracles import orders_posterior as oracle
from tests.oracles import scores as score_oracle
from tests.oracles.reference_data import T1
from tests.search.spaces import space_of

T1_OVER_ORDERS = {  # BDeu(1), at most two parents: docs/references/orders.md#order-mcmc
    ("A", "B"): 0.290615,
    ("B", "A"): 0.333777,
    ("A", "C"): 0.100513,
    ("C", "A"): 0.075318,
    ("B", "C"): 0.201765,
    ("C", "B"): 0.133407,
}
T1_OVER_GRAPHS = {  # From docs/references/orders.md#exact-posteriors
    ("A", "B"): 0.347446,
    ("B", "A"): 0.397811,
    ("A", "C"): 0.141251,
    ("C", "A"): 0.111851,
    ("B", "C"): 0.273624,
    ("C", "B"): 0.193859,
}
# All 5,000 rows, BDeu(1), at most seven parents: docs/references/orders.md#exact-posteriors.
ASIA_OVER_ORDERS = {
    ("E", "D"): 0.9951,
    ("B", "D"): 0.9981,
    ("L", "E"): 0.9311,
    ("T", "E"): 0.8853,
    ("E", "X"): 0.8852,
    ("S", "B"): 0.8421,
    ("S", "L"): 0.5384,
    ("L", "S"): 0.4330,
}


def rows_of(data, *, max_parents=None, knowledge=None, score="bdeu"):
    """The lists of a table and its local scores."""
    data = data.select(sorted(data.names))
    space = space_of(data, score, knowledge=knowledge, max_parents=max_parents)
    return all_rows(space, most=10**6), space.scores.local


def largest_error(probabilities, expected):
    return max(abs(probabilities[arc] - value) for arc, value in expected.items())


@pytest.mark.compiled
def test_the_exact_probabilities_of_a_small_table_are_reached():
    found = OrderMCMC(score="bdeu", max_parents=2, steps=50_000).fit(T1)

    assert largest_error(found.probabilities_, T1_OVER_ORDERS) < 0.005


@pytest.mark.compiled
def test_weights_by_orders_give_the_probabilities_over_graphs():
    found = OrderMCMC(score="bdeu", max_parents=2, steps=50_000, uniform_over="graphs").fit(T1)

    assert largest_error(found.probabilities_, T1_OVER_GRAPHS) < 0.01
    assert largest_error(found.probabilities_, T1_OVER_ORDERS) > 0.04
    assert found.samples_.weights.sum() == pytest.approx(1)
    assert 0 < found.samples_.effective_size < len(found.samples_)


@pytest.mark.compiled
def test_asia_is_as_published():
    data = data_file("tables/asia.csv")
    found = OrderMCMC(max_parents=None, steps=60_000).fit(data)

    assert largest_error(found.probabilities_, ASIA_OVER_ORDERS) < 0.02
    # The best of all DAGs, docs/references/orders.md#exact-search.
    assert found.score_ == pytest.approx(-11095.788513, abs=1e-5)
    assert found.r_hat_ < 1.05
    assert found.disagreement_ < 0.15


@pytest.mark.compiled
def test_the_first_rows_of_asia_agree_with_the_exact_posterior():  # From docs/references/orders.md#order-mcmc
    rows = sl.Dataset(data_file("tables/asia.csv")).take(np.arange(500))
    exact = ExactPosterior(max_parents=7).fit(rows).probabilities_
    found = OrderMCMC(max_parents=7, steps=60_000).fit(rows)

    assert largest_error(found.probabilities_, exact) < 0.02


@pytest.mark.compiled
@pytest.mark.parametrize(("seed", "n_columns"), [(0, 10), (1, 12)])
def test_larger_tables_agree_with_the_exact_posterior(seed, n_columns):
    data = random_table(seed, n_columns, 200)
    exact = ExactPosterior(max_parents=2).fit(data).probabilities_
    found = OrderMCMC(max_parents=2, steps=20_000).fit(data)

    assert largest_error(found.probabilities_, exact) < 0.03


@pytest.mark.compiled
@pytest.mark.parametrize(("seed", "max_parents"), [(0, 3), (1, 2), (2, 1)])
def test_the_chain_agrees_with_adding_up_all_orders(seed, max_parents):
    data = random_table(seed, 4, 60)
    _, local = rows_of(data)
    names = sorted(data.names)
    exact = oracle.arcs_over_orders(local, 4, max_parents)
    expected = {(names[u], names[v]): value for (u, v), value in exact.items()}
    moves = {"swap": 1, "flip": 1, "cut": 1}
    found = OrderMCMC(max_parents=max_parents, steps=20_000, moves=moves).fit(data)

    assert largest_error(found.probabilities_, expected) < 0.02


@pytest.mark.parametrize("seed", range(3))
def test_an_order_weighs_what_all_its_dags_do(seed):
    rows, local = rows_of(random_table(seed, 4, 60), max_parents=2)

    for order in itertools.permutations(range(4)):
        chain = OrderChain(rows, np.array(order), shares_of({"flip": 1}), np.random.default_rng(0))
        chain.run(1, 0)
        assert chain.log_weights[0] == pytest.approx(oracle.log_weight(local, order, 2), abs=1e-9)
        for u, v in itertools.permutations(range(4), 2):
            expected = oracle.arc_in_order(local, order, 2, u, v)
            assert chain.arcs[v, u] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("move", ["swap", "flip", "cut"])
def test_nodes_weighed_anew_give_the_weight_of_the_whole_order(move):
    rows, local = rows_of(random_table(5, n_columns=6, n_rows=40), max_parents=2)
    chain = OrderChain(rows, np.arange(6), shares_of({move: 1}), np.random.default_rng(0))

    orders = set()
    for _ in range(60):
        chain.run(1, 3)
        order = tuple(chain._chain.order.tolist())
        orders.add(order)
        assert chain.log_weights[-1] == pytest.approx(oracle.log_weight(local, order, 2), abs=1e-9)
    assert len(orders) > 3


@pytest.mark.parametrize("move", ["swap", "flip", "cut"])
def test_proposals_are_symmetric(move):
    shares = shares_of({move: 1})
    # The middles of a grid of uniform numbers stand for all draws.
    grid = (np.arange(12) + 0.5) / 12
    n_ways = collections.Counter()
    proposed = np.empty(4, dtype=np.int64)
    for order in itertools.permutations(range(4)):
        for first, second in itertools.product(grid, grid):
            draws = np.array([0.5, first, second, 0.5])
            order_sampling.propose(np.array(order), proposed, shares, draws)
            n_ways[order, tuple(proposed.tolist())] += 1

    assert all(n_ways[b, a] == n for (a, b), n in n_ways.items())
    n_neighbours = {"swap": 3, "flip": 6, "cut": 3}[move]
    assert len(n_ways) == 24 * n_neighbours
    assert set(n_ways.values()) == {144 // n_neighbours}


def test_moves_come_as_often_as_asked_for():
    shares = shares_of({"swap": 1, "cut": 3})

    assert shares.tolist() == [0.25, 0.0, 0.75]


def test_dags_are_drawn_by_the_product_of_their_families():
    rows, local = rows_of(random_table(1, 3, 30))
    order, n_draws = (2, 0, 1), 2_000
    chain = OrderChain(rows, np.array(order), shares_of({"flip": 1}), np.random.default_rng(0))
    chain.run(n_draws, 0)

    drawn = collections.Counter(
        tuple(tuple(members_at(rows, row)) for row in dag) for dag in np.concatenate(chain.drawn).tolist()
    )
    log_weight = oracle.log_weight(local, order, 3)
    allowed = [oracle.subsets(order[: order.index(node)], 3) for node in range(3)]
    law = {
        dag: math.exp(sum(local(node, parents) for node, parents in enumerate(dag)) - log_weight)
        for dag in itertools.product(*map(list, allowed))
    }
    assert sum(law.values()) == pytest.approx(1)
    assert set(drawn) <= set(law)
    expected = np.array([n_draws * p for p in law.values()])
    counted = np.array([drawn[dag] for dag in law])
    statistic = ((counted - expected) ** 2 / expected).sum()
    assert stats.chi2.sf(statistic, len(law) - 1) > 1e-3


@pytest.mark.compiled
def test_sampled_dags_have_the_probabilities_of_the_orders():
    found = OrderMCMC(steps=30_000).fit(random_table(3, 4, 60))

    assert largest_error(found.samples_.arc_probabilities(), found.probabilities_) < 0.02


def test_any_feature_of_the_sampled_dags_has_a_probability():
    chain, arc, nothing = [[-1], [0], [1]], [[-1], [0], [-1]], [[-1], [-1], [-1]]
    samples = SampledDAGs(("a", "b", "c"), np.array([chain, arc, chain, nothing], dtype=np.int16))

    assert len(samples) == 4
    assert samples[1] == sl.Graph("abc", directed=[("a", "b")])
    assert samples.probability(lambda graph: "a" in graph.ancestors("c")) == 0.5
    assert samples.arc_probabilities()["a", "b"] == 0.75
    samples.reweigh_by_orders()
    assert samples.weights.tolist() == pytest.approx(np.array([6, 2, 6, 1]) / 15)  # of 1, 3, 1 and 6 orders


@pytest.mark.parametrize("n_nodes", [1, 3, 4])
def test_orders_of_every_dag_are_counted(n_nodes):
    dags = list(score_oracle.all_parent_choices(n_nodes))
    words = np.array([[sum(1 << u for u in members) for members in dag] for dag in dags])
    counts = np.empty(len(dags))
    count_orders_of_all(words, counts)

    assert counts.tolist() == [oracle.n_orders(dag) for dag in dags]


def test_the_lists_hold_every_set_with_bits_for_members():
    rows, local = rows_of(random_table(0, 4, 60), max_parents=2)

    for child in range(4):
        found = range(rows.starts[child], rows.starts[child + 1])
        sets = [tuple(members_at(rows, row)) for row in found]
        assert sorted(sets) == sorted(oracle.subsets({0, 1, 2, 3} - {child}, 2))
        assert rows.scores[found].tolist() == pytest.approx([local(child, parents) for parents in sets])
        assert (np.diff(rows.scores[found]) <= 0).all()
        assert rows.masks[found, 0].tolist() == [sum(1 << u for u in parents) for parents in sets]


def test_sets_far_below_the_best_are_weighed_right():
    """Where only poor sets fit, their weights beside the best of all would be zero."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 3000)
    data = sl.Dataset({"a": a, "b": a ^ (rng.random(3000) < 0.01), "c": rng.integers(0, 2, 3000)})
    rows, local = rows_of(data)
    assert rows.weights.min() < order_sampling.UNDERFLOW

    for order in itertools.permutations(range(3)):
        chain = OrderChain(rows, np.array(order), shares_of({"flip": 1}), np.random.default_rng(0))
        chain.run(1, 0)
        assert chain.log_weights[0] == pytest.approx(oracle.log_weight(local, order, 3), abs=1e-8)


def test_more_than_64_columns_are_no_problem():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 70))
    rows[:, 69] += rows[:, 1]
    rows[:, 2] += rows[:, 66]
    data = {f"x{j:02}": rows[:, j] for j in range(70)}
    found = OrderMCMC(steps=200, chains=1, candidates=3, max_parents=2).fit(data)

    for a, b in [("x69", "x01"), ("x66", "x02")]:
        assert found.probabilities_[a, b] + found.probabilities_[b, a] > 0.99


@pytest.mark.compiled
def test_chains_from_different_starts_agree():
    data = random_table(2, n_columns=6, n_rows=300)
    names = sorted(data.names)
    forward, backward = (
        OrderMCMC(initial=sl.Graph(names, directed=itertools.pairwise(order)), chains=1, random_state=seed)
        .set_params(steps=30_000)
        .fit(data)
        for seed, order in enumerate((names, names[::-1]))
    )

    assert largest_error(forward.probabilities_, backward.probabilities_) < 0.03


def test_knowledge_holds_in_every_dag_drawn():
    data = random_table(2, n_columns=5)
    a, b, c, d, e = sorted(data.names)
    knowledge = sl.Knowledge(required=[(d, a), (a, c)], forbidden=[(b, c), (c, b)], tiers=[[e], [b]])
    found = OrderMCMC(knowledge=knowledge, steps=2000).fit(data)

    assert knowledge.violations(found.graph_) == []
    assert [found.probabilities_[arc] for arc in [(d, a), (a, c)]] == pytest.approx([1, 1])
    assert [found.probabilities_[arc] for arc in [(b, c), (c, b), (b, e)]] == [0, 0, 0]
    assert all(knowledge.violations(found.samples_[i]) == [] for i in range(0, len(found.samples_), 50))


@pytest.mark.compiled
def test_the_graph_is_the_best_dag_and_carries_probabilities():
    data = random_table(4, n_columns=5, n_rows=200)
    found = OrderMCMC(steps=5000, score="bdeu", max_parents=None).fit(data)

    assert found.score_ == pytest.approx(sl.score(found.graph_, data, "bdeu"), abs=1e-8)
    _, local = rows_of(data)
    best = max(oracle.best_of_order(local, order, 4) for order in itertools.permutations(range(5)))
    assert found.score_ == pytest.approx(best, abs=1e-8)
    for edge in found.graph_.edges:
        assert edge.confidence == found.probabilities_[edge.source, edge.target]


def test_a_constant_column_has_no_probable_arc():
    data = random_table(0, 4, 60).to_dict() | {"z": np.zeros(60, dtype=int)}
    with pytest.warns(sl.DataWarning, match="single value"):
        found = OrderMCMC(steps=500).fit(data)

    assert all(value == 0 for arc, value in found.probabilities_.items() if "z" in arc)


@pytest.mark.parametrize("moves", [{}, {"swap": -1}, {"jump": 1}, {"flip": 0}, "flip"])
def test_moves_that_are_none_are_refused(moves):
    with pytest.raises(sl.OptionError, match="how often each move is proposed"):
        OrderMCMC(moves=moves).fit(T1)


def test_too_many_columns_to_count_orders_are_refused():
    data = {f"x{j:02}": np.random.default_rng(j).normal(size=50) for j in range(21)}

    with pytest.raises(sl.OptionError, match="at most 20 columns, and there are 21"):
        OrderMCMC(uniform_over="graphs").fit(data)


def test_orders_of_more_columns_than_a_word_has_bits_are_sampled_alike_in_both_tiers():
    n = 70
    parents = [each for child in range(n) for each in (-1, (child + 1) % n)]  # none, or the next node
    masks = [0 if parent < 0 else 1 << parent for parent in parents]
    scores = np.where(np.array(parents) < 0, 0.0, -2.0 + np.array(parents) / n)
    rows = FamilyRows(
        np.arange(0, 2 * n + 1, 2),
        np.array(parents, dtype=np.int16)[:, None],
        np.array([[mask & (2**64 - 1), mask >> 64] for mask in masks], dtype=np.uint64),
        scores,
        np.exp(scores),
    )
    rng = np.random.default_rng(0)
    arguments = shares_of({"flip": 3, "cut": 1, "swap": 1}), rng.random((5, 9, 4)), rng.random((5, n))
    results = []
    loops = getattr(order_sampling.sample, "py_func", order_sampling.sample)
    for tier in (order_sampling.sample_of_lists, loops):
        chain = OrderChain(rows, np.arange(n), arguments[0], rng)
        sampled, log_weights = np.empty((5, n), dtype=np.int64), np.empty(5)
        tier(rows, chain._chain, chain._room, *arguments, sampled, log_weights)
        results.append([each.tolist() for each in (sampled, log_weights, *chain._chain)])

    assert results[0] == results[1]
    assert results[0][2] != list(range(n))


def test_probabilities_by_arc_are_a_mapping_over_all_ordered_pairs():
    values = {
        ("a", "b"): 0.1,
        ("a", "c"): 0.2,
        ("b", "a"): 0.3,
        ("b", "c"): 0.4,
        ("c", "a"): 0.5,
        ("c", "b"): 0.6,
    }
    matrix = np.zeros((3, 3))
    for (source, target), value in values.items():
        matrix["abc".index(target), "abc".index(source)] = value

    found = ByArc(("a", "b", "c"), matrix)

    assert found == values
    assert list(found) == list(values)
    assert repr(found) == repr(values)
    assert all(arc not in found for arc in [("a", "a"), ("a", "z"), "ab", ("a",), 3])
