"""Hidden joint dependence is found where it is, and nowhere else."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.search.parity import ParityCheck
from tests.search.spaces import space_of


def scan(columns, *, size=3, parents=None, knowledge=None, max_parents=None):
    space = space_of(sl.Dataset(columns), knowledge=knowledge, max_parents=max_parents)
    return ParityCheck(space, size).scan(parents or [[] for _ in space.names])


def coins(n, seed=0, n_rows=2000):
    return dict(zip("abcdefghij", np.random.default_rng(seed).integers(0, 2, (n, n_rows)), strict=False))


def test_an_exclusive_or_is_found_among_coins():
    columns = coins(6)
    columns["x"] = columns["b"] ^ columns["e"]

    assert [hidden.names for hidden in scan(columns).found] == [("b", "e", "x")]


def test_its_gain_is_what_the_score_gains():
    columns = coins(2)
    columns["x"] = columns["a"] ^ columns["b"]
    graph = sl.Graph(["a", "b", "x"], directed=[("a", "x"), ("b", "x")])

    (hidden,) = scan(columns).found

    gained = sl.score(graph, columns) - sl.score(sl.Graph(["a", "b", "x"]), columns)
    assert hidden.gain == pytest.approx(gained)


def test_the_parity_of_three_needs_sets_of_four():
    columns = coins(4)
    columns["x"] = columns["a"] ^ columns["b"] ^ columns["c"]

    assert not scan(columns).found
    assert [hidden.names for hidden in scan(columns, size=4).found] == [("a", "b", "c", "x")]


@pytest.mark.parametrize("seed", range(20))
def test_chance_finds_nothing(seed):
    assert not scan(coins(10, seed, n_rows=100)).found


def test_sums_modulo_three_are_found():
    a, b = np.random.default_rng(1).integers(0, 3, (2, 1000))

    assert scan({"a": a, "b": b, "c": (a + b) % 3}).found


def test_what_a_single_arc_shows_is_not_hidden():
    columns = coins(2)
    columns["x"] = columns["a"] | columns["b"]

    assert not scan(columns).found


def test_every_set_without_arcs_is_searched():
    columns = coins(5)

    assert scan(columns).n_sets == 10
    assert scan(columns, parents=[[], [0], [], [], []]).n_sets == 7
    assert scan(columns, size=2).n_sets == 0


@pytest.mark.parametrize(
    ("visits", "fewest", "most", "n_columns"),
    [(6_000, 10, 1_000, 8), (6_000, 84, 1_000, 9), (6_000, 10, 35, 7)],  # 56, 84 and 35 sets of three
)
def test_of_a_long_table_fewer_sets_are_searched(visits, fewest, most, n_columns, monkeypatch):
    for name, value in {"MOST_VISITS": visits, "FEWEST_SETS": fewest, "MOST_SETS": most}.items():
        monkeypatch.setattr(f"structlearn.search.parity.{name}", value)

    assert scan(coins(10, n_rows=100)).n_sets == math.comb(n_columns, 3)


def test_a_scan_that_can_only_warn_searches_fewer_sets(monkeypatch):
    values = {"MOST_VISITS": 12_000, "MOST_VISITS_TO_WARN": 6_000, "FEWEST_SETS": 10}
    for name, value in values.items():
        monkeypatch.setattr(f"structlearn.search.parity.{name}", value)
    space = space_of(sl.Dataset(coins(10, n_rows=100)))
    check, parents = ParityCheck(space, 3), [[] for _ in range(10)]

    assert check.scan(parents).n_sets == math.comb(10, 3)
    assert check.scan_and_warn(parents).n_sets == math.comb(8, 3)


def test_a_scan_says_how_far_it_looked():
    assert str(scan(coins(3))) == "1 set of 3 columns searched for hidden joint dependence: none found."
    assert str(scan(coins(4), size=4)).startswith("5 sets of 3 to 4 columns searched")


def test_what_knowledge_forbids_is_not_searched_for():
    columns = coins(2)
    columns["x"] = columns["a"] ^ columns["b"]
    forbidden = sl.Knowledge(forbidden=[("a", "x")])

    assert not scan(columns, knowledge=forbidden).found
    assert not scan(columns, max_parents=1).found


def test_the_best_dag_of_all_names_the_sets_that_no_pair_shows():
    columns = coins(4)
    columns["x"] = columns["a"] ^ columns["b"]
    columns["y"] = columns["c"] ^ (np.arange(2000) % 9 == 0)

    found = sl.BOSS().fit(columns).parity_

    assert [hidden.names for hidden in found.found] == [("a", "b", "x")]
    assert found.n_sets == math.comb(6, 3)


@pytest.mark.parametrize(("size", "n_found"), [(2, 0), (3, 0), (4, 1)])
def test_parents_that_help_only_all_together_are_named_up_to_the_size_asked_for(size, n_found):
    columns = coins(3)
    columns["x"] = columns["a"] ^ columns["b"] ^ columns["c"]

    found = sl.BOSS(check_parity=size).fit(columns)

    assert len(found.graph_.edges) == 3
    assert len(found.parity_.found) == n_found


def test_parents_of_which_one_helps_alone_are_not_hidden():
    columns = coins(2, n_rows=2_000)
    columns["x"] = columns["a"] & columns["b"]

    found = sl.BOSS().fit(columns)

    assert len(found.graph_.edges) >= 2
    assert not found.parity_.found


def test_hill_climbing_warns_of_what_it_leaves_out():
    columns = coins(2)
    columns["x"] = columns["a"] ^ columns["b"]

    with pytest.warns(sl.DataWarning, match=r"\{a, b, x\}.*depend jointly"):
        found = sl.HillClimbing(tabu=0).fit(columns)

    assert not found.graph_.edges
    assert len(found.parity_.found) == 1


def test_a_table_with_nothing_hidden_is_said_to_have_none():
    found = sl.HillClimbing().fit(sl.example("cancer").sample(500, random_state=0))

    assert str(found.parity_).endswith("none found.")


@pytest.mark.parametrize("learner", [sl.BOSS, sl.HillClimbing, sl.GreedyEquivalence, sl.SparseCandidate])
def test_a_search_that_is_out_of_time_looks_no_further(learner):
    columns = coins(4)
    columns["x"] = columns["a"] ^ columns["b"]

    found = learner(time_limit=1e-9).fit(columns)

    assert (found.parity_.n_sets, found.parity_.found) == (0, ())
