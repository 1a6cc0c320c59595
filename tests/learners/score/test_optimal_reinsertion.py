"""Optimal reinsertion: brute force over all arcs at a node, XOR, known optima, knowledge, traces."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.optimal_reinsertion import OptimalReinsertion
from structlearn.search.parent_sets import ParentSets
from structlearn.search.reinsertion import reinsert
from structlearn.search.starts import start_from
from tests.data_files import data_file
from tests.oracles import scores as oracle
from tests.oracles.reference_data import XOR
from tests.search.spaces import space_of


def random_table(seed, n_columns=5, n_rows=80):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        shift = sum((columns[k] for k in range(j) if rng.random() < 0.5), np.zeros(n_rows, dtype=int))
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def random_graph(names, rng, max_parents):
    """A DAG along a random order."""
    order = rng.permutation(len(names))
    arcs = []
    for place, v in enumerate(order):
        parents = [u for u in order[:place] if rng.random() < 0.5][:max_parents]
        arcs += [(names[u], names[v]) for u in parents]
    return sl.Graph(names, directed=arcs)


def ready_search(data, *, initial=None, knowledge=None, max_parents=None, score="bic", set_size=3):
    """A state to reinsert nodes into, and the parent sets."""
    space = space_of(data, score, knowledge=knowledge, max_parents=max_parents)
    return start_from(space, initial), ParentSets(space, set_size=set_size)


def best_of_all_reinsertions(graph, node, scores, max_parents, knowledge):
    """The best score over the 3^(n−1) ways to connect a node to the others."""
    others = [v for v in graph.nodes if v != node]
    rest = [arc for arc in graph.directed if node not in arc]
    best = -math.inf
    for states in itertools.product((None, "in", "out"), repeat=len(others)):
        arcs = rest + [
            (v, node) if state == "in" else (node, v)
            for v, state in zip(others, states, strict=True)
            if state is not None
        ]
        candidate = sl.Graph(graph.nodes, directed=arcs)
        parents = [[graph.nodes.index(u) for u in candidate.parents(v)] for v in graph.nodes]
        if max(map(len, parents)) > max_parents or not candidate.is_dag or knowledge.violations(candidate):
            continue
        best = max(best, scores.total(parents))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_a_step_is_as_good_as_the_best_of_all_ways_to_connect_the_node(seed):
    rng = np.random.default_rng(seed)
    data = random_table(seed)
    graph = random_graph(data.names, rng, 2)
    node = seed % 5
    state, sets = ready_search(data, initial=graph, max_parents=2)
    expected = best_of_all_reinsertions(graph, data.names[node], state.scores, 2, sl.Knowledge())

    before = state.score
    gain = reinsert(state, node, sets.of(node))

    assert state.score == pytest.approx(expected, abs=1e-7)
    assert state.scores.total(state.parents()) == pytest.approx(state.score, abs=1e-7)
    assert gain == pytest.approx(expected - before, abs=1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_a_step_with_knowledge_is_the_best_that_keeps_it(seed):
    data = random_table(seed)
    knowledge = sl.Knowledge(
        required=[("v1", "v0"), ("v0", "v2")], forbidden=[("v3", "v0"), ("v0", "v4"), ("v4", "v1")]
    )
    graph = sl.Graph(data.names, directed=[("v1", "v0"), ("v0", "v2"), ("v2", "v3"), ("v3", "v4")])
    state, sets = ready_search(data, initial=graph, knowledge=knowledge, max_parents=2)
    node = seed % 5
    expected = best_of_all_reinsertions(graph, data.names[node], state.scores, 2, knowledge)

    reinsert(state, node, sets.of(node))

    assert state.score == pytest.approx(expected, abs=1e-7)
    arcs = [(data.names[u], data.names[v]) for v, members in enumerate(state.parents()) for u in members]
    assert knowledge.violations(sl.Graph(data.names, directed=arcs)) == []


@pytest.mark.parametrize("seed", range(6))
def test_steps_leave_the_state_as_a_computation_from_scratch_would_make_it(seed):
    data = random_table(seed, n_columns=6)
    state, sets = ready_search(data, initial=random_graph(data.names, np.random.default_rng(seed), 3))

    for node in range(6):
        reinsert(state, node, sets.of(node))

    arcs = [(data.names[u], data.names[v]) for v, members in enumerate(state.parents()) for u in members]
    fresh, _ = ready_search(data, initial=sl.Graph(data.names, directed=arcs))
    np.testing.assert_array_equal(fresh.above, state.above)
    np.testing.assert_allclose(fresh.gains, state.gains, atol=1e-8)


@pytest.mark.parametrize("child", range(7))
def test_only_parent_sets_that_beat_their_subsets_are_kept(child):
    data = random_table(7, n_columns=7, n_rows=2000)
    state, sets = ready_search(data)
    scored = sets.of(child)

    others = [u for u in range(7) if u != child]
    score_of = {
        members: state.scores.local(child, members)
        for size in range(4)
        for members in itertools.combinations(others, size)
    }
    expected = {
        members: score
        for members, score in score_of.items()
        if all(
            score_of[s] < score - 1e-6
            for k in range(len(members))
            for s in itertools.combinations(members, k)
        )
    }
    found = {
        tuple(int(m) for m in row if m >= 0): score
        for row, score in zip(scored.members, scored.scores, strict=True)
    }
    assert found == pytest.approx(expected)
    assert (np.diff(scored.scores) <= 0).all()


def test_both_parents_of_an_exclusive_or_come_in_one_step():
    # From docs/references/search.md#optimal-reinsertion: BDeu of the empty graph and of A, B → C, which no
    # graph beats.
    state, sets = ready_search(XOR, score="bdeu")
    assert state.score == pytest.approx(-46.797288, abs=1e-6)

    reinsert(state, 2, sets.of(2))

    assert state.parents() == [[], [], [0, 1]]
    assert state.score == pytest.approx(-34.897151, abs=1e-6)


def test_an_exclusive_or_that_climbing_misses_is_found():
    climbed = sl.HillClimbing(score="bdeu", tabu=0, check_parity=0).fit(XOR)
    learner = OptimalReinsertion(score="bdeu").fit(XOR)

    assert climbed.score_ == pytest.approx(-46.797288, abs=1e-6)
    assert learner.score_ == pytest.approx(-34.897151, abs=1e-6)
    assert len(learner.graph_.edges) == 2


@pytest.mark.parametrize(
    ("table", "score", "published"),
    [
        ("coronary.csv", "bic", -6717.265384),
        ("asia.csv", "bdeu", -11095.788513),
        ("gaussian.test.csv", "bic", -53221.345687),
    ],
)
def test_published_optima_are_found(table, score, published):
    learner = OptimalReinsertion(score=score).fit(data_file(f"tables/{table}"))

    assert learner.score_ == pytest.approx(published, abs=1e-5)


def test_the_best_of_all_dags_is_reached_on_most_small_problems():
    reached = 0
    for seed in range(20):
        data = random_table(seed, n_columns=4, n_rows=100)
        state, _ = ready_search(data)
        best = max(state.scores.total(parents) for parents in oracle.all_parent_choices(4))
        found = OptimalReinsertion().fit(data).score_
        assert found <= best + 1e-8
        reached += math.isclose(found, best, abs_tol=1e-8)

    assert reached >= 19


def test_alarm_is_learnt_to_a_better_score_than_its_generating_graph():
    model = sl.load(data_file("networks/alarm.bif"))
    data = model.sample(10_000, random_state=0)

    assert OptimalReinsertion().fit(data).score_ > sl.score(model.graph, data, "bic")


@pytest.mark.parametrize("seed", range(4))
def test_the_score_rises_with_every_change_of_a_climb(seed):
    data = random_table(seed, n_columns=6)
    learner = OptimalReinsertion(restarts=3, random_state=seed).fit(data)
    trace = learner.trace_

    assert set(trace["climb"]) <= {0, 1, 2, 3, 4}
    for climb in set(trace["climb"]):
        assert (np.diff(trace["score"][trace["climb"] == climb]) > -1e-8).all()
    assert learner.score_ == pytest.approx(trace["score"].max())
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"), abs=1e-8)


def test_knowledge_and_the_limit_on_parents_are_kept():
    data = random_table(2, n_columns=6, n_rows=300)
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    learner = OptimalReinsertion(knowledge=knowledge, max_parents=2, restarts=3).fit(data)

    assert knowledge.violations(learner.graph_) == []
    assert max(len(learner.graph_.parents(v)) for v in data.names) == 2


def test_few_candidates_are_those_that_score_most_alone():
    data = random_table(5, n_columns=6, n_rows=300)
    space = space_of(data)
    sets = ParentSets(space, set_size=2, candidates=2).of(5)

    best_two = sorted(range(5), key=lambda u: -space.scores.local(5, [u]))[:2]
    assert set(sets.members[sets.members >= 0].tolist()) <= set(best_two)


def test_the_search_starts_from_the_initial_graph():
    data = random_table(4)
    best = OptimalReinsertion().fit(data)
    again = OptimalReinsertion(initial=best.graph_, restarts=0).fit(data)

    assert again.graph_ == best.graph_
    assert len(again.trace_["move"]) == 0
