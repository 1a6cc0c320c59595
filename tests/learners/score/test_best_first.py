"""Best-first search: all graphs of four nodes, brute force, plain climbs, bounds, knowledge, traces."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.best_first import BestFirst
from structlearn.models.random_models import random_model
from structlearn.search.starts import start_from
from tests.data_files import data_file
from tests.oracles import best_dag
from tests.oracles.reference_data import T1, XOR
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of


class Flat:
    """A score by which all graphs are as good."""

    def local(self, statistics, families):  # noqa: ARG002, what a score is asked
        return np.zeros(len(families))


def random_graph(names, rng, density=0.5):
    order = rng.permutation(names)
    arcs = [(u, v) for j, v in enumerate(order) for u in order[:j] if rng.random() < density]
    return sl.Graph(names, directed=arcs)


def start_of(data, initial=None, knowledge=None, max_parents=None):
    return start_from(space_of(data, knowledge=knowledge, max_parents=max_parents), initial)


def arcs_of(graph):
    return np.array([[(u, v) in graph.directed for u in graph.nodes] for v in graph.nodes])


def replayed(trace, *starts):
    """The arcs of every graph visited, by the trace."""
    visited = []
    rows = zip(trace["parent"], trace["move"], trace["source"], trace["target"], strict=True)
    for parent, move, u, v in rows:
        if move == "start":
            visited.append(frozenset(starts[parent + len(starts)]))
        else:
            visited.append(visited[parent] ^ ({(u, v), (v, u)} if move == "reverse" else {(u, v)}))
    return visited


def test_without_limits_all_543_graphs_of_four_nodes_are_visited_and_the_best_is_returned():
    data = random_table(1, n_columns=4)
    learner = BestFirst(patience=None, max_expansions=None, max_open=1000).fit(data)
    visited = replayed(learner.trace_, ())

    assert len(set(visited)) == len(visited) == 543
    assert all(sl.Graph(data.names, directed=arcs).is_dag for arcs in visited)
    expected = best_dag.best_score(best_dag.bic_of_families(data), 4)
    assert learner.score_ == pytest.approx(expected, abs=1e-8)
    assert learner.n_dropped_ == 0


def test_graphs_that_are_all_as_good_are_visited_once_each():
    learner = BestFirst(score=Flat(), patience=None).fit(random_table(2, n_columns=4))

    assert len(set(replayed(learner.trace_, ()))) == len(learner.trace_["score"]) == 543
    assert learner.graph_.edges == ()


@pytest.mark.parametrize("seed", range(20))
def test_with_a_beam_and_a_patience_of_one_it_is_hill_climbing(seed):
    data = random_table(seed, n_columns=6)
    climbed = sl.HillClimbing(tabu=0, check_parity=0).fit(data)
    learner = BestFirst(patience=1, max_open=1).fit(data)

    assert learner.graph_ == climbed.graph_
    for column in ("move", "source", "target"):
        on_the_way = learner.trace_[column][1 : 1 + len(climbed.trace_[column])]
        assert on_the_way.tolist() == climbed.trace_[column].tolist()


def test_it_never_ends_lower_than_hill_climbing():
    for seed in range(100):
        data = random_table(seed, n_rows=60)
        climbed = sl.HillClimbing(tabu=0, check_parity=0).fit(data)
        assert BestFirst(patience=3).fit(data).score_ >= climbed.score_ - 1e-8


@pytest.mark.parametrize(
    ("table", "score", "published"),
    [
        ("coronary.csv", "bic", -6717.265384),  # docs/references/orders.md#exact-search
        ("asia.csv", "bic", -11107.293309),  # as those below
        ("asia.csv", "bdeu", -11095.788513),
        ("gaussian.test.csv", "bic", -53221.345687),
        ("learning.test.csv", "bic", -24006.734232),
    ],
)
def test_published_optima_are_found(table, score, published):
    learner = BestFirst(score=score).fit(data_file(f"tables/{table}"))

    assert learner.score_ == pytest.approx(published, abs=1e-5)


def test_an_exclusive_or_is_found_beyond_the_valley():
    # From docs/references/search.md#optimal-reinsertion: BDeu of the empty graph and of A, B → C, which no
    # graph beats.
    assert sl.HillClimbing(score="bdeu", tabu=0, check_parity=0).fit(XOR).score_ == pytest.approx(
        -46.797288, abs=1e-6
    )
    assert BestFirst(score="bdeu").fit(XOR).score_ == pytest.approx(-34.897151, abs=1e-6)


@pytest.mark.slow
def test_the_best_of_all_dags_is_reached_on_a_hundred_problems_of_five_nodes():
    reached = 0
    for seed in range(100):
        graph = sl.random_dag(5, random_state=seed)
        data = random_model(graph, random_state=seed).sample(500, random_state=seed)
        best = best_dag.best_score(best_dag.bic_of_families(data), 5)
        found = BestFirst().fit(data).score_
        assert found <= best + 1e-7
        reached += found > best - 1e-7

    assert reached >= 98


def test_a_short_list_of_waiting_graphs_says_what_it_dropped():
    data = random_table(0)
    learner = BestFirst(max_open=7, patience=20).fit(data)

    assert learner.trace_["open"].max() <= 7
    assert learner.n_dropped_ > 0
    assert BestFirst(patience=2).fit(random_table(0, n_columns=3)).n_dropped_ == 0


def test_the_number_of_expansions_is_limited():
    data = random_table(3)
    learner = BestFirst(max_expansions=1).fit(data)
    trace = learner.trace_

    assert trace["move"][0] == "start"
    assert trace["parent"][:2].tolist() == [-1, 0]
    climbed = sl.HillClimbing(tabu=0, check_parity=0).fit(data)  # the best graph of two climbs on
    assert learner.graph_ == climbed.graph_
    assert replayed(trace, ())[-1] == set(learner.graph_.directed)


@pytest.mark.parametrize("seed", range(4))
def test_the_trace_has_every_graph_and_the_best_so_far(seed):
    data = random_table(seed)
    learner = BestFirst(patience=15).fit(data)
    trace = learner.trace_

    for arcs, score in zip(replayed(trace, ()), trace["score"], strict=True):
        assert score == pytest.approx(sl.score(sl.Graph(data.names, directed=arcs), data, "bic"), abs=1e-7)
    np.testing.assert_allclose(trace["best"], np.maximum.accumulate(trace["score"]), atol=1e-8)
    assert trace["best"][-1] == pytest.approx(learner.score_, abs=1e-8)
    first = np.argmax(trace["best"] >= trace["best"][-1] - 1e-8)
    assert len(trace["best"]) == first + 1 + 15


def test_knowledge_and_the_limit_on_parents_hold_for_every_graph_visited():
    data = random_table(3, n_columns=6)
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    learner = BestFirst(knowledge=knowledge, max_parents=2).fit(data)

    assert knowledge.violations(learner.graph_) == []
    for arcs in replayed(learner.trace_, [("v5", "v0")]):
        graph = sl.Graph(data.names, directed=arcs)
        assert knowledge.violations(graph) == []
        assert max(len(graph.parents(v)) for v in data.names) <= 2


def test_several_starts_are_all_visited_the_best_first():
    data = random_table(4, n_columns=4)
    poor = sl.Graph(data.names)
    good = sl.HillClimbing(tabu=0, check_parity=0).fit(data).graph_
    learner = BestFirst(initial=[poor, good], patience=None).fit(data)
    trace = learner.trace_

    starts = trace["move"] == "start"
    assert trace["parent"][starts].tolist() == [-1, -2]
    assert trace["score"][0] == pytest.approx(sl.score(good, data, "bic"))
    visited = replayed(trace, poor.directed, good.directed)
    assert visited[0] == set(good.directed)
    assert len(set(visited)) == len(visited) == 543


def test_without_time_the_start_is_visited_and_arcs_that_bring_nothing_are_dropped():
    rng = np.random.default_rng(0)
    data = sl.Dataset({name: rng.integers(0, 2, 500) for name in "abc"})
    initial = sl.Graph("abc", directed=[("a", "b"), ("b", "c")])
    learner = BestFirst(initial=initial, time_limit=1e-9).fit(data)

    assert learner.status_ == "Stopped at time_limit: this is the best graph found so far."
    assert learner.graph_.edges == ()
    assert learner.trace_["move"].tolist() == ["start", "remove", "remove"]
    assert learner.trace_["parent"].tolist() == [-1, 0, 1]


def test_a_start_is_returned_where_nothing_is_better():
    data = random_table(5)
    best = BestFirst().fit(data)

    assert BestFirst(initial=best.graph_).fit(data).graph_ == best.graph_
    assert BestFirst(initial=(best.graph_,)).fit(data).graph_ == best.graph_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"initial": sl.Graph("ab")}, "a DAG over the columns"),
        ({"initial": [sl.Graph("ABC"), "A → B"]}, r"a Graph, or a list of Graph"),
        ({"initial": []}, r"a Graph, or a list of Graph"),
        ({"patience": 0}, r"\(patience=0\)"),
        ({"max_open": 0}, r"\(max_open=0\)"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(sl.OptionError, match=message):
        BestFirst(**options).fit(T1)


def test_a_family_that_cannot_be_scored_starts_without_its_arcs():
    rng = np.random.default_rng(0)
    data = sl.Dataset({f"v{j}": rng.normal(size=4) for j in range(6)})
    too_many = [(f"v{j}", "v0") for j in range(1, 6)]
    learner = BestFirst(
        score="bic", initial=sl.Graph(data.names, directed=[*too_many, ("v1", "v2")]), patience=5
    ).fit(data)

    assert sl.score(sl.Graph(data.names, directed=too_many), data, "bic") == -np.inf
    assert learner.trace_["score"][0] == sl.score(sl.Graph(data.names, directed=[("v1", "v2")]), data, "bic")
    assert np.isfinite(learner.score_)
