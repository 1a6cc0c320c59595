"""Sheets of Excel are read as files of text are."""

import datetime
import sys

import openpyxl
import pytest

from structlearn.data import Dataset
from structlearn.errors import DataError, DataNote, OptionError, PackageError


@pytest.fixture
def book(tmp_path):
    def write(**sheets):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for name, rows in sheets.items():
            sheet = made.create_sheet(name)
            for row in rows:
                sheet.append(row)
        path = tmp_path / "book.xlsx"
        made.save(path)
        return path

    return write


def test_the_first_row_has_the_names_and_an_empty_cell_is_missing(book):
    found = Dataset(book(data=[["a", "b", "c"], [1, "x", 0.5], [2, None, None]]))

    assert found.labels == {"a": (1, 2), "b": ("x",)}
    assert found.missing == {"b": 1, "c": 1}


def test_text_in_cells_is_read_as_in_files(book):
    with pytest.warns(DataNote, match="'NA' is taken"):
        found = Dataset(book(data=[["a"], [1.5], ["NA"], [2.5]]))

    assert found.missing == {"a": 1}


def test_another_sheet_is_chosen_by_name(book):
    path = book(notes=[["a"], [1]], data=[["b"], [2]], empty=[])

    with pytest.warns(DataNote, match="the sheet 'notes' is read; sheet= chooses another of 'data'"):
        assert Dataset(path).names == ("a",)
    assert Dataset(path, sheet="data").names == ("b",)
    with pytest.raises(OptionError, match="has the sheets 'notes', 'data', 'empty'"):
        Dataset(path, sheet="x")
    with pytest.raises(DataError, match="the sheet 'empty' is empty"):
        Dataset(path, sheet="empty")


def test_a_sheet_without_names_has_counted_ones(book):
    path = book(data=[[0.5, "x"], [1.5, "y"]])

    with pytest.warns(DataNote, match="first row has values"):
        assert Dataset(path).names == ("x0", "x1")
    assert Dataset(path, header=True).names == ("0.5", "x")


def test_a_title_above_the_names_is_skipped(book):
    assert Dataset(book(data=[["All of 2024", None], ["a", "b"], [0.5, "x"]]), skip=1).names == ("a", "b")


def test_years_above_columns_are_their_names(book):
    assert Dataset(book(data=[[2019, 2020], [0.5, 7], [1.5, 8]])).names == ("2019", "2020")


def test_dates_of_cells_are_dates(book):
    path = book(data=[["d"], [datetime.date(2020, 1, 30)], [datetime.date(2020, 2, 1)]])

    assert Dataset(path, dates="days").to_dict()["d"].tolist() == [0, 2]


def test_a_column_without_a_name_is_left_out_or_refused(book):
    with pytest.warns(DataNote, match="no name and tells the rows apart"):
        assert Dataset(book(data=[[None, "a"], [1, 5], [2, 6]])).names == ("a",)
    with pytest.raises(DataError, match="column 2 has no name"):
        Dataset(book(data=[["a", None], [1, 5], [2, 6]]))


def test_a_missing_package_says_what_to_install(book, monkeypatch):
    monkeypatch.delitem(sys.modules, "structlearn.data.spreadsheets", raising=False)
    monkeypatch.setitem(sys.modules, "python_calamine", None)

    with pytest.raises(PackageError, match=r"pip install structlearn\[excel\]"):
        Dataset(book(data=[["a"], [1]]))
