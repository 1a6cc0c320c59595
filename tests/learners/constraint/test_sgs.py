"""SGS: the true CPDAG from an oracle, skeletons and moral graphs, published graphs from data."""

import pytest
from hypothesis import given, settings

import structlearn as sl
from tests.data_files import data_file
from tests.strategies import dags, undirected_graphs


@pytest.mark.parametrize("named", [True, False], ids=["named separators", "every subset"])
@pytest.mark.parametrize("seed", range(40))
def test_an_oracle_gives_the_true_cpdag(seed, named, monkeypatch):
    if not named:
        monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")
    truth = sl.random_dag(3 + seed % 5, expected_degree=1 + seed % 3, random_state=seed)

    assert sl.SGS().fit(sl.Oracle(truth)).graph_ == truth.to_cpdag()


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=5))
def test_an_undirected_graph_of_a_dag_is_its_skeleton_or_its_moral_graph(truth):
    oracle = sl.Oracle(truth)

    assert sl.SGS(undirected=True).fit(oracle).graph_ == truth.skeleton()
    assert sl.SGS(undirected=True, separators="rest").fit(oracle).graph_ == truth.moral()


@settings(deadline=None, max_examples=40)
@given(undirected_graphs(min_nodes=1, max_nodes=6))
def test_an_undirected_truth_is_found_either_way(truth):
    for separators in ("any", "rest"):
        learner = sl.SGS(undirected=True, separators=separators)
        assert learner.fit(sl.Oracle(truth)).graph_ == truth


def test_the_marks_of_students_have_the_published_butterfly_graph():
    # From docs/references/constraint.md#undirected-graphs, by Student's t: with 88 rows Fisher's z decides
    # alike.
    learner = sl.SGS(undirected=True, separators="rest", alpha=0.05)
    data = sl.Dataset(
        data_file("tables/marks.csv"),
        kinds=dict.fromkeys(("MECH", "VECT", "ALG", "ANL", "STAT"), "continuous"),
    )

    edges = {frozenset(pair) for pair in learner.fit(data).graph_.undirected}

    wings = "MECH-VECT MECH-ALG VECT-ALG ALG-ANL ALG-STAT ANL-STAT"
    assert edges == {frozenset(pair.split("-")) for pair in wings.split()}


def test_every_pair_without_an_edge_has_its_separating_set():
    truth = sl.random_dag(6, expected_degree=2, random_state=3)
    learner = sl.SGS().fit(sl.Oracle(truth))

    for (a, b), why in learner.separating_sets_.items():
        assert truth.d_separated(a, b, given=why.given)
    assert len(learner.separating_sets_) + len(truth.edges) == 15


def test_an_undirected_method_refuses_knowledge_of_directions():
    knowledge = sl.Knowledge(required=[("a", "b")])

    with pytest.raises(sl.OptionError, match="which way an edge between 'a' and 'b' goes"):
        sl.SGS(undirected=True, knowledge=knowledge).fit(sl.Oracle(sl.Graph("abc")))


def test_the_trace_given_the_rest_has_one_level_with_every_pair():
    chain = sl.Graph("abcd", undirected=[("a", "b"), ("b", "c"), ("c", "d")])
    learner = sl.SGS(undirected=True, separators="rest")

    free = learner.fit(sl.Oracle(chain)).trace_
    told = learner.set_params(knowledge=sl.Knowledge(forbidden=[("a", "b"), ("b", "a")])).fit(
        sl.Oracle(chain)
    )

    # Six pairs, each asked about once given the two others; a pair that may not be joined is none to remove.
    assert {name: column.tolist() for name, column in free.items()} == {
        "conditions": [2],
        "tests": [6],
        "removed": [3],
        "edges": [3],
    }
    assert [told.trace_[name].tolist() for name in ("tests", "removed", "edges")] == [[6], [3], [2]]
    assert told.n_tests_ == 6
