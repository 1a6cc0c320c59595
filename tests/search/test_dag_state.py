"""The state of a search is, after any moves, what a computation from scratch makes of its arcs."""

import numpy as np
import pytest

from structlearn.data import Dataset, Knowledge
from structlearn.run import Run
from structlearn.search.dag_state import NO_TABU, DAGState
from structlearn.search.kernels import moves
from structlearn.search.toggle_rows import arc_keys
from tests.learners.score.test_hill_climbing import random_table
from tests.oracles import climbing as oracle
from tests.search.spaces import space_of


def state_of(data, score="bic"):
    return DAGState(space_of(data, score, max_parents=3))


@pytest.fixture(params=range(4))
def walked(request):
    """A state after random moves, among them some that take others back."""
    data = random_table(request.param, n_columns=6)
    state = state_of(data)
    rng = np.random.default_rng(request.param)
    for _ in range(25):
        move = state.random_move(rng)
        state.apply(move)
        state.best_move(NO_TABU)
        if rng.random() < 0.3:
            state.undo(move)
    return state


def test_gains_ancestors_and_score_stay_right(walked):
    fresh = DAGState(walked.space)
    for child, members in enumerate(walked.parents()):
        np.testing.assert_allclose(walked.gains[child], walked.scores.toggles(child, members), atol=1e-9)
        for parent in members:
            fresh.apply(fresh.move(moves.ADD, parent, child))

    np.testing.assert_array_equal(walked.above, fresh.above)
    assert walked.key == fresh.key
    assert walked.score == pytest.approx(walked.scores.total(walked.parents()), abs=1e-8)


def test_the_best_move_is_that_of_the_definition_before_and_after_all_gains_are_known(walked):
    arcs = {(u, v) for v, members in enumerate(walked.parents()) for u in members}
    gain, expected = oracle.best_move(walked.scores.local, arcs, 6, set(), max_parents=3)

    for _ in range(2):
        found = walked.best_move(NO_TABU)
        assert (found.kind, found.u, found.v) == expected
        assert found.gain == pytest.approx(gain, abs=1e-9)
        assert np.isfinite(walked.gains).all()


def test_a_move_says_what_it_adds_to_the_score(walked):
    rng = np.random.default_rng(0)
    kinds = set()
    for _ in range(30):
        before = walked.scores.total(walked.parents())
        move = walked.random_move(rng)
        walked.apply(move)

        assert move.gain == pytest.approx(walked.scores.total(walked.parents()) - before, abs=1e-8)
        kinds.add(move.kind)

    assert kinds == {moves.ADD, moves.REMOVE, moves.REVERSE}


def test_a_copy_goes_its_own_way(walked):
    before = walked.gains.copy(), walked.above.copy(), walked.score
    twin = walked.copy()
    for seed in range(5):
        twin.apply(twin.random_move(np.random.default_rng(seed)))

    np.testing.assert_array_equal(walked.gains, before[0])
    np.testing.assert_array_equal(walked.above, before[1])
    assert walked.score == before[2]


def test_the_matrix_of_ancestors_is_not_to_be_written_to(walked):
    with pytest.raises(ValueError, match="read-only"):
        walked.above[0, 1] = True


def test_random_moves_are_as_likely_as_each_other():
    data = random_table(0, n_columns=3)
    state = state_of(data)
    rng = np.random.default_rng(0)
    found = [state.random_move(rng) for _ in range(3_000)]
    _, counts = np.unique([3 * move.u + move.v for move in found], return_counts=True)

    assert len(counts) == 6
    assert ((counts - 500) ** 2 / 500).sum() < 20.5  # the 99.9 % point of chi-square with 5 degrees


def test_an_impossible_family_is_left_by_the_first_move_that_can():
    class NeverAlone:
        def local(self, _statistics, families):
            alone = families.shape[1] == 1
            return np.where((families[:, 0] == 2) & alone, -np.inf, -1.0 * families.shape[1])

    data = random_table(0, n_columns=3)
    state = state_of(data, NeverAlone())
    assert state.score == -np.inf

    move = state.best_move(NO_TABU)
    state.apply(move)

    assert (move.kind, move.u, move.v, move.gain) == (moves.ADD, 0, 2, np.inf)
    assert state.score == -4.0
    state.undo(move)
    assert state.score == -np.inf


@pytest.mark.parametrize("n_columns", [64, 65])
def test_ancestors_are_kept_of_as_many_columns_as_a_word_has_bits_and_of_one_more(n_columns):
    rows = np.random.default_rng(0).normal(size=(100, n_columns))
    state = state_of(Dataset({f"c{j:02}": rows[:, j] for j in range(n_columns)}))

    for j in range(n_columns - 1):
        state.apply(state.move(moves.ADD, j, j + 1))

    np.testing.assert_array_equal(state.above, np.tri(n_columns, k=-1, dtype=bool))


def test_keys_of_structures_are_numbers_that_kernels_take_from_python():
    """A compiled kernel gives a key back as a number of Python's, and numba takes those of 63 bits only."""
    keys = arc_keys(40)
    assert 2**62 < int(keys.max()) < 2**63


@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_a_state_that_is_made_when_time_is_up_scores_few_pairs_and_finds_the_same_gains_when_asked(
    score, monkeypatch
):
    data = random_table(1, n_columns=9)
    knowledge = Knowledge(required=[(data.names[0], data.names[5])])
    over = space_of(data, score, knowledge=knowledge, run=Run("test", progress=False, time_limit_s=0.0))
    asked, scored = [], over.scores._scored
    monkeypatch.setattr(over.scores, "_scored", lambda rows: asked.append(rows.shape) or scored(rows))

    late = DAGState(over)
    n_pairs = sum(n_rows for n_rows, size in asked if size == 2)
    usual = DAGState(space_of(data, score, knowledge=knowledge))

    assert 1 <= n_pairs <= 8  # of the child of the required arc
    assert late.score == pytest.approx(usual.score)
    assert late.arcs.tolist() == usual.arcs.tolist()
    np.testing.assert_allclose(late.gains, usual.gains, atol=1e-9)
