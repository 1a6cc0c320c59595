"""Files are read as they were meant, or refused with the line that is wrong."""

import gzip
import os
import sys
import tracemalloc

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

import structlearn as sl
from structlearn.data import Dataset
from structlearn.errors import DataError, DataNote, DataWarning


@pytest.fixture
def file(tmp_path):
    def write(text, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture(params=["small", "large"])
def size(request, monkeypatch):
    """Small files and large ones are read in two ways, which must not differ."""
    if request.param == "large":
        monkeypatch.setattr("structlearn.data.files.LARGE_BYTES", 0)


def values_of(path):
    return {name: values.tolist() for name, values in Dataset(path).to_dict().items()}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("a,b\n1,x\n2,\n", {"a": [1, 2], "b": ["x", None]}, id="an empty field is missing"),
        pytest.param("a\n1\n\n2\n", {"a": [1, None, 2]}, id="an empty line of one column is missing"),
        pytest.param("a;b\n1.5;x,y\n", {"a": [1.5], "b": ["x,y"]}, id="semicolons"),
        pytest.param("a,b\r\n1,x\r\n", {"a": [1], "b": ["x"]}, id="line ends of Windows"),
        pytest.param("a,b\r1,x\r", {"a": [1], "b": ["x"]}, id="line ends of old Macintoshes"),
        pytest.param("a,b\r\n1,x\n2,y\r", {"a": [1, 2], "b": ["x", "y"]}, id="line ends of every kind"),
        pytest.param("\ufeffa,b\n1,x\n", {"a": [1], "b": ["x"]}, id="a byte order mark"),
        pytest.param('"a\nb","c"\n"x,1","y\n2"\n', {"a\nb": ["x,1"], "c": ["y\n2"]}, id="quotes"),
        pytest.param("a,A,a_1\n1,2,3\n", {"a": [1], "A": [2], "a_1": [3]}, id="names that differ in case"),
        pytest.param("a\nTrue\nFalse\n", {"a": ["True", "False"]}, id="truth values stay words"),
        pytest.param("a\n2020-01-01\n", {"a": ["2020-01-01"]}, id="dates stay words"),
        pytest.param("a\n007\n07\n", {"a": ["007", "07"]}, id="leading zeros stay words"),
        pytest.param("a\n1_000\n2\n", {"a": ["1_000", "2"]}, id="underscores stay words"),
        pytest.param("a\n0\n-0.5\n", {"a": [0.0, -0.5]}, id="a zero is a number"),
        pytest.param("a\n2e-1\n1\n", {"a": [0.2, 1.0]}, id="exponents"),
        pytest.param("a\n 1.5\n2 \n", {"a": [1.5, 2.0]}, id="spaces around numbers"),
        pytest.param("a\n9007199254740993\n1\n", {"a": [9007199254740993, 1]}, id="long integers"),
        pytest.param(
            "a,b\n18446744073709551617,1\n18446744073709551618,2\n",
            {"a": ["18446744073709551617", "18446744073709551618"], "b": [1, 2]},
            id="integers too long for a number stay words",
        ),
        pytest.param("a\n18446744073709551617\n0.5\n", {"a": [2.0**64, 0.5]}, id="but not beside fractions"),
        pytest.param("a\n+1\n-2\n", {"a": [1, -2]}, id="signs"),
        pytest.param("a\n.5\n5.\n", {"a": [0.5, 5.0]}, id="fractions without a zero"),
        pytest.param("a\n0x10\n1\n", {"a": ["0x10", "1"]}, id="other bases stay words"),
        pytest.param("a\n\u0661\n\u0662\n", {"a": ["\u0661", "\u0662"]}, id="other digits stay words"),
        pytest.param('a,b\n"1",""\n"2","3"\n', {"a": [1, 2], "b": [None, 3]}, id="numbers in quotes"),
        pytest.param('a,b\n5" pipe,1\n', {"a": ['5" pipe'], "b": [1]}, id="a quote within a word"),
        pytest.param('a,b\n "x" ,1\n', {"a": ["x"], "b": [1]}, id="spaces around quotes"),
        pytest.param('a,b\n"say ""a,"",b""",1\n', {"a": ['say "a,",b"'], "b": [1]}, id="quotes in quotes"),
        pytest.param('a,b\n"x\r\ny",1\nz,2\n', {"a": ["x\r\ny", "z"], "b": [1, 2]}, id="lines in quotes"),
        pytest.param('a\n"x"\n""\n', {"a": ["x", None]}, id="empty quotes of one column are missing"),
        pytest.param("a,b\n1,2\n\n3,4\n\n", {"a": [1, 3], "b": [2, 4]}, id="empty lines of two are none"),
        pytest.param("a,b\n x ,u v\ny,z\n", {"a": [" x ", "y"], "b": ["u v", "z"]}, id="spaces are kept"),
        pytest.param("a\n1.5\nnan\n", {"a": [1.5, pytest.approx(float("nan"), nan_ok=True)]}, id="nan"),
    ],
)
@pytest.mark.usefixtures("size")
def test_a_csv_file_is_read_as_it_was_meant(file, text, values):
    assert values_of(file(text)) == values


@pytest.mark.usefixtures("size")
@pytest.mark.filterwarnings("ignore:column .* is numbers but for")
def test_a_word_far_down_makes_the_column_text(file, monkeypatch):
    monkeypatch.setattr("structlearn.data.field_blocks.CHARACTERS_OF_A_COLUMN", 0)
    monkeypatch.setattr("structlearn.data.field_blocks.CHARACTERS_AT_ONCE", 1000)
    lines = ["0.50,1"] * 2500 + ["high,2"]

    found = Dataset(file("a,b\n" + "\n".join(lines)))

    assert found.labels == {"a": ("0.50", "high"), "b": (1, 2)}
    assert found.to_dict()["a"].tolist() == ["0.50"] * 2500 + ["high"]


IN_BLOCKS = {
    "regular to its end": "x,1\ny,2\n",
    "without a last line end": "x,1\ny,2\nz,3",
    "of two line ends": "x,1\r\ny,2\n",
    "of old line ends": "x,1\ry,2\r",
    "left empty": ",1\ny,\n",
    "quoted far down": "x,1\n" * 20 + '"a\nb",2\n"",3\n,4\n',
    "with an empty line": "x,1\n" * 20 + "\ny,2\n",
}


@pytest.mark.parametrize("rows", IN_BLOCKS.values(), ids=IN_BLOCKS)
@pytest.mark.filterwarnings("ignore:column 'a' has the empty text")
def test_blocks_of_lines_are_read_as_lines_one_by_one(file, monkeypatch, rows):
    path = file(f"a,b\n{rows}")
    monkeypatch.setattr("structlearn.data.field_blocks.CHARACTERS_OF_A_COLUMN", 0)
    monkeypatch.setattr("structlearn.data.field_blocks.CHARACTERS_AT_ONCE", 10)
    in_blocks = Dataset(path)

    monkeypatch.setattr("structlearn.data.field_blocks._regular_lines", lambda _text, _layout: None)

    assert in_blocks == Dataset(path)


def test_a_line_with_too_many_fields_has_its_number_in_any_block(file, monkeypatch):
    monkeypatch.setattr("structlearn.data.field_blocks.CHARACTERS_OF_A_COLUMN", 0)
    monkeypatch.setattr("structlearn.data.field_blocks.CHARACTERS_AT_ONCE", 10)

    with pytest.raises(DataError, match="line 22 has 3 fields, but the first line names 2"):
        Dataset(file("a,b\n" + "x,1\n" * 20 + "x,1,2\n"))


@pytest.mark.usefixtures("size")
@pytest.mark.filterwarnings("ignore:column 'a' has the empty text")
def test_the_empty_text_is_a_label_and_not_a_missing_value(file):
    assert values_of(file('a,b\n"",1\n,2\nx,1\n')) == {"a": ["", None, "x"], "b": [1, 2, 1]}


def test_the_empty_text_is_warned_of(file):
    with pytest.warns(DataWarning, match="column 'a' has the empty text '' among its labels"):
        Dataset(file('a,b\n"",1\n,2\nx,1\n'))


@pytest.mark.usefixtures("size")
def test_names_and_fields_may_be_of_any_length(file):
    name, word = "n" * 140_000, "w" * 2_200_000

    assert values_of(file(f"{name},b\n{word},1\nx,2\n")) == {name: [word, "x"], "b": [1, 2]}


def test_a_wide_file_takes_time_and_memory_by_its_fields(file):
    names = [f"c{j}" for j in range(4000)]
    lines = [",".join(str(i * j % 3) for j in range(4000)) for i in range(4)]

    tracemalloc.start()
    found = Dataset(file("\n".join([",".join(names), *lines, ""])))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found.names == tuple(names)
    assert found.column("c3999").codes.tolist() == [0, 0, 0, 0]
    assert peak < 4000 * 5 * 2000  # bytes; it once took 94,000 a field


def test_a_large_file_is_read_without_duckdb_too(file, monkeypatch):
    monkeypatch.setattr("structlearn.data.files.LARGE_BYTES", 0)
    monkeypatch.delitem(sys.modules, "structlearn.data.large_csv", raising=False)
    monkeypatch.setitem(sys.modules, "duckdb", None)

    assert values_of(file("a,b\n1,x\n2,y\n")) == {"a": [1, 2], "b": ["x", "y"]}


def test_tabs_separate_a_tsv_file_even_with_commas_in_its_names(file):
    assert values_of(file("a,b\tc\n1\tx\n", "table.tsv")) == {"a,b": [1], "c": ["x"]}


def test_a_compressed_file_is_read_like_any_other(file):
    assert values_of(file(gzip.compress(b"a,b\n1,x\n"), "table.csv.gz")) == {"a": [1], "b": ["x"]}


@pytest.mark.parametrize("name", ["table [1].csv", "what?*.csv", "it's.csv"])
def test_a_name_that_looks_like_a_pattern_is_one_file(file, name):
    file("a\n2\n", "table 1.csv")

    assert values_of(file("a\n1\n", name)) == {"a": [1]}


def test_a_parquet_name_that_looks_like_a_pattern_is_one_file(tmp_path):
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "t[1].parquet", mkdir=False)

    assert values_of(tmp_path / "t[1].parquet") == {"a": [1]}


def test_a_path_may_be_text(file):
    assert Dataset(str(file("a\n1\n"))) == Dataset(file("a\n1\n"))


def test_parquet_keeps_names_that_differ_in_case(tmp_path):
    pl.DataFrame({"a": [1], "A": ["x"]}).write_parquet(tmp_path / "t.parquet")

    assert values_of(tmp_path / "t.parquet") == {"a": [1], "A": ["x"]}


def test_folders_with_an_equals_sign_add_no_column(tmp_path):
    (tmp_path / "year=2020").mkdir()
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "year=2020" / "t.parquet")

    assert Dataset(tmp_path / "year=2020" / "t.parquet").names == ("a",)


def test_an_enum_of_duckdb_keeps_its_order():
    connection = duckdb.connect()
    connection.sql("CREATE TYPE size AS ENUM ('small', 'large', 'huge')")
    relation = connection.sql("SELECT 'large'::size AS a UNION ALL SELECT NULL")

    assert Dataset(relation).labels == {"a": ("small", "large", "huge")}


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "t.csv", "t.csv is empty"),
        ("\n\n", "t.csv", "first line is empty"),
        ("a,b\n", "t.csv", r"0 sample\(s\)"),
        ("a,a\n1,2\n", "t.csv", "must differ, but 'a'"),
        (",a\n1,2\n1,2\n", "t.csv", r"column 1 has no name.*index=False"),
        ("a,,b\n1,2,3\n", "t.csv", "column 2 has no name"),
        ("a,b\n1,2\n1,2,3\n", "t.csv", "line 3 has 3 fields, but the first line names 2"),
        ('a,b\n1,2\n""\n', "t.csv", "line 3 has 1 field, but the first line names 2"),
        ("a,b\n1,2\n\n1\n", "t.csv", "line 4 has 1 field, but the first line names 2"),
        ('a,b\n1,"x\n2,y\n', "t.csv", "line 2 has a double quote without its partner"),
        ('a,b\n"5" x,1\n"y",2\n', "t.csv", "line 2 has a double quote without its partner"),
        ("a,b\n1,2\n".encode("utf-16-le"), "t.csv", r"not a text file in UTF-8.*encoding='utf-16'"),
        (b"a\n\x81\xff\n", "t.csv", "not a text file in UTF-8"),
        (bytes(range(256)), "t.csv", "not a text file in UTF-8"),
        (b"a\n1\n", "t.csv.gz", "not a whole gzip file.*without .gz"),
        (gzip.compress(b"a\n1\n")[:-9], "t.csv.gz", "not a whole gzip file"),
        (gzip.compress(b"a\n1\n")[:10] + b"\xff" * 20, "t.csv.gz", "not a whole gzip file"),
        (b"no parquet at all", "t.parquet", "t.parquet cannot be read: .*Parquet|magic bytes"),
        ("a\n1\n", "t.doc", r"ending is not one of \.csv, .*\.parquet"),
        ("a\n1\n", "t.xlsx", "t.xlsx cannot be read as a spreadsheet"),
        ("a,b\n1,inf\n", "t.csv", r"Column 'b' has 1 infinite value"),
        ("a,b\n1,\n2,\n", "t.csv", "Column 'b' has no values: all 2 are missing"),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
@pytest.mark.usefixtures("size")
def test_a_file_that_cannot_be_used_says_what_where_and_what_to_do(file, text, name, message):
    with pytest.raises(DataError, match=message):
        Dataset(file(text, name))


def test_a_path_that_does_not_exist_says_where_it_looked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(DataError, match=f"nowhere.csv: there is no such file.*relative to {tmp_path}"):
        Dataset("nowhere.csv")


def test_a_folder_asks_for_a_file(tmp_path):
    with pytest.raises(DataError, match="is a folder; pass the path of one file"):
        Dataset(tmp_path)


def test_an_index_that_pandas_saved_without_a_name_is_no_column(tmp_path):
    frame = pd.DataFrame({"a": list("xyxyyx"), "b": list("uuvvuv")}, index=[3, 1, 0, 5, 2, 4])
    path = tmp_path / "rows.parquet"
    frame.to_parquet(path)
    said = "'__index_level_0__' is the index of a pandas frame and is left out"

    assert pd.read_parquet(path).columns.tolist() == ["a", "b"]  # as pandas reads it
    for rows in (path, pq.read_table(path)):
        with pytest.warns(DataNote, match=said):
            assert sl.Dataset(rows) == sl.Dataset(frame)
    with pytest.warns(DataNote, match=said):
        assert sl.source(path, where="engine").names == ("a", "b")
    assert sl.Dataset(path, drop=["__index_level_0__"]) == sl.Dataset(frame)
    assert sl.source(path, where="engine", drop=["__index_level_0__"]).names == ("a", "b")

    frame.rename_axis("patient").to_parquet(path)
    assert sl.Dataset(path, kinds={"patient": "discrete"}).names == ("a", "b", "patient")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("name", ["table.csv", "table"])
def test_a_pipe_is_no_empty_file(tmp_path, name):
    os.mkfifo(tmp_path / name)

    with pytest.raises(DataError, match="is no file but a pipe or a device"):
        Dataset(tmp_path / name)


@pytest.mark.parametrize("ending", [".xlsx", ".parquet", ".csv.gz"])
@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_a_file_with_a_wrong_ending_is_recognised_and_the_right_one_works(tmp_path, ending, encoding):
    table = pd.DataFrame({"a": [0.5, 1.5, 2.5], "b": ["x", "y", "x"]})
    right = tmp_path / f"right{ending}"
    write = {".xlsx": table.to_excel, ".parquet": table.to_parquet, ".csv.gz": table.to_csv}[ending]
    write(right, index=False)
    wrong = tmp_path / "wrong.csv"
    wrong.write_bytes(right.read_bytes())

    with pytest.raises(DataError, match=rf"by its first bytes it is .* ends in {ending}"):
        Dataset(wrong, encoding=encoding)

    assert Dataset(right).to_dict()["b"].tolist() == ["x", "y", "x"]
