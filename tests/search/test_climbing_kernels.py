"""The kernels of a climb: rows that are found again, sums that lose nothing, and moves of the definition."""

import math

import numpy as np
import pytest

from structlearn.search import toggle_rows
from structlearn.search.climbing import tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.kernels import climbing
from structlearn.search.toggle_rows import ToggleRows
from tests.oracles import climbing as oracle
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of


@pytest.mark.parametrize("score", ["bdeu", "bic"])  # families one by one, and all at once
@pytest.mark.parametrize("limits", [{}, {"max_parents": 1}])
@pytest.mark.parametrize(("tabu", "patience"), [(0, 3), (4, 6)])
def test_the_moves_of_a_climb_are_those_of_the_definition(score, limits, tabu, patience):
    state = DAGState(space_of(random_table(3), score, **limits))
    made = []
    tabu_climb(state, lambda move, score: made.append((move, score)), tabu=tabu, patience=patience)
    expected = oracle.climb(state.scores.local, 5, tabu=tabu, patience=patience, **limits)

    assert len(made) > 1
    assert [(move.kind, move.u, move.v) for move, _ in made] == [move for _, move in expected]
    np.testing.assert_allclose([move.gain for move, _ in made], [gain for gain, _ in expected], atol=1e-8)
    empty = math.fsum(state.scores.local(child, ()) for child in range(5))
    np.testing.assert_allclose(
        [score for _, score in made], empty + np.cumsum([gain for gain, _ in expected]), atol=1e-7
    )


def test_a_climb_that_is_paused_after_each_move_makes_the_same(monkeypatch):
    notes = []
    for most in (1, 64):
        monkeypatch.setattr("structlearn.search.dag_state.MOST_STEPS", most)
        state = DAGState(space_of(random_table(1), "bdeu"))
        made = []
        tabu_climb(state, lambda move, score, made=made: made.append((move, score)), tabu=5, patience=6)
        notes.append((made, state.parents(), state.score))

    assert notes[0] == notes[1]


def test_moves_taken_back_together_leave_what_was_there():
    state = DAGState(space_of(random_table(2), "bdeu"))
    before = state.gains.copy(), state.key, state.score
    rng, made = np.random.default_rng(0), []
    for _ in range(8):
        made.append(state.random_move(rng))
        state.apply(made[-1])
    assert state.key != before[1]

    state.undo(*made)

    np.testing.assert_array_equal(state.gains, before[0])
    assert not state.arcs.any()
    assert (state.key, state.score) == before[1:]


@pytest.mark.parametrize("most_bytes", [64 * 2**20, 0])
def test_rows_are_found_by_their_keys_and_forgotten_where_they_are_too_many(most_bytes, monkeypatch):
    monkeypatch.setattr(toggle_rows, "MOST_BYTES", most_bytes)
    monkeypatch.setattr(toggle_rows, "FIRST_ROWS", 32)
    scores = space_of(random_table(0), "bdeu").scores
    known = ToggleRows(scores)
    rng, keys = np.random.default_rng(0), []
    for number in range(100):
        child, *parents = rng.permutation(5)[: rng.integers(1, 5)].tolist()
        keys.append(np.uint64(number))
        known.add(keys[-1], child, parents)
        row = known.rows.slots[climbing.find_slot(known.rows.slots, known.rows.keys, keys[-1])]

        assert known.rows.scores[row] == scores.local(child, parents)
        known.settle(keys[-1], np.array([child]), np.array([float(number)]))
        assert known.rows.gains[row, child] == number

    rows = [known.rows.slots[climbing.find_slot(known.rows.slots, known.rows.keys, key)] for key in keys]
    assert rows == list(range(100)) if most_bytes else rows[:96] == [-1] * 96
    assert len(known.rows.keys) == (128 if most_bytes else 32)
    known.settle(keys[0], np.array([1]), np.array([7.0]))  # of a row that is gone, nothing is written


def test_all_families_of_a_small_table_have_their_rows_from_the_start():
    space = space_of(random_table(0), "bic")
    state = DAGState(space)
    rng = np.random.default_rng(1)
    for _ in range(20):
        state.apply(state.random_move(rng))

        expected = [space.scores.toggles(child, parents) for child, parents in enumerate(state.parents())]
        np.testing.assert_allclose(state.gains, expected, atol=1e-9)
    assert not space.scores.take_fresh()


def test_a_row_is_copied_as_by_whole_arrays():
    rng = np.random.default_rng(0)
    rows = climbing.Rows(*(rng.random((3, 4)) for _ in range(4)), rng.random((3, 4)) < 0.5)
    twins = [
        climbing.Present(
            np.zeros((4, 4)), np.zeros((4, 4), dtype=np.bool_), np.zeros(4), *(np.zeros(4) for _ in range(3))
        )
        for _ in range(2)
    ]
    getattr(climbing.copy_row, "py_func", climbing.copy_row)(rows, 2, twins[0], 1)
    climbing.copy_row_at_once(rows, 2, twins[1], 1)

    np.testing.assert_array_equal(twins[0].gains, twins[1].gains)
    np.testing.assert_array_equal(twins[0].is_bound, twins[1].is_bound)
    np.testing.assert_array_equal(twins[0].gains[1], rows.gains[2])


@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_a_sum_has_no_more_error_than_its_last_digit(scale):
    values = np.random.default_rng(0).normal(size=200) * scale ** np.linspace(0.0, 1.0, 200)

    assert climbing.total(values) == pytest.approx(math.fsum(values), rel=1e-15)
    assert climbing.total(np.array([1.0, -np.inf, 2.0])) == -np.inf
    assert climbing.total(np.array([1e16, 1.0, -1e16])) == 1.0
