"""Files that stay in DuckDB: their names, types and gaps are those that they have in memory."""

import warnings

import polars as pl
import pytest

import structlearn as sl
from structlearn.errors import DataNote


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        ("x,X,z", "{a},{b},{i}.5"),
        (",x,z", "{i},{a},{b}"),
        ("x,z", "{i},{a},{b}"),
        ("x,z,", "{a},{b},"),
        ("x,z", "{a},{b},"),
    ],
)
def test_names_of_a_text_file_are_those_that_it_has_in_memory(names, rows, tmp_path):
    path = tmp_path / "rows.csv"
    lines = [rows.format(a="uvw"[i * i % 3], b="pq"[i // 7 % 2], i=i) for i in range(60)]
    path.write_text("\n".join([names, *lines]))
    with warnings.catch_warnings(record=True) as expected:
        warnings.simplefilter("always")
        here = sl.source(path, where="memory")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        there = sl.source(path, where="engine")
    assert there.names == here.names
    assert there.labels == here.labels
    assert [str(one.message) for one in found] == [str(one.message) for one in expected]


def test_a_column_without_a_name_that_says_something_is_refused_there_too(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("x,,z\n" + "u,1,p\nv,2,q\n" * 9)
    for where in ("memory", "engine"):
        with pytest.raises(sl.DataError, match="column 2 has no name in the first line"):
            sl.source(path, where=where)


@pytest.mark.parametrize("where", ["memory", "engine"])
def test_files_of_other_types_columns_or_orders_are_one_table_by_name(frame, tmp_path, where):
    first = frame[:100].select(pl.col("times").alias("x"), "a", "c")
    second = frame[100:].select("c", "a", "x", "b")
    for number, part in enumerate((first, second)):
        part.write_parquet(tmp_path / f"{number}.parquet")
    together = pl.concat([first, second], how="diagonal_relaxed")

    found = sl.source(tmp_path / "*.parquet", where=where)
    assert found.missing == {"b": 100}
    assert found.kinds == sl.Dataset(together).kinds
    learned, expected = (sl.HillClimbing(missing="drop").fit(table) for table in (found, together))
    assert learned.graph_ == expected.graph_
    assert learned.score_ == pytest.approx(expected.score_, rel=1e-9)
    chosen = sl.source(tmp_path / "*.parquet", where=where, columns=["a", "x"])
    expected = sl.HillClimbing().fit(together.select("a", "x"))
    assert sl.HillClimbing().fit(chosen).score_ == pytest.approx(expected.score_, rel=1e-9)


@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32])
def test_nan_in_a_parquet_file_is_missing_as_in_memory(frame, kind, tmp_path):
    gap = pl.int_range(len(frame)) % 7 == 0
    gaps = frame.with_columns(
        pl.when(gap).then(float("nan")).otherwise(pl.col(name)).cast(kind).alias(name) for name in ("c", "x")
    )
    gaps.write_parquet(tmp_path / "gaps.parquet")
    here = sl.Dataset(gaps)
    there = sl.source(tmp_path / "gaps.parquet", where="engine")
    assert there.kinds == here.kinds
    assert there.labels == here.labels
    with pytest.raises(sl.DataError, match=r"'c' \(43\), 'x' \(43\) of 300 rows"):
        sl.HillClimbing().fit(there)
    found, expected = (sl.HillClimbing(missing="drop").fit(data) for data in (there, gaps.filter(~gap)))
    assert found.graph_ == expected.graph_
    assert found.score_ == pytest.approx(expected.score_, rel=1e-9)


@pytest.mark.parametrize("where", [None, "memory", "engine"])
@pytest.mark.parametrize("other", ["more.csv", "more.XLSX", "more.txt.gz", "2026/more.parquet"])
def test_no_table_of_a_folder_is_left_out_in_silence(frame, tmp_path, where, other):
    for number in range(2):
        frame.write_parquet(tmp_path / f"{number}.parquet")
    (tmp_path / "2026").mkdir()
    (tmp_path / other).write_text("a,b")
    with pytest.warns(DataNote, match=rf"its Parquet files are read, here 2\. Left out: {other}\."):
        assert sl.source(tmp_path, where=where).n_rows == 600
    assert sl.source(tmp_path / "*.parquet", where=where).n_rows == 600


@pytest.mark.parametrize("where", [None, "memory", "engine"])
def test_a_folder_is_all_of_its_parquet_files(frame, tmp_path, where):
    frame.write_parquet(tmp_path / "0.parquet")
    frame.write_parquet(tmp_path / "1.PARQUET")
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / "_delta_log").mkdir()
    (tmp_path / "_delta_log" / "1.parquet").write_text("")
    assert sl.source(tmp_path, where=where).n_rows == 600


@pytest.mark.parametrize("where", [None, "memory", "engine"])
@pytest.mark.parametrize("place", [".", "*.parquet"])
def test_a_folder_or_a_pattern_of_one_file_is_that_file(frame, tmp_path, where, place):
    frame.write_parquet(tmp_path / "0.parquet")
    assert sl.source(tmp_path / place, where=where).n_rows == 300


@pytest.mark.parametrize("where", ["memory", "engine"])
def test_names_that_differ_in_capitals_alone_stay_apart_in_several_files(frame, tmp_path, where):
    first = frame[:100].select("a", pl.col("b").alias("A"), "c")
    second = frame[100:].select("c", pl.col("b").alias("A"), "a")
    for number, part in enumerate((first, second, second)):
        part.write_parquet(tmp_path / f"{number}.parquet")
    together = pl.concat([first, second, second], how="diagonal_relaxed")

    found = sl.source(tmp_path / "*.parquet", where=where)
    learned, expected = (sl.HillClimbing().fit(table) for table in (found, together))
    assert found.names == ("a", "A", "c")
    assert found.labels == sl.Dataset(together).labels
    assert learned.graph_ == expected.graph_
    assert learned.score_ == pytest.approx(expected.score_, rel=1e-9)
    kept = sl.source(tmp_path / "*.parquet", where=where, filter="c <> 1")
    assert kept.n_rows == len(together.filter(pl.col("c") != 1))


@pytest.mark.parametrize("where", [None, "memory", "engine"])
def test_two_stars_are_any_folders(frame, tmp_path, where):
    for folder in ("", "2025", "2025/12", "2026"):
        (tmp_path / folder).mkdir(exist_ok=True)
        frame.write_parquet(tmp_path / folder / "rows.parquet")
    assert sl.source(tmp_path / "**" / "*.parquet", where=where).n_rows == 4 * len(frame)


@pytest.mark.parametrize("where", [None, "memory", "engine"])
def test_what_folders_are_called_is_no_column_and_that_is_said(frame, tmp_path, where):
    for year in (2025, 2026):
        (tmp_path / f"year={year}" / "source=web").mkdir(parents=True)
        frame.write_parquet(tmp_path / f"year={year}" / "source=web" / "rows.parquet")
    with pytest.warns(DataNote, match="'year' in the names of folders is no column here"):
        found = sl.source(tmp_path / "*" / "*" / "*.parquet", where=where)
    assert found.names == tuple(frame.columns)
