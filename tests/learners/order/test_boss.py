"""BOSS reaches the optimum where it is known, finds XOR, and keeps to knowledge and limits."""

import gzip
import sys

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.boss import BOSS
from structlearn.learners.order.exact import problem_size
from tests.data_files import data_file, published_optimum
from tests.oracles import best_dag as oracle


def noisy_xor(seed, n_rows=4000):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, (2, n_rows))
    return {"a": a, "b": b, "c": a ^ b ^ (rng.random(n_rows) < 0.02)}


@pytest.mark.parametrize("table", ["alarm", "insurance"])
def test_the_proven_optimum_is_reached(table):
    file = f"tables/{table}.csv.gz"

    found = BOSS(max_parents=3).fit(sl.Dataset(data_file(file)))

    assert found.score_ == pytest.approx(published_optimum(file, "BIC"), abs=1e-3)


def test_the_proven_optimum_of_bdeu_is_reached():
    file = "tables/alarm_10000.dat.gz"
    with gzip.open(data_file(file), "rt") as lines:
        names, _levels, *rows = [line.split() for line in lines]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))

    found = BOSS(score="bdeu", max_parents=3).fit({name: list(values) for name, values in columns.items()})

    assert found.score_ == pytest.approx(published_optimum(file, "BDeu"), abs=1e-3)


def test_the_best_of_all_dags_is_reached_on_all_of_100_random_problems():
    for seed in range(100):
        graph = sl.random_dag(4, random_state=seed)
        model = sl.random_model(graph, levels=(2, 3), concentration=2.0, random_state=seed)
        data = model.sample(200, random_state=seed)
        best = oracle.best_score(oracle.bic_of_families(data), 4)

        assert BOSS().fit(data).score_ == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_xor_is_found_and_said(seed):
    data = noisy_xor(seed)

    found = BOSS().fit(data)

    families = oracle.bic_of_families(sl.Dataset(data))
    assert found.score_ == pytest.approx(oracle.best_score(families, 3), abs=1e-6)
    assert sorted(len(found.graph_.parents(name)) for name in "abc") == [0, 0, 2]
    assert [hidden.names for hidden in found.parity_.found] == [("a", "b", "c")]
    assert "depend jointly" in str(found.parity_)


def test_without_the_check_xor_stays_hidden_among_many_columns():
    rng = np.random.default_rng(2)
    data = noisy_xor(0)
    noise = {f"n{i}": rng.integers(0, 2, len(data["a"])) for i in range(20)}

    assert not BOSS(check_parity=0).fit({**data, **noise}).graph_.adjacent("c")
    assert set(BOSS().fit({**data, **noise}).graph_.parents("c")) == {"a", "b"}


def test_required_arcs_hold_in_every_shake():
    data = sl.example("asia").sample(500, random_state=0)
    knowledge = sl.Knowledge(required=[("dysp", "asia"), ("asia", "bronc")], forbidden=[("smoke", "lung")])

    graph = BOSS(knowledge=knowledge).fit(data).graph_

    assert {("dysp", "asia"), ("asia", "bronc")} <= set(graph.directed)
    assert ("smoke", "lung") not in graph.directed


def test_the_best_score_of_the_trace_never_falls():
    trace = BOSS().fit(sl.example("cancer").sample(500, random_state=0)).trace_

    assert (np.diff(trace["best"]) >= 0).all()
    assert (trace["best"] >= trace["score"]).all()


def test_more_patience_never_ends_lower():
    data = sl.random_model(sl.random_dag(10, random_state=2), random_state=2).sample(300, random_state=2)

    assert BOSS(patience=60).fit(data).score_ >= BOSS(patience=0).fit(data).score_ - 1e-9


@pytest.mark.parametrize("learner", [BOSS, sl.HillClimbing])
def test_parents_come_from_the_candidates(learner):
    data = sl.example("asia").sample(1000, random_state=0)
    skeleton = sl.MMPC().fit(data).graph_

    arcs = learner(candidates=skeleton).fit(data).graph_.directed

    assert arcs
    assert all(target in skeleton.adjacent(source) for source, target in arcs)


def test_two_parents_that_bring_something_together_only_are_found():
    rng = np.random.default_rng(2)
    switch, *others = rng.integers(0, 4, 1000), *(rng.integers(0, 3, 1000) for _ in range(3))
    a, b, _ = others
    p = np.where(switch == 0, 0.1 + 0.4 * a, np.where(switch == 1, 0.9 - 0.4 * b, 0.5))
    columns = {"switch": switch, **dict(zip("abc", others, strict=True)), "y": rng.random(1000) < p}
    data = sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete"))

    assert sl.BOSS().fit(data).score_ == pytest.approx(sl.ExactSearch().fit(data).score_, abs=1e-6)


COINS = [f"n{j:02}" for j in range(20)]
XOR = sl.Graph([*"abc", *COINS], directed=[("a", "c"), ("b", "c")])


def xor_among_coins():
    rng = np.random.default_rng(2)
    return noisy_xor(0) | {name: rng.integers(0, 2, 4000) for name in COINS}


def test_the_search_starts_from_initial_and_keeps_what_only_that_has():
    learner = BOSS(check_parity=0, patience=0)

    assert not learner.fit(xor_among_coins()).graph_.adjacent("c")
    assert set(learner.set_params(initial=XOR).fit(xor_among_coins()).graph_.adjacent("c")) == {"a", "b"}


@pytest.mark.parametrize("seed", range(3))
def test_it_never_ends_below_initial(seed):
    model = sl.random_model(sl.random_dag(6, random_state=seed), random_state=seed)
    data = model.sample(300, random_state=seed)

    for initial in (model.graph, sl.random_dag(6, random_state=seed + 10)):
        found = BOSS(initial=initial, patience=0).fit(data)
        assert found.score_ >= sl.score(initial, data, "bic") - 1e-6


def test_a_long_way_from_a_bad_initial_ends_where_the_usual_start_does():
    data = sl.example("asia").sample(5000, random_state=0)
    order = sorted(data.names)
    backwards = sl.Graph(order, directed=list(zip(order[1:], order, strict=False)))

    assert BOSS(initial=backwards).fit(data).score_ == pytest.approx(BOSS().fit(data).score_)


def test_required_arcs_join_initial():
    knowledge = sl.Knowledge(required=[("n00", "n01")])

    found = BOSS(initial=XOR, knowledge=knowledge, check_parity=0, patience=0).fit(xor_among_coins()).graph_

    assert ("n00", "n01") in found.directed
    assert set(found.adjacent("c")) == {"a", "b"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"initial": "a → c"}, r"initial is the DAG to start from"),
        ({"initial": sl.Graph("ab")}, r"initial is a DAG over the columns"),
        ({"initial": sl.Graph(XOR.nodes, undirected=[("a", "b")])}, r"initial is a DAG over the columns"),
        ({"initial": XOR, "max_parents": 1}, r"more parents than max_parents"),
        ({"initial": XOR, "knowledge": sl.Knowledge(forbidden=[("b", "c")])}, r"rule out its arc b → c"),
        ({"initial": XOR, "candidates": {"c": ["a"]}}, r"rule out its arc b → c"),
    ],
)
def test_an_initial_that_cannot_be_a_start_is_refused(options, message):
    with pytest.raises(sl.OptionError, match=message):
        BOSS(**options).fit(xor_among_coins())


def test_scores_that_differ_within_a_class_take_many_columns():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 300)]
    for _ in range(23):  # a chain, in which each differs from the one before in every fifth row
        columns.append(columns[-1] ^ (rng.random(300) < 0.2))
    data = {f"x{j:02}": column for j, column in enumerate(columns)}
    truth = sl.Graph(data, directed=list(zip(list(data), list(data)[1:], strict=False)))

    found = BOSS(score="k2", patience=2, check_parity=0).fit(data)

    assert found.score_ >= sl.HillClimbing(score="k2", tabu=0, check_parity=0).fit(data).score_ - 1e-6
    assert set(truth.skeleton().undirected) <= set(found.graph_.skeleton().undirected)


def test_a_proof_says_that_the_graph_is_the_best():
    data = sl.example("asia").sample(500, random_state=0)

    found = BOSS(prove=True).fit(data)

    assert found.gap_ == 0.0
    assert found.bound_ == pytest.approx(sl.ExactSearch().fit(data).score_)
    assert found.proof_ == "Proven optimal: no DAG scores more."


def test_a_proof_that_fails_brings_the_better_graph():
    data = noisy_xor(0) | {"d": np.arange(4000) % 2}
    learner = BOSS(patience=0, check_parity=0, max_parents=2, initial=sl.Graph("abcd"), perturb=1)

    found = learner.set_params(prove=True).fit(data)

    assert found.score_ == pytest.approx(sl.ExactSearch(max_parents=2).fit(data).score_)
    assert found.gap_ == 0.0
    assert set(found.evidence_) == set(found.graph_.directed)


def test_a_proof_is_among_the_dags_that_knowledge_and_limits_leave():
    data = sl.example("asia").sample(500, random_state=0)
    knowledge = sl.Knowledge(forbidden=[("smoke", "lung"), ("lung", "smoke")])

    found = BOSS(prove=True, knowledge=knowledge, max_parents=2).fit(data)

    assert found.proof_ == (
        "Proven optimal: no DAG with at most 2 parents a node that honours the knowledge scores more."
    )
    assert found.score_ == pytest.approx(sl.ExactSearch(knowledge=knowledge, max_parents=2).fit(data).score_)


def test_without_time_a_proof_says_so():
    data = sl.random_model(sl.random_dag(12, random_state=0), random_state=0).sample(500, random_state=0)

    found = BOSS(prove=True, time_limit=1e-6).fit(data)

    assert found.gap_ == np.inf
    assert found.proof_ == "Not proven: the search ended before all families were scored."


def test_a_graph_with_more_parents_than_were_compared_is_not_said_to_be_the_best(monkeypatch):
    """The child is the sum of three columns that nothing else tells of, and pairs alone are affordable."""
    monkeypatch.setattr(problem_size, "MOST_FAMILIES", 5 * (1 + 4 + 6))
    parts = np.random.default_rng(0).normal(size=(5, 300))
    data = {**dict(zip("abcd", parts, strict=False)), "e": parts[:3].sum(axis=0) + 0.3 * parts[4]}

    found = BOSS(prove=True).fit(data)

    assert found.proof_ == (
        "Proven: no DAG with at most 2 parents a node scores more; this one has up to 3, and others with as "
        "many were not compared."
    )


@pytest.fixture
def no_search(monkeypatch):
    monkeypatch.setattr(BOSS, "_by_orders", None)


@pytest.mark.usefixtures("no_search")
def test_a_proof_without_its_solver_is_refused_before_the_search(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    rows = np.random.default_rng(0).integers(0, 2, (20, 40))

    with pytest.raises(ImportError, match="for proofs beyond 28 columns or so, needs highspy"):
        BOSS(prove=True).fit(rows)


@pytest.mark.usefixtures("no_search")
def test_a_proof_of_too_many_families_is_refused_before_the_search():
    rows = np.random.default_rng(0).integers(0, 2, (20, 400))

    with pytest.raises(sl.OptionError, match=r"BOSS\(max_parents=6\): the .* families of 400 columns need"):
        BOSS(prove=True, max_parents=6).fit(rows)


def test_other_methods_say_which_one_proves():
    for method in ("hill-climbing", "exact-search"):
        with pytest.raises(sl.OptionError, match="BOSS, the default, has it; ExactSearch proves"):
            sl.learn(sl.example("cancer"), method=method, prove=True)


def test_without_a_proof_there_is_none():
    assert not hasattr(BOSS().fit(sl.example("cancer").sample(200, random_state=0)), "gap_")
