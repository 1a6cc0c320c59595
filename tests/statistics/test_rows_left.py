"""Rows that are left of a table answer as a copy of them does, and those of wide tables are not copied."""

import tracemalloc

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import GaussianBIC
from structlearn.statistics import MemoryStatistics, source
from structlearn.statistics.rows_left import RowsLeft

N_ROWS, N_COLUMNS = 60, 5
SETS = np.array([[0, 1, 2], [4, 3, 0], [2, 2, 1]])
FAMILIES = [np.array([[0], [4]]), np.array([[1, 0], [2, 4]]), np.array([[0, 1, 2], [4, 2, 1], [3, 0, 2]])]


def chain(n_columns, n_rows, seed=0):
    values = np.random.default_rng(seed).normal(size=(n_columns, n_rows))
    for j in range(1, n_columns):
        values[j] += 0.8 * values[j - 1]
    return {f"x{j:04d}": column for j, column in enumerate(values)}


@pytest.fixture(params=[None, "whole", "parts"])
def weights(request):
    rng = np.random.default_rng(1)
    return {
        None: None,
        "whole": rng.integers(1, 4, N_ROWS).astype(float),
        "parts": rng.uniform(0.5, 2.0, N_ROWS),
    }[request.param]


@pytest.fixture
def both(weights):
    """The rows that are left of a table, and a table of them."""
    columns, is_left = chain(N_COLUMNS, N_ROWS), np.random.default_rng(2).random(N_ROWS) < 0.7
    dataset = sl.Dataset(columns, weights=weights)
    return RowsLeft(MemoryStatistics(dataset), is_left), MemoryStatistics(dataset.take(is_left))


def test_sets_have_the_moments_of_the_rows(both):
    left, copied = (statistics.grouped_moments((), SETS) for statistics in both)

    for found, expected in zip(
        (left.sizes, left.means, left.products),
        (copied.sizes, copied.means, copied.products),
        strict=True,
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("families", FAMILIES, ids=lambda families: f"{families.shape[1] - 1} parents")
def test_families_have_the_scores_of_the_rows(both, families):
    left, copied = (GaussianBIC().local(statistics, families) for statistics in both)

    np.testing.assert_allclose(left, copied, rtol=1e-12)


def test_whoever_asks_for_more_gets_the_rows(both):
    left, copied = both

    assert (left.n_rows, left.size) == (copied.n_rows, copied.size)
    np.testing.assert_array_equal(left.rows([0, 3]).values, copied.rows([0, 3]).values)
    np.testing.assert_allclose(left.moments().covariance, copied.moments().covariance, rtol=1e-12)


def test_a_constant_column_and_a_collinear_family_are_told_as_ever():
    columns = chain(3, N_ROWS)
    columns["x0001"] = np.where(np.arange(N_ROWS) < 40, 2.0, columns["x0001"])
    columns["x0002"] = 3.0 * columns["x0000"]
    is_left = np.arange(N_ROWS) < 40
    left = RowsLeft(MemoryStatistics(sl.Dataset(columns)), is_left)

    assert GaussianBIC().local(left, np.array([[1]])) == [0.0]
    assert GaussianBIC().local(left, np.array([[2, 0], [0, 1]])).tolist() == [-np.inf, -np.inf]


def answer(learner, table):
    """The graph and its score, or why there is none."""
    try:
        learner.fit(table)
    except sl.DataError as error:
        return str(error), 0.0
    return learner.graph_, learner.score_


def far_from_zero(columns):
    return {name: column + 1e8 for name, column in columns.items()}


def in_small_units(columns):
    return {name: 1e-6 * column for name, column in columns.items()}


def known_where_it_was_set(columns):
    return {**columns, "x0003": np.where(np.arange(200) < 20, columns["x0003"], 2.0)}


def nearly_equal(columns):
    noise = np.random.default_rng(3).normal(size=200)
    return {**columns, "x0009": columns["x0008"] + 1e-4 * noise}


@pytest.mark.parametrize("make", [sl.BOSS, sl.HillClimbing, sl.GreedyEquivalence])
@pytest.mark.parametrize("weights", [None, np.tile([1.0, 2.0], 100)], ids=["rows", "weights"])
@pytest.mark.parametrize(
    "change", [dict, far_from_zero, in_small_units, known_where_it_was_set, nearly_equal]
)
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_wide_tables_have_the_graph_of_narrow_ones(make, weights, change, monkeypatch):
    """The same table, taken for a wide one."""
    table = sl.Dataset(change(chain(13, 200)), weights=weights)
    targets = {"x0003": range(20), "x0007": range(20, 50)}
    narrow = answer(make(targets=targets), table)
    monkeypatch.setattr(source, "MOST_WITH_MATRICES", 4)

    wide = answer(make(targets=targets), table)

    assert wide[0] == narrow[0]
    assert wide[1] == pytest.approx(narrow[1], rel=1e-9)


@pytest.mark.slow
def test_no_target_of_a_wide_table_has_a_matrix_of_its_own():
    columns = chain(310, 60)
    targets = {f"x{10 * j:04d}": range(2 * j, 2 * j + 2) for j in range(20)}
    learner = sl.HillClimbing(targets=targets, max_parents=1, tabu=0, check_parity=0)
    dataset = sl.Dataset(columns)
    tracemalloc.start()
    learner.fit(dataset)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 20 * 2 * 8 * 310**2
