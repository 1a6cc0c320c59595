"""Files as people have them are read right, with a note that says how, or refused with what settles it."""

import csv
import gzip
import io
import re
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.errors import DataError, DataNote, OptionError


@pytest.fixture
def file(tmp_path):
    def write(text, name="table.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


@pytest.fixture(params=["small", "large"], autouse=True)
def size(request, monkeypatch):
    """Small files and large ones are read in two ways, which must not differ."""
    if request.param == "large":
        monkeypatch.setattr("structlearn.data.files.LARGE_BYTES", 0)


def values_in(dataset):
    return {
        name: [None if value is None or value != value else value for value in values.tolist()]  # noqa: PLR0124, NaN
        for name, values in dataset.to_dict().items()
    }


def values_of(path, **options):
    return values_in(Dataset(path, **options))


ROWS = "".join(f"{i / 4},{'xy'[i % 2]}\n" for i in range(12))
QUARTERS = [i / 4 for i in range(12)]
LETTERS = ["x", "y"] * 6
N_THEN_Y = list("nnnnnnyyyyyy")


@pytest.mark.parametrize(
    ("text", "name", "values", "note"),
    [
        pytest.param(
            "a;b\n1,5;x\n2,25;y\n", "t.csv", {"a": [1.5, 2.25], "b": ["x", "y"]}, "'1,5' for 1.5", id="German"
        ),
        pytest.param(
            "a;b\n1,5;1.234\n2,5;2.500\n",
            "t.csv",
            {"a": [1.5, 2.5], "b": [1234, 2500]},
            "'1,5' for 1.5",
            id="points between thousands beside decimal commas",
        ),
        pytest.param(
            "a;b;c\n1,5;1.234;7%\n2,5;2.500;8%\n",
            "t.csv",
            {"a": [1.5, 2.5], "b": [1234, 2500], "c": [7, 8]},
            "'1,5' for 1.5",
            id="one column with decimal commas tells of another",
        ),
        pytest.param(
            "a;b\n1,5;12.5\n2,5;0.5\n",
            "t.csv",
            {"a": [1.5, 2.5], "b": [12.5, 0.5]},
            "'1,5' for 1.5",
            id="decimal points beside decimal commas",
        ),
        pytest.param(
            'a\tb\n"1,234.5"\tx\n12\ty\n',
            "t.txt",
            {"a": [1234.5, 12], "b": ["x", "y"]},
            "'1,234.5'",
            id="thousands",
        ),
        pytest.param(
            "a,b\n1.5,x\n#N/A,y\n<NA>,x\n",
            "t.csv",
            {"a": [1.5, None, None], "b": ["x", "y", "x"]},
            "'#N/A', '<NA>'",
            id="marks of missing values",
        ),
        pytest.param(
            "a,b\n1.5,x\n ,y\n", "t.csv", {"a": [1.5, None], "b": ["x", "y"]}, "' ' is taken", id="blanks"
        ),
        pytest.param(
            "# made by hand\n#\na,b\n1,x\n# not this\n2,y\n",
            "t.csv",
            {"a": [1, 2], "b": ["x", "y"]},
            "begin with # are taken for comments",
            id="comments above",
        ),
        pytest.param(
            "a,b\n1,x\n# the rest is of another day\n2,y\n",
            "t.csv",
            {"a": [1, 2], "b": ["x", "y"]},
            "line 3 begins with # .* It is left out",
            id="a comment below",
        ),
        pytest.param(
            "# a b\n1.5 2\n3.5 4\n",
            "t.txt",
            {"a": [1.5, 3.5], "b": [2, 4]},
            "comments",
            id="names in the comment",
        ),
        pytest.param(
            ROWS,
            "t.data",
            {"x0": QUARTERS, "x1": LETTERS},
            r"first line \(0.0, x\) has values.*header=True",
            id="no names",
        ),
        pytest.param(
            "y,n,n\n" * 6 + "n,y,y\n" * 6,
            "t.csv",
            {"x0": list("yyyyyynnnnnn"), "x1": N_THEN_Y, "x2": N_THEN_Y},
            "has values",
            id="no names above words",
        ),
        pytest.param(
            ",a,b\n0,1.5,x\n1,2.5,y\n",
            "t.csv",
            {"a": [1.5, 2.5], "b": ["x", "y"]},
            "no name and tells the rows apart",
            id="an index without a name",
        ),
        pytest.param(
            '"a" "b"\n"row 1" 1.5 "x y"\n"row 2" 2.5 z\n',
            "t.txt",
            {"a": [1.5, 2.5], "b": ["x y", "z"]},
            "no name and tells the rows apart",
            id="names of rows as R has them",
        ),
        pytest.param(
            "a,b,\n1.5,x,\n2.5,y,\n",
            "t.csv",
            {"a": [1.5, 2.5], "b": ["x", "y"]},
            "neither a name nor values",
            id="a separator at the end of each line",
        ),
        pytest.param(
            "a,b\n1.5,x,\n2.5,y,\n",
            "t.csv",
            {"a": [1.5, 2.5], "b": ["x", "y"]},
            "neither a name nor values",
            id="a separator at the end of rows alone",
        ),
        pytest.param(
            "größe,b\n1,ß\n2,y\n".encode("latin-1"),
            "t.csv",
            {"größe": [1, 2], "b": ["ß", "y"]},
            "not in UTF-8 .* gives 'größe'; encoding= says",
            id="Latin-1",
        ),
        pytest.param(
            "a,b\n1,€\n2,y\n".encode("cp1252"),
            "t.csv",
            {"a": [1, 2], "b": ["€", "y"]},
            "gives '€'",
            id="Windows",
        ),
        pytest.param(
            "a,b\n1,ß\n2,y\n".encode("utf-16"),
            "t.csv",
            {"a": [1, 2], "b": ["ß", "y"]},
            "read as UTF-16",
            id="UTF-16",
        ),
        pytest.param(
            "a,b\n1.5*,x\n2.25,y\n0.5**,x\n",
            "t.csv",
            {"a": [1.5, 2.25, 0.5], "b": list("xyx")},
            r"'a' is text that is read as numbers, '0\.5\*\*' for 0\.5|'1\.5\*' for 1\.5",
            id="stars of footnotes",
        ),
        pytest.param(
            "a,b\n1,x\n2,y\n1,x\n2,y\nlow,y\n",
            "t.csv",
            {"a": ["1", "2", "1", "2", "low"], "b": list("xyxyy")},
            r"'a' is numbers but for 'low', and stays the 3 labels .* na=\['low'\] makes missing",
            id="a few numbers and a word",
        ),
        pytest.param(
            "a,b\n1 %,x\n2,y\n1 %,x\n",
            "t.csv",
            {"a": ["1 %", "2", "1 %"], "b": list("xyx")},
            r"'a' is numbers with different units \('%' and none\), and stays the 2 labels",
            id="a few numbers with different units",
        ),
        pytest.param(
            gzip.compress("a;b\n1,5;x\n2,5;y\n".encode("utf-16")),
            "t.txt.gz",
            {"a": [1.5, 2.5], "b": ["x", "y"]},
            "read as UTF-16",
            id="all at once",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataNote")
def test_a_messy_file_is_read_right_and_a_note_says_how(file, text, name, values, note):
    found = Dataset(file(text, name))

    assert values_in(found) == values
    assert any(re.search(note, said) for said in found.notes)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        pytest.param("a b\n1 x\n2 y\n", "t.txt", {"a": [1, 2], "b": ["x", "y"]}, id="blanks between"),
        pytest.param(
            "a  b\n 1\tx\n 2   y\n", "t.dat", {"a": [1, 2], "b": ["x", "y"]}, id="any number of them"
        ),
        pytest.param(
            "first name\nAnn Lee\nBo Li\n", "t.csv", {"first name": ["Ann Lee", "Bo Li"]}, id="one column"
        ),
        pytest.param(
            "a, in kg;b\n1,5;2,5\n", "t.csv", {"a, in kg": ["1,5"], "b": ["2,5"]}, id="commas in names"
        ),
        pytest.param(
            "gene,1,2,3\nrecA,0.5,1.5,2.5\n",
            "t.csv",
            {"gene": ["recA"], "1": [0.5], "2": [1.5], "3": [2.5]},
            id="counted samples",
        ),
        pytest.param("a|x,b\nu|v,1.5\n", "t.csv", {"a|x": ["u|v"], "b": [1.5]}, id="another mark as often"),
        pytest.param("a|b\n1|x\n", "t.txt", {"a": [1], "b": ["x"]}, id="bars"),
        pytest.param("2019,2020,2021\n1,2,3\n", "t.csv", {"2019": [1], "2020": [2], "2021": [3]}, id="years"),
        pytest.param("0,1\n1.5,3\n", "t.csv", {"0": [1.5], "1": [3]}, id="numbers that count the columns"),
        pytest.param(
            "id,0.1,0.9\n7,2,3\n8,2,3\n",
            "t.csv",
            {"id": [7, 8], "0.1": [2, 2], "0.9": [3, 3]},
            id="quantiles",
        ),
        pytest.param(
            "a,b\n#1,x\n#2,y\n", "t.csv", {"a": ["#1", "#2"], "b": ["x", "y"]}, id="labels like comments"
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataNote")
def test_layouts_that_need_no_word_are_read_as_they_were_meant(file, text, name, values):
    found = values_of(
        file(text, name), kinds={"a, in kg": "discrete", "b": "discrete"} if "kg" in text else None
    )

    assert found == values


@pytest.mark.parametrize(
    ("text", "message", "settled", "values"),
    [
        ("3,1,7\n" * 3, r"cannot be told .* \(3, 1, 7\) .*header=False", {"header": False}, [3, 3, 3]),
        ("yes,no\n" * 12, r"cannot be told .* \(yes, no\)", {"header": False}, ["yes"] * 12),
        ("yes,no\n" * 12, r"cannot be told .* \(yes, no\)", {"header": True}, ["yes"] * 11),
        ("a;b\n1,234;x\n2,500;y\n", "'1,234', which may be 1234 or 1.234", {"decimal": ","}, [1.234, 2.5]),
        ("a;b\n1,234;x\n2,500;y\n", "'1,234', which may be 1234 or 1.234", {"decimal": "."}, [1234, 2500]),
        ("a,b|c\nx|y,1\n", None, {"separator": "|"}, ["x"]),
        ("a b,c d\n1 2,3 4\n", None, {"separator": "space"}, [1]),
        ("a\tb\n1\tx,y\n", None, {"separator": "tab"}, [1]),
        ("a\nñ\n".encode("mac-roman"), None, {"encoding": "mac-roman"}, ["ñ"]),
        ("a\n1.234\n2.5\n", None, {"decimal": ",", "na": "2.5"}, [1234, None]),
        ("A title\na,b,c\n1,2,3\n3,4,5\n", "line 2 has 3 fields.*in skip= how many", {"skip": 1}, [1, 3]),
        ("A title\na,b\n1,2\n3,4\n", r"\(A title\) looks like a title.*skip=1", {"skip": 1}, [1, 3]),
        ("A title, with commas\n\na,b\n1,2\n3,4\n", None, {"skip": 2}, [1, 3]),
        ("# of 2024\nA title\n1.5,2\n3,4\n", None, {"skip": 2, "header": False}, [1.5, 3]),
    ],
    ids=str,
)
def test_what_cannot_be_told_is_refused_with_the_option_that_settles_it(file, text, message, settled, values):
    path = file(text)
    if message is not None:
        with pytest.raises(DataError, match=message):
            Dataset(path)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNote)
        found = values_of(path, **settled)

    assert next(iter(found.values())) == values


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;"])
def test_a_first_line_that_states_the_separator_is_no_row(file, first):
    """Excel writes it, where commas are the decimal marks of a country."""
    path = file(f"{first}\r\na;b, c\r\n1.5;x\r\n2.5;y\r\n")

    assert values_of(path) == {"a": [1.5, 2.5], "b, c": ["x", "y"]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"encoding": "klingon"}, "there is no such encoding"),
        ({"separator": "xx"}, "separator is what stands between the fields"),
        ({"header": "yes"}, "header is whether the first line"),
        ({"dates": "century"}, "dates is what becomes of dates"),
        ({"na": [True]}, "na is what stands for a missing value"),
        ({"skip": 0}, "skip is how many lines of a file to leave out"),
        ({"sheet": "data"}, "sheet='data': this means nothing for .*table.csv"),
    ],
    ids=str,
)
def test_an_option_that_means_nothing_is_refused(file, options, message):
    with pytest.raises(OptionError, match=message):
        Dataset(file("a\n1\n"), **options)


def test_a_line_that_does_not_fit_is_named_as_it_is_counted_in_the_file(file):
    with pytest.raises(DataError, match="line 4 has 1 field, but the first line names 2"):
        Dataset(file("A title\na,b\n1,2\n3\n"), skip=1)


def test_what_was_said_to_be_labels_needs_no_note(file):
    path = file("a,b\n1,x\n2,y\n1,x\n2,y\nlow,y\n")

    assert Dataset(path, kinds={"a": "discrete"}).notes == ()
    assert Dataset(path, na="low").notes == ()


def test_an_encoding_that_was_said_and_does_not_fit_is_refused(file):
    with pytest.raises(DataError, match="not a text file in UTF-8"):
        Dataset(file("a\nñ\n".encode("latin-1")), encoding="utf-8")
    with pytest.raises(DataError, match="not a text file in ASCII"):
        Dataset(file("a\nñ\n"), encoding="ascii")


NAMES = st.lists(
    st.sampled_from(["a", "b c", "d,e", 'f"g', "größe", "h;i"]), min_size=2, max_size=4, unique=True
)
NUMBERS = st.decimals(-(10**6), 10**6, places=2).map(float)
CONTINUOUS = {"größe": "continuous", "a": "continuous", "b": "discrete"}
LABELS = st.sampled_from(["yes", "no", "x, y", 'say "so"', "ñandú", "a;b"])


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=NAMES,
    rows=st.lists(st.tuples(NUMBERS, LABELS), min_size=3, max_size=8),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    decimal=st.sampled_from([".", ","]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    has_names=st.booleans(),
    mark=st.sampled_from(["", "NA", "?"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_a_table_in_any_dialect_is_read_back(  # noqa: PLR0913, a dialect has many parts
    file, names, rows, separator, decimal, encoding, has_names, mark, end
):
    table = [[number, *[label] * (len(names) - 1)] for number, label in rows]
    table[1][0] = None
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=end)
    if has_names:
        writer.writerow(names)
    for first, *rest in table:
        writer.writerow([mark if first is None else f"{first:.2f}".replace(".", decimal), *rest])
    said = {"decimal": decimal, "header": has_names, "separator": "tab" if separator == "\t" else separator}
    kinds = dict.fromkeys(names if has_names else [f"x{j}" for j in range(len(names))], "discrete")
    kinds[next(iter(kinds))] = "continuous"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNote)
        found = values_of(file(text.getvalue(), encoding=encoding), kinds=kinds, **said)

    columns = list(zip(*table, strict=True))
    numbers, *labels = found.values()
    assert list(found) == list(kinds)
    assert numbers == list(columns[0])
    assert labels == [list(column) for column in columns[1:]]


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS, LABELS), min_size=4, max_size=8),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    marks=st.sampled_from([(".", ""), (".", ","), (",", ""), (",", "."), (",", " "), (".", "'")]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    comment=st.sampled_from(["", "# by hand, on a Monday\n"]),
    mark=st.sampled_from(["", "NA", "?", "#N/A", "<NA>", "*", " "]),
)
def test_a_table_in_any_dialect_needs_no_word_to_be_read(
    file, rows, separator, marks, encoding, comment, mark
):  # fmt: skip
    decimal, thousands = marks
    sign = {".": decimal, ",": thousands}
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(["größe", "a", "b"])
    table = [list(row) for row in rows]
    table[2][0] = None
    for first, second, label in table:
        words = [
            "".join(sign.get(s, s) for s in f"{n:,.2f}") if n is not None else mark for n in (first, second)
        ]
        writer.writerow([*words, label])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNote)
        found = values_of(file(comment + text.getvalue(), encoding=encoding), kinds=CONTINUOUS)

    assert list(found.values()) == [list(column) for column in zip(*table, strict=True)]
