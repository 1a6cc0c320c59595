"""A climb that counts families itself makes the moves of one that asks for their scores."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.search import counted_families
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.kernels import climbing, counted_climbing
from structlearn.search.toggle_rows import arc_keys
from tests.oracles import climbing as oracle
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of

FEW = {"FIRST_FAMILIES": 32, "MOST_FAMILIES": 64}
SMALL_TABLES = {"ALWAYS_DENSE_CELLS": 10, "DENSE_CELLS_PER_ROW": 0}


def odd_table():
    """A column of one level, one of 300, two that nearly agree, and noise; tables outgrow the rows."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (9, 400))
    codes[0], codes[1] = 0, rng.integers(0, 300, 400)
    codes[2] = np.where(rng.random(400) < 0.02, rng.integers(0, 3, 400), codes[3])
    codes[4] = (codes[3] + codes[5] + (rng.random(400) < 0.1)) % 3
    return states(codes)


def states(codes):
    """A table of states, of which a few rows or many different ones would be taken for numbers."""
    columns = {f"v{j}": column for j, column in enumerate(codes)}
    return sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete"))


TABLES = {
    "dependent": random_table(0, n_columns=10),
    "five rows": states(np.random.default_rng(1).integers(0, 2, (13, 5))),
    "odd": odd_table(),
}


@pytest.fixture(autouse=True)
def is_ready(monkeypatch):
    """Whether or not there is machine code on this machine."""
    monkeypatch.setattr(counted_families, "is_ready", lambda: True)


def test_nobody_waits_for_the_compiler(monkeypatch):
    monkeypatch.setattr(counted_families, "is_ready", lambda: False)

    assert DAGState(space_of(TABLES["dependent"]))._rows.counted is None


def climbed(table, score, *, tabu=5, patience=8, **limits):
    state, made = DAGState(space_of(TABLES[table], score, **limits)), []
    tabu_climb(state, lambda move, score: made.append((move, score)), tabu=tabu, patience=patience)
    return state, made


@pytest.mark.parametrize("room", [{}, FEW, {"MOST_MEMBERS": 2}, SMALL_TABLES])
@pytest.mark.parametrize("limits", [{}, {"max_parents": 2}])
@pytest.mark.parametrize("score", ["bic", "aic"])
@pytest.mark.parametrize("table", TABLES)
def test_the_moves_are_those_of_a_climb_that_asks(table, score, limits, room, monkeypatch):
    for name, value in room.items():
        monkeypatch.setattr(counted_families, name, value)
    state, made = climbed(table, score, **limits)
    monkeypatch.setattr(counted_families, "MOST_NODES", 0)
    asked, expected = climbed(table, score, **limits)

    assert state._rows.counted is not None
    assert asked._rows.counted is None
    assert [(move.kind, move.u, move.v) for move, _ in made] == [(m.kind, m.u, m.v) for m, _ in expected]
    np.testing.assert_allclose([score for _, score in made], [score for _, score in expected], atol=1e-8)
    np.testing.assert_allclose(state.gains, asked.gains, atol=1e-8)
    assert state.parents() == asked.parents()


def test_the_moves_are_those_of_the_definition():
    state, made = climbed("dependent", "bic")
    expected = oracle.climb(state.scores.local, 10, tabu=5, patience=8)

    assert len(made) > 8
    assert [(move.kind, move.u, move.v) for move, _ in made] == [move for _, move in expected]


def test_what_was_scored_is_told_with_its_score():
    state, _ = climbed("dependent", "bic")
    fresh = state.scores.take_fresh()
    found = {}
    for families, scores in fresh:
        found |= zip(map(tuple, families.tolist()), scores.tolist(), strict=True)

    assert {len(family) for family in found} >= {1, 2, 3}
    asked = space_of(TABLES["dependent"]).scores
    for (child, *parents), score in found.items():
        assert score == pytest.approx(asked.local(child, parents), abs=1e-8)


@pytest.mark.parametrize("options", [{"score": "bdeu"}, {"score": "bic", "weights": np.full(200, 2.0)}])
def test_other_scores_and_weights_are_left_to_those_who_know_them(options):
    data = sl.Dataset(random_table(0, n_columns=9), weights=options.pop("weights", None))

    assert DAGState(space_of(data, **options))._rows.counted is None


def test_keys_are_placed_where_they_are_found():
    keys = arc_keys(6).ravel()
    slots = np.full(128, -1, dtype=np.int64)
    climbing.place_all(slots, keys, 36)

    assert [slots[climbing.find_slot(slots, keys, key)] for key in keys] == list(range(36))


@pytest.mark.parametrize(("room", "members"), [(4, [2, 0, 3, 5]), (3, [2, 0, 3])])
def test_a_family_is_the_child_and_its_parents_as_many_as_there_is_room_for(room, members):
    arcs, family = np.zeros((6, 6), dtype=np.bool_), np.full(room, -1)
    arcs[2, [0, 3, 5]] = True

    assert counted_climbing.write_family(arcs, 2, family) == 4
    assert family.tolist() == members
