"""Statistics through an engine are those of the same table in memory."""

import duckdb
import numpy as np
import polars as pl
import pytest

import structlearn as sl
from structlearn.statistics import statistics_of
from structlearn.statistics.engines import source_table
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.in_duckdb import engine_of
from structlearn.statistics.engines.source_table import SourceTable
from tests.oracles.row_engine import RowEngine

N = 60
WAYS = {"collapsed": (source_table.MOST_BYTES, 0), "packed": (0, source_table.MOST_PACKED), "asked": (0, 0)}


def in_duckdb(table, *, weights=None):
    """The same columns as a relation, with the weights as one more."""
    frame = pl.DataFrame({name: pl.Series(values) for name, values in table.items()})
    if weights is not None:
        frame = frame.with_columns(pl.Series("how many", list(weights)))
    relation = duckdb.connect().sql("SELECT * FROM frame")
    return engine_of(relation, Choice(weights=None if weights is None else "how many"))


ENGINES = {"rows": RowEngine, "duckdb": in_duckdb}
CASES = [("rows", "collapsed"), ("rows", "asked"), *(("duckdb", way) for way in WAYS)]


def columns(*, gaps: bool = False) -> dict[str, list]:
    rng = np.random.default_rng(4)
    a = rng.integers(0, 3, N)
    x = rng.normal(size=N) + a
    found = {
        "a": [["low", "mid", "top"][i] for i in a],
        "b": ((a + rng.integers(0, 2, N)) % 2 == 0).tolist(),
        "c": rng.integers(5, 9, N).tolist(),
        "x": (1e6 + x).tolist(),
        "y": (x * 3 + rng.normal(size=N)).tolist(),
    }
    if gaps:
        for values in found.values():
            for i in rng.permutation(N)[:5]:
                values[i] = None
    return found


def both(engine: str, way: str, *, missing: str = "error", gaps: bool = False, weights=None, names=None):
    """The statistics from an engine and from memory."""
    table = columns(gaps=gaps)
    source = SourceTable(ENGINES[engine](table, weights=weights))
    names = names or list(table)
    with pytest.MonkeyPatch.context() as patch:
        for limit, value in zip(("MOST_BYTES", "MOST_PACKED"), WAYS[way], strict=True):
            patch.setattr(source_table, limit, value)
        there = statistics_of(source, names, owner="test", missing=missing)
    here = statistics_of(sl.Dataset(table, weights=weights), names, owner="test", missing=missing)
    assert source.account.way == way
    return there, here


@pytest.mark.parametrize("engine", ENGINES)
def test_kinds_labels_and_gaps_are_those_in_memory(engine):
    table = columns(gaps=True)
    source, dataset = SourceTable(ENGINES[engine](table)), sl.Dataset(table)
    assert source.kinds == dataset.kinds
    assert source.labels == dataset.labels
    assert source.missing == dataset.missing
    assert source.inferred == dataset.inferred


@pytest.mark.parametrize(("engine", "way"), CASES)
@pytest.mark.parametrize("missing", ["error", "drop", "testwise"])
def test_counts_and_tables_are_those_in_memory(engine, way, missing):
    there, here = both(engine, way, missing=missing, gaps=missing != "error", names=["c", "a", "b", "x"])
    assert (there.names, there.kinds, there.labels) == (here.names, here.kinds, here.labels)
    assert (there.n_rows, there.size, there.is_complete) == (here.n_rows, here.size, here.is_complete)
    for mine, theirs in zip(there.margins([2, 0]), here.margins([2, 0]), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(there.counts([2, 0, 1]), here.counts([2, 0, 1]))
    for sets in (np.array([[1, 0], [0, 2]]), np.array([[1, 0, 2], [2, 1, 0]])):
        mine, theirs = there.tables(sets), here.tables(sets)
        np.testing.assert_array_equal(mine.counts, theirs.counts)
        np.testing.assert_array_equal(mine.starts, theirs.starts)
        np.testing.assert_array_equal(mine.strata, theirs.strata)


@pytest.mark.parametrize(("engine", "way"), CASES)
@pytest.mark.parametrize("missing", ["error", "drop", "testwise"])
@pytest.mark.parametrize("weights", [None, np.arange(1.0, N + 1.0)])
def test_moments_are_those_in_memory(engine, way, missing, weights):
    there, here = both(engine, way, missing=missing, gaps=missing != "error", weights=weights)
    mine, theirs = there.moments(), here.moments()
    np.testing.assert_allclose(mine.mean, theirs.mean, rtol=1e-13)
    np.testing.assert_allclose(mine.covariance, theirs.covariance, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mine.correlation, theirs.correlation, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("engine", "way"), CASES)
@pytest.mark.parametrize("missing", ["error", "drop", "testwise"])
@pytest.mark.parametrize("discrete", [(), (1,), (0, 1)])
def test_moments_within_strata_are_those_in_memory(engine, way, missing, discrete):
    there, here = both(engine, way, missing=missing, gaps=missing != "error")
    for sets in (np.array([[4, 3], [3, 4]]), np.array([[3]])):
        mine, theirs = there.grouped_moments(discrete, sets), here.grouped_moments(discrete, sets)
        np.testing.assert_array_equal(mine.states, theirs.states)
        np.testing.assert_allclose(mine.sizes, theirs.sizes, rtol=1e-13)
        np.testing.assert_allclose(mine.means, theirs.means, rtol=1e-12)
        np.testing.assert_allclose(mine.products, theirs.products, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_table_that_is_not_collapsed_is_asked_few_and_large_questions(engine):
    there, _ = both(engine, "asked", names=["a", "b", "c"])
    ledger = there._engine.ledger
    before = ledger.round_trips
    there.tables(np.array([[0, 1]]))
    there.tables(np.array([[1, 2], [2, 0]]))
    there.margins([0])
    there.margins([1, 2])
    assert ledger.round_trips == before + 2


@pytest.mark.parametrize("engine", ENGINES)
def test_tables_larger_than_the_rows_hold_the_strata_that_occur(monkeypatch, engine):
    monkeypatch.setattr(source_table, "MOST_BYTES", 0)
    monkeypatch.setattr(source_table, "MOST_PACKED", 0)
    rng = np.random.default_rng(0)
    table = {name: [f"{name}{i}" for i in rng.integers(0, 12, N)] for name in "abcd"}
    source = SourceTable(ENGINES[engine](table))
    there = statistics_of(source, list(table), owner="test")
    here = statistics_of(sl.Dataset(table), list(table), owner="test")
    sets = np.array([[0, 1, 2, 3], [1, 3, 2, 0]])
    mine, theirs = there.tables(sets), here.tables(sets)
    np.testing.assert_array_equal(mine.counts, theirs.counts)
    np.testing.assert_array_equal(mine.strata, theirs.strata)


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_that_are_all_the_same_are_still_a_table(engine):
    source = SourceTable(ENGINES[engine]({"a": ["x"] * 5, "b": ["u"] * 5}))
    there = statistics_of(source, ["a", "b"], owner="test")
    assert there.size == 5
    assert there.n_rows == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sample_has_the_kinds_and_labels_of_the_table(engine):
    source = SourceTable(ENGINES[engine](columns()))
    drawn = source.sample(10, seed=1)
    assert drawn.n_rows == 10
    assert drawn.kinds == source.kinds
    assert drawn.labels == source.labels


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (["1,5", "2,5", "3,25"] * 8, "numbers or dates in writing"),
        ([None, None, None], "has no values"),
        ([1.5, float("inf"), 2.5], "infinite"),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_columns_that_cannot_be_used_are_refused_by_name(engine, values, words):
    with pytest.raises(sl.DataError, match=rf"(?s)'odd'.*{words}"):
        SourceTable(ENGINES[engine]({"odd": values}))


def test_rows_that_came_over_in_any_order_are_no_course_of_time():
    source = SourceTable(RowEngine({"a": ["u", "u", "v", "v"], "b": ["y", "x", "x", "y"]}))
    with pytest.raises(sl.DataError, match=r"where='memory'"):
        sl.BooleanNetwork().fit(source)
