"""A table cut into parts answers as its rows do in one piece, wherever it is cut."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.statistics.engines.partitions import PartitionedEngine, answering, looking
from structlearn.statistics.engines.protocol import Coding
from structlearn.statistics.engines.source_table import SourceTable
from tests.oracles.row_engine import RowEngine
from tests.statistics.engines.partitions.parts_here import PartsHere

N = 40
NAMES = ("a", "b", "c", "x", "y")
CUTS = st.lists(st.integers(0, N), max_size=5)


def columns(seed: int = 0, *, gaps: bool = True) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, N)
    found = {
        "a": [["low", "mid", "top"][i] for i in a],
        "b": (rng.random(N) < 0.4).tolist(),
        "c": (a + rng.integers(5, 7, N)).tolist(),
        "x": (1e6 + a + rng.normal(size=N)).tolist(),
        "y": np.round(rng.normal(size=N), 1).tolist(),
    }
    for values in found.values() if gaps else ():
        for i in rng.permutation(N)[:6]:
            values[i] = None
    return found


def frame_of(table: dict[str, list]) -> pd.DataFrame:
    kinds = {"a": "str", "b": "boolean", "c": "Int64", "x": "float64", "y": "float64"}
    return pd.DataFrame({name: pd.array(values, dtype=kinds[name]) for name, values in table.items()})


def both(cuts, *, gaps=True, weights=None, arrow=False):
    """The same table in parts and row by row, coded alike."""
    table = columns(gaps=gaps)
    frame = frame_of(table)
    if weights is not None:
        frame["w"] = weights
    ends = [0, *sorted(cuts), N]
    parts = [frame.iloc[start:end] for start, end in pairwise(ends)]
    if arrow:
        parts = [pa.Table.from_pandas(part, preserve_index=False) for part in parts]
    mine = PartitionedEngine(PartsHere(parts), NAMES, None if weights is None else "w")
    rows = RowEngine(table, weights=weights)
    rows.code_by(coding_of(SourceTable(mine)))
    return mine, rows


def coding_of(source):
    return Coding(source._known, source._scales)


def assert_same(mine, theirs):
    """Groups in any order, sums to the last digits."""
    keys = [np.column_stack([found.codes, found.present]) for found in (mine, theirs)]
    first, second = (np.lexsort(key.T) if key.shape[1] else np.arange(len(key)) for key in keys)
    np.testing.assert_array_equal(keys[0][first], keys[1][second])
    np.testing.assert_array_equal(mine.rows[first], theirs.rows[second])
    np.testing.assert_allclose(mine.sizes[first], theirs.sizes[second], rtol=1e-13)
    np.testing.assert_allclose(mine.means[first], theirs.means[second], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(mine.products[first], theirs.products[second], rtol=1e-9, atol=1e-13)


@settings(max_examples=25, deadline=None)
@given(cuts=CUTS, weighted=st.booleans(), arrow=st.booleans())
def test_groups_and_tables_are_those_of_the_rows_wherever_parts_are_cut(cuts, weighted, arrow):
    mine, rows = both(cuts, weights=np.arange(1.0, N + 1.0) if weighted else None, arrow=arrow)
    for discrete, continuous, complete in [
        ((0, 1, 2), (), ()),
        ((2, 0), (4, 3), ()),
        ((), (3, 4, 2), (3,)),
        ((1,), (3,), (0, 3)),
        ((), (), ()),
    ]:
        question = discrete, continuous, complete, N
        assert_same(mine.groups(*question), rows.groups(*question))
    sets = [(0,), (2, 1), (0, 2), (0, 1, 2), (1,)]
    for complete in [(), (3, 4)]:
        answers = zip(mine.tables(sets, complete), rows.tables(sets, complete), strict=True)
        for one, other in answers:
            assert_same(one, other)


@settings(max_examples=15, deadline=None)
@given(cuts=CUTS, arrow=st.booleans())
def test_the_survey_is_that_of_the_rows_wherever_parts_are_cut(cuts, arrow):
    mine, rows = both(cuts, arrow=arrow)
    kinds = {"y": "discrete"}
    one, other = mine.survey(kinds), rows.survey(kinds)
    assert (one.n_rows, one.size) == (other.n_rows, other.size)
    for look, judge in zip(one.looks, other.looks, strict=True):
        assert (look.name, look.holds, look.n_present) == (judge.name, judge.holds, judge.n_present)
        found, expected = (seen.values for seen in (look, judge))  # noqa: PD011, of a look
        assert (found is None) == (expected is None)
        assert set(found or ()) == set(expected or ())
        assert (look.smallest, look.largest) == (judge.smallest, judge.largest)
        assert math.isclose(look.mean, judge.mean, rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize("gaps", [True, False])
def test_kinds_labels_and_gaps_are_those_in_memory(gaps):
    frame = frame_of(columns(gaps=gaps))
    source = SourceTable(PartitionedEngine(PartsHere([frame[:7], frame[7:7], frame[7:]]), NAMES, None))
    dataset = sl.Dataset(frame)
    assert source.kinds == dataset.kinds
    assert source.labels == dataset.labels
    assert source.missing == dataset.missing


def test_tables_with_more_cells_than_travel_whole_are_those_of_the_rows(monkeypatch):
    monkeypatch.setattr(answering, "MOST_CELLS", 5)
    mine, rows = both([3, 3, 20])
    sets = [(0, 2), (1, 0), (1,), (2,)]
    for one, other in zip(mine.tables(sets, ()), rows.tables(sets, ()), strict=True):
        assert_same(one, other)


def test_more_groups_than_wanted_are_none_and_not_counted_to_the_end(monkeypatch):
    mine, _ = both([10])
    assert mine.groups((0, 1, 2), (), (), 5) is None
    assert mine.groups((0, 1), (), (), 12) is not None
    monkeypatch.setattr(answering, "number_strata", lambda states, _: (None, states.shape[1]))
    assert mine.groups((0, 1, 2), (), (), 5) is None


def test_categories_keep_their_order_and_those_of_later_parts_follow():
    parts = [pd.DataFrame({"a": pd.Categorical([v, v], [*"zy", v])}) for v in "xw"]
    source = SourceTable(PartitionedEngine(PartsHere(parts), ("a",), None))
    assert source.labels == {"a": ("z", "y", "x", "w")}
    assert source.engine.groups((0,), (), (), 9).codes.ravel().tolist() == [2, 3]


def test_rows_that_count_for_nothing_are_in_no_group():
    frame = pd.DataFrame({"a": [*"xyxy"], "w": [1.0, 0.0, 2.5, 0.0]})
    engine = PartitionedEngine(PartsHere([frame]), ("a",), "w")
    assert SourceTable(engine).labels == {"a": ("x",)}
    found = engine.groups((0,), (), (), 9)
    assert (found.codes.tolist(), found.rows.tolist(), found.sizes.tolist()) == ([[0]], [2], [3.5])


def test_whole_numbers_beyond_the_digits_of_a_float_keep_their_distances():
    start = 2**62
    frame = pd.DataFrame({"x": start + np.arange(0, 60, 2)})
    source = SourceTable(PartitionedEngine(PartsHere([frame[:9], frame[9:]]), ("x",), None))
    moments = source.statistics(["x"], kinds={"x": "continuous"}).moments()
    assert moments.covariance[0, 0] == pytest.approx(np.var(np.arange(0, 60, 2)), rel=1e-12)


def test_a_constant_column_has_no_variance_whatever_the_parts():
    frame = pd.DataFrame({"x": [0.1] * 30 + [0.3], "a": ["u"] * 30 + ["v"]})
    engine = PartitionedEngine(PartsHere([frame[:7], frame[7:19], frame[19:]]), ("x", "a"), None)
    SourceTable(engine)
    found = engine.groups((1,), (0,), (), 9)
    assert found.products.ravel().tolist() == [0.0, 0.0]


@settings(max_examples=10, deadline=None)
@given(cuts=CUTS, n_rows=st.integers(1, N + 5), arrow=st.booleans())
def test_a_sample_has_rows_of_the_table_none_twice(cuts, n_rows, arrow):
    weights = np.arange(1.0, N + 1.0)
    mine, rows = both(cuts, gaps=False, weights=weights, arrow=arrow)
    drawn = mine.sample(n_rows, 3)
    again = mine.sample(n_rows, 3)
    assert drawn.weights.tolist() == again.weights.tolist()
    places = drawn.weights.astype(int) - 1
    assert len(set(places)) == len(places) == min(n_rows, N)
    x = drawn.table.columns[3].present
    assert x.tolist() == [rows.rows[i][3] for i in places]
    if n_rows < N - 10:
        others = {tuple(mine.sample(n_rows, seed).weights) for seed in range(4)}
        assert len(others) > 1


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([[True, False], [1, 2]], "'a' mixes True and False with numbers"),
        ([[0.5, 1.5], ["x", "y"]], "'a' mixes text with many different numbers"),
        ([[1.5, 2.5], [0.5, float("inf")]], "In one part of the table.*'a' has 1 infinite"),
        ([[pd.Timestamp(2020, 1, 1)], [pd.Timestamp(2021, 1, 1)]], "'a' holds dates or times"),
        ([["p", "q"], ["r", "s"]], "'a' has more than 3 different values"),
    ],
)
def test_columns_that_cannot_be_used_are_refused_by_name(parts, words, monkeypatch):
    monkeypatch.setattr(looking, "MOST_WORDS", 3)
    frames = [pd.DataFrame({"a": values}) for values in parts]
    with pytest.raises(sl.DataError, match=rf"(?s){words}"):
        SourceTable(PartitionedEngine(PartsHere(frames), ("a",), None))


@pytest.mark.parametrize("weights", [[1.0, -1.0], [1.0, None], ["1", "2"], [1.0, float("inf")], [0.0, 0.0]])
def test_weights_that_are_none_are_refused_by_name(weights):
    frame = pd.DataFrame({"a": ["x", "y"], "w": weights})
    with pytest.raises(sl.DataError, match=r"weight|Column 'w' has 1 infinite"):
        SourceTable(PartitionedEngine(PartsHere([frame]), ("a",), "w"))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "float32"])
def test_numbers_of_any_width_are_coded_alike(dtype):
    values = np.array([3, 120, 3, 7, 7, 120, 7], dtype=dtype)
    engine = PartitionedEngine(PartsHere([pd.DataFrame({"a": values})]), ("a",), None)
    assert SourceTable(engine).labels == {"a": (3, 7, 120)}
    assert engine.groups((0,), (), (), 9).rows.tolist() == [2, 3, 2]


@pytest.mark.parametrize("dtype", ["int8", "int64"])
def test_a_value_that_the_first_look_did_not_see_is_refused(dtype):
    parts = PartsHere([pd.DataFrame({"a": np.array([1, 2, 1, 2], dtype=dtype)})])
    engine = PartitionedEngine(parts, ("a",), None)
    source = SourceTable(engine)
    parts.tables[0] = pd.DataFrame({"a": np.array([1, 2, 1, 3], dtype=dtype)})
    engine.code_by(coding_of(source))
    with pytest.raises(sl.DataError, match="value 3, which it did not have"):
        engine.groups((0,), (), (), 9)


def test_the_ledger_counts_questions_rows_and_what_travels():
    mine, _ = both([10, 20])
    before = mine.ledger.bytes_moved
    mine.tables([(0,)], ())
    assert mine.ledger.round_trips == 2
    assert mine.ledger.rows_scanned == 2 * N
    # Three parts and their sum: at least a table of three counts each.
    assert 4 * 3 * 8 <= mine.ledger.bytes_moved - before < 4 * 1000
