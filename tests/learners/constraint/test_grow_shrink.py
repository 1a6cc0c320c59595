"""Grow-Shrink: true blankets and graphs from an oracle, published ones from data, its variants."""

import numpy as np
import pytest
from hypothesis import given, settings

import structlearn as sl
from tests.data_files import data_file
from tests.strategies import dags, undirected_graphs


@pytest.mark.parametrize("seed", range(100))
def test_an_oracle_gives_the_true_blankets_and_the_true_cpdag(seed):
    truth = sl.random_dag(4 + seed % 7, expected_degree=1 + seed % 3, random_state=seed)
    learner = sl.GrowShrink().fit(sl.Oracle(truth))

    assert learner.graph_ == truth.to_cpdag()
    for name in truth.nodes:
        assert set(learner.blankets_[name]) == set(truth.markov_blanket(name))


@settings(deadline=None, max_examples=40)
@given(undirected_graphs(min_nodes=1, max_nodes=6))
def test_an_undirected_truth_is_found_from_blankets_alone(truth):
    assert sl.GrowShrink(undirected=True).fit(sl.Oracle(truth)).graph_ == truth


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=6))
def test_the_undirected_graph_of_a_dag_is_its_moral_graph(truth):
    assert sl.GrowShrink(undirected=True).fit(sl.Oracle(truth)).graph_ == truth.moral()


@pytest.mark.parametrize("seed", range(20))
def test_the_original_propagation_has_no_wrong_arrow(seed):
    truth = sl.random_dag(7, expected_degree=3, random_state=seed)
    graph = sl.GrowShrink(propagation="original").fit(sl.Oracle(truth)).graph_

    assert graph.skeleton() == truth.skeleton()
    assert set(graph.directed) <= set(truth.to_cpdag().directed)


# From docs/references/constraint.md#grow-shrink: the true blankets of gaussian.test, and learning.test
# at level 0.05.
def test_published_blankets_and_graph_are_learned():
    gaussian = sl.GrowShrink(alpha=0.05).fit(data_file("tables/gaussian.test.csv"))
    discrete = sl.GrowShrink(alpha=0.05).fit(data_file("tables/learning.test.csv")).graph_

    blankets = {name: "".join(members) for name, members in gaussian.blankets_.items()}
    assert blankets == {
        "A": "BCDEFG", "B": "ACD", "C": "AB", "D": "ABEFG", "E": "ADFG", "F": "ADEG", "G": "ADEF",
    }  # fmt: skip
    assert {f"{a}→{b}" for a, b in discrete.directed} == {"A→D", "C→D", "B→E", "F→E"}
    assert discrete.undirected == (("A", "B"),)


def test_contradicting_tests_leave_no_directed_cycle():
    # From docs/references/constraint.md#grow-shrink: without breaking cycles, coronary at 0.05 contains a
    # directed one.
    learner = sl.GrowShrink(alpha=0.05).fit(data_file("tables/coronary.csv"))

    learner.graph_.topological_order()  # raises on a cycle
    assert learner.conflicts_


def test_a_choice_of_all_subsets_is_the_plain_method():
    truth = sl.random_dag(8, expected_degree=2.5, random_state=5)
    plain, all_chosen = (
        sl.GrowShrink(randomized=r, n_subsets=2**8, random_state=0).fit(sl.Oracle(truth))
        for r in (False, True)
    )

    assert plain.graph_ == all_chosen.graph_


@pytest.mark.parametrize("seed", range(10))
def test_few_random_subsets_keep_every_true_edge(seed):
    truth = sl.random_dag(12, expected_degree=3, random_state=seed)
    learner = sl.GrowShrink(randomized=True, n_subsets=8, random_state=seed).fit(sl.Oracle(truth))

    found = {frozenset(pair) for pair in learner.graph_.skeleton().undirected}
    assert {frozenset(pair) for pair in truth.directed} <= found


def test_random_subsets_follow_the_seed():
    data = sl.example("asia").sample(2000, random_state=0)
    runs = [sl.GrowShrink(randomized=True, n_subsets=2, random_state=s).fit(data) for s in (1, 1)]

    assert runs[0].graph_ == runs[1].graph_
    assert runs[0].n_tests_ == runs[1].n_tests_


@pytest.mark.parametrize("method", ["grow-shrink", "iamb", "inter-iamb", "fast-iamb"])
@pytest.mark.parametrize("seed", range(15))
def test_every_blanket_method_finds_the_true_blanket(method, seed):
    truth = sl.random_dag(9, expected_degree=2.5, random_state=seed)
    for target in truth.nodes[:4]:
        found = sl.markov_blanket(sl.Oracle(truth), target, method=method)
        assert set(found) == set(truth.markov_blanket(target))


def test_blankets_come_from_tables_too_and_errors_name_what_is_wrong():
    data = sl.example("asia").sample(20_000, random_state=1)

    assert set(sl.markov_blanket(data, "bronc", method="iamb")) >= {"smoke", "dysp"}
    with pytest.raises(sl.OptionError, match="no column 'nobody'"):
        sl.markov_blanket(data, "nobody")
    with pytest.raises(sl.OptionError, match="method is how the blanket grows, one of 'grow-shrink'"):
        sl.markov_blanket(data, "bronc", method="magic")


def test_required_and_forbidden_edges_are_kept():
    rng = np.random.default_rng(0)
    a = rng.normal(size=500)
    data = {"a": a, "b": a + rng.normal(size=500), "c": rng.normal(size=500)}
    knowledge = sl.Knowledge(required=[("c", "b")], forbidden=[("a", "b"), ("b", "a")])

    learner = sl.GrowShrink(knowledge=knowledge).fit(data)

    assert knowledge.violations(learner.graph_) == []


def test_a_blanket_is_found_in_the_rows_that_miss_nothing():
    data = sl.example("asia").sample(2000, random_state=0).to_dict()
    gappy = {name: np.where(np.arange(2000) % 10 == 3, None, column) for name, column in data.items()}
    kept = {name: column[np.arange(2000) % 10 != 3] for name, column in data.items()}

    with pytest.raises(sl.DataError, match="missing='drop' leaves those rows out"):
        sl.markov_blanket(gappy, "dysp")
    for missing in ("drop", "testwise"):
        assert sl.markov_blanket(gappy, "dysp", missing=missing) == sl.markov_blanket(kept, "dysp")
