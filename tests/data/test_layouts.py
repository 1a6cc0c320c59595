"""The separator of a file without names is that of the same file with points for decimal commas."""

import pytest

from structlearn.data import Dataset
from structlearn.errors import DataNote

WORDS = ["Ann", "Bob", "Ann", "Bob", "Cem", "Ann", "Cem", "Bob", "Ann", "Cem"]
TOWNS = ["Bonn", "Ulm", "Ulm", "Bonn", "Bonn", "Ulm", "Ulm", "Bonn", "Ulm", "Bonn"]
QUOTED = [f'"{town}, {town[0]}"' for town in TOWNS]
NUMBERS = [0.26, 1.5, 20.75, 3.25, 4.5, 5.75, 60.5, 7.25, 8.5, 9.75]


@pytest.mark.parametrize("separator", [";", "|", "\t"])
@pytest.mark.parametrize(
    "columns", [[WORDS, NUMBERS], [WORDS, TOWNS, NUMBERS], [WORDS, QUOTED, TOWNS, NUMBERS]], ids=len
)
def test_decimal_commas_beside_words_do_not_cut_the_fields(tmp_path, separator, columns):
    texts = [separator.join(map(str, row)) for row in zip(*columns, strict=True)]
    path, plain = tmp_path / "commas.csv", tmp_path / "points.csv"
    path.write_text("\n".join(text.replace(".", ",") for text in texts))
    plain.write_text("\n".join(texts))

    with pytest.warns(DataNote, match="is text that is read as numbers"):
        found = Dataset(path, header=False)

    expected = Dataset(plain, header=False, separator="tab" if separator == "\t" else separator)
    assert {name: column.tolist() for name, column in found.to_dict().items()} == {
        name: column.tolist() for name, column in expected.to_dict().items()
    }
