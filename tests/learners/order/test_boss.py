"""BOSS reaches the optimum where it is known, finds XOR, and keeps to knowledge and limits."""

import gzip

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.boss import BOSS
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


def test_the_best_of_all_dags_is_reached_on_at_least_95_of_100_random_problems():
    hits = 0
    for seed in range(100):
        graph = sl.random_dag(4, random_state=seed)
        model = sl.random_model(graph, levels=(2, 3), concentration=2.0, random_state=seed)
        data = model.sample(200, random_state=seed)
        best = oracle.best_score(oracle.bic_of_families(data), 4)
        hits += BOSS().fit(data).score_ >= best - 1e-6

    assert hits >= 95


@pytest.mark.parametrize("seed", range(3))
def test_xor_is_found_and_said(seed):
    found = BOSS().fit(noisy_xor(seed))

    assert set(found.graph_.directed) == {("a", "c"), ("b", "c")}
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
