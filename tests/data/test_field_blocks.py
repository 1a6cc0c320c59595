"""Blocks of a text file, however small, have the fields that were written to it."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from structlearn.data import field_blocks as module
from structlearn.data.field_blocks import field_blocks
from structlearn.data.layouts import Layout
from structlearn.errors import DataError


def read(text, layout, n_characters):
    """The rows of a text that is read in blocks of so many characters, and the lines of its comments."""
    comments = {}
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHARACTERS_AT_ONCE", n_characters)
        patch.setattr(module, "CHARACTERS_OF_A_COLUMN", 0)
        path = Path(folder, "t.csv")
        path.write_bytes(text.encode())
        blocks = list(field_blocks(path, layout, comments))
    assert all(len({len(column) for column in block}) == 1 for block in blocks)
    return [row for block in blocks for row in zip(*block, strict=True)], list(comments)


def written(field):
    """A field in quotes, if it needs them."""
    doubled = field.replace('"', '""')
    return f'"{doubled}"' if set(field) & set(',"\r\n') else field


FIELDS = st.text(st.sampled_from('ab,;"\n\r #é'), max_size=6)
TABLES = st.integers(2, 3).flatmap(lambda n: st.lists(st.tuples(*[FIELDS] * n), min_size=1, max_size=8))


@settings(deadline=None, max_examples=80)
@given(
    rows=TABLES,
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    n_characters=st.integers(1, 40),
    last=st.booleans(),
)
@example(rows=[("a", "b")] * 6, end="\r\n", n_characters=4, last=True)  # a block ends between the two
@example(rows=[("a", "b"), ("x" * 99, "y"), ("a", "")], end="\n", n_characters=8, last=False)
@example(rows=[("a", "b")] * 4 + [("c\r\nd", '"')], end="\r\n", n_characters=4, last=True)
def test_any_table_is_read_back_in_blocks_of_any_length(rows, end, n_characters, last):
    names = [f"n{j}" for j in range(len(rows[0]))]
    text = end.join(",".join(map(written, row)) for row in [names, *rows]) + (end if last else "")

    found, comments = read(text, Layout(",", tuple(names)), n_characters)

    assert found == rows
    assert comments == []


REGULAR = "x,1\n" * 7


@pytest.mark.parametrize("n_characters", [1, 4, 5, 11, 1000])
@pytest.mark.parametrize(
    ("text", "number", "n_fields"),
    [
        (f"a,b\n{REGULAR}x\n", 9, "1 field"),
        (f"a,b\n{REGULAR}x,1,2\n{REGULAR}", 9, "3 fields"),
        (f"a,b\n{REGULAR}x,1,2,3\n", 9, "4 fields"),
        (f"a,b\r\n{REGULAR}x,1,2".replace("\n", "\r\n").replace("\r\r", "\r"), 9, "3 fields"),
        (f'a,b\n"x\n\n",1\n{REGULAR}x,,\n', 12, "3 fields"),
        (f"a,b\n\n\n{REGULAR},,\n", 11, "3 fields"),
    ],
    ids=[
        "too few",
        "too many",
        "twice as many",
        "of Windows",
        "after a field of three lines",
        "after empty lines",
    ],
)
def test_a_ragged_line_is_named_by_its_number_in_the_file(text, number, n_fields, n_characters):
    with pytest.raises(DataError, match=f"line {number} has {n_fields}, but the first line names 2"):
        read(text, Layout(",", ("a", "b")), n_characters)


@pytest.mark.parametrize("n_characters", [1, 9, 1000])
@pytest.mark.parametrize(
    ("text", "number"),
    [(f'a,b\n{REGULAR}"x,1\n{REGULAR}', 9), (f'a,b\n{REGULAR}"x"y,1\n', 9), ('a,b\nx,"1', 2)],
    ids=["to the end of the file", "in the middle", "in the last line"],
)
def test_a_quote_without_its_partner_is_named_by_the_line_that_it_is_in(text, number, n_characters):
    with pytest.raises(DataError, match=f"line {number} has a double quote without its partner"):
        read(text, Layout(",", ("a", "b")), n_characters)


@pytest.mark.parametrize("n_characters", [1, 6, 1000])
def test_lines_to_skip_names_and_comments_are_no_rows_in_any_block(n_characters):
    text = f"a title\nof two lines\na,b\n{REGULAR}# said later\ny,2\n\n"

    rows, comments = read(text, Layout(",", ("a", "b"), skip=2), n_characters)
    assert rows == [("x", "1")] * 7 + [("y", "2")]
    assert comments == [11]
    without_names, _ = read(text, Layout(",", ("a", "b"), has_names=False, skip=2), n_characters)
    assert without_names == [("a", "b"), *rows]
    declared, comments = read(text, Layout(",", ("a", "b"), has_comments=True, skip=2), n_characters)
    assert (declared, comments) == (rows, [])


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\r\n", "a,b\n\n"])
@pytest.mark.parametrize("n_characters", [1, 1000])
def test_a_file_of_names_alone_has_no_rows(text, n_characters):
    assert read(text, Layout(",", ("a", "b")), n_characters) == ([], [])


@pytest.mark.parametrize(("n_fields", "n_rows"), [(1, [1] * 5), (3, [1] * 5), (4, [2, 2, 1]), (99, [5])])
def test_irregular_files_come_in_blocks_of_whole_rows(n_fields, n_rows, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "FIELDS_AT_ONCE", n_fields)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "".join(f'{i},""""\n' for i in range(5)))

    blocks = list(field_blocks(path, Layout(",", ("a", "b")), {}))

    assert [len(first) for first, _ in blocks] == n_rows
    assert [field for first, _ in blocks for field in first] == list("01234")
    assert {field for _, second in blocks for field in second} == {'"'}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_regular_files_are_cut_all_at_once(end, monkeypatch):
    monkeypatch.setattr(module, "cut_lines", lambda *_, **__: pytest.fail("line by line"))

    rows, _ = read(f"a,b\n{REGULAR}".replace("\n", end), Layout(",", ("a", "b")), 9)

    assert rows == [("x", "1")] * 7
