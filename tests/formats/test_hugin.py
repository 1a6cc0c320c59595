"""Hugin NET files are read as their grammar says, or refused with the line."""

import pytest

from structlearn.errors import DataError
from structlearn.formats import hugin
from structlearn.graphs import Graph
from structlearn.models import TableCPD
from tests.oracles import models as oracle

NET = """% as Hugin writes it
net
{
    node_size = (80 40);  % of the picture
    HR_Desc = "50 % sure; see {x}";
}

node rain
{
    label = "Has it rained?";
    position = (10 20);
    states = ("no" "a \\"little\\"" "50 %");
}
discrete node grass
{
    states = (dry wet);
}

potential (grass | rain)
{
    data = ((0.9 0.1)     % rain=no
            (0.5 0.5)     % rain=a little
            (0 1));
}
potential (rain)
{
    data = (0.7 .2 1e-1);
    experience = (10);
}
"""


def changed(before, after):
    assert before in NET
    return NET.replace(before, after, 1)


def test_a_file_with_comments_and_attributes_is_read_as_it_stands():
    model = hugin.read(NET)

    assert model.graph == Graph(["rain", "grass"], directed=[("rain", "grass")])
    assert model.cpds == {
        "rain": TableCPD([0.7, 0.2, 0.1], labels=["no", 'a "little"', "50 %"]),
        "grass": TableCPD([[0.9, 0.1], [0.5, 0.5], [0, 1]], labels=["dry", "wet"], parents=["rain"]),
    }


def test_the_last_parent_changes_before_the_first():
    text = """
    node c { states = ("0" "1"); } node p { states = ("0" "1"); } node q { states = ("0" "1" "2"); }
    potential (p |) { data = (0.5 0.5); }
    potential (q) { data = (0.2 0.3 0.5); }
    potential (c | p q) {
      data = (((0.1 0.9) (0.2 0.8) (0.3 0.7)) ((0.4 0.6) (0.5 0.5) (0.6 0.4)));
    }
    """

    table = hugin.read(text).cpds["c"].probabilities

    assert table[:, :, 0].tolist() == [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]


def test_brackets_are_written_as_the_parents_nest():
    model = oracle.network(
        {
            "p": TableCPD([0.5, 0.5], labels=["a", "b"]),
            "q": TableCPD([0.25, 0.75], labels=["a", "b"]),
            "c": TableCPD([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], labels=["a", "b"], parents=["q", "p"]),
        }
    )

    written = "".join(hugin.write(model).rpartition("data =")[2].split())

    assert written == "(((1.00.0)(0.01.0))((0.01.0)(1.00.0)));}"


def test_a_table_without_data_is_uniform():
    model = hugin.read(changed("data = (0.7 .2 1e-1);", ""))

    assert model.cpds["rain"].probabilities.tolist() == [1 / 3] * 3


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("discrete node", "continuous node", 14, "'continuous': only discrete chance nodes"),
        ("discrete node", "decision", 14, "'decision': only discrete chance nodes"),
        ("discrete node", "utility", 14, "'utility': only discrete chance nodes"),
        ("discrete node", "nonsense", 14, "expected 'net' or 'node' or .*, found 'nonsense'"),
        ("net\n{", "class X\n{", 2, "'class'"),
        ("(grass | rain)", "(grass rain)", 19, "one node before the"),
        ("(grass | rain)", "(grass | snow)", 19, "'snow' is not declared"),
        ("(grass | rain)", "(grass | grass)", 19, "appears twice"),
        ("(grass | rain)", "(rain)", 25, "'rain' has a second table"),
        ("(0.5 0.5)", "(0.5 0.4)", 19, r"'grass': row 2: .* sum to 0.9"),
        ("(0.5 0.5)", "(0.5)", 19, "expected 6 probabilities, found 5"),
        ("(0.5 0.5)", "(0.5 0.5", 21, "not a list of numbers in brackets"),
        ("(0.5 0.5)", "(0.5 x)", 21, "not a list of numbers in brackets"),
        ("(0 1));", "(0 1))", 21, "not a list of numbers"),
        ("data = (0.7 .2 1e-1);", "model_data = (Normal(0, 1));", 27, "an expression in place of a table"),
        ("states = (dry wet);", "", 14, "'grass' has no states"),
        ("states = (dry wet);", "states = (dry dry);", 14, "listed twice"),
        ("node grass", "node rain", 14, "declared a second time"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(before, after, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        hugin.read(changed(before, after))

    assert str(raised.value).startswith(f"line {line}: ")


def test_what_is_missing_is_told():
    with pytest.raises(DataError, match="line 2: expected a value and then ';'"):
        hugin.read('net {\n a = "b')
    with pytest.raises(DataError, match="without having declared a node"):
        hugin.read("net { }")
    with pytest.raises(DataError, match="'rain' has no table"):
        hugin.read(NET[: NET.index("potential (rain)")])


def test_a_uniform_table_too_large_for_memory_is_refused():
    names = [f"v{i}" for i in range(30)]
    nodes = "".join(f'node {name} {{ states = ("a" "b"); }}\n' for name in names)

    with pytest.raises(DataError, match=rf"line 31: .*{2**30:,} cells"):
        hugin.read(f"{nodes}potential (v0 | {' '.join(names[1:])}) {{ }}")
    with pytest.raises(DataError, match=rf"line 31: .*{2**25:,} cells that it does not list"):
        hugin.read(f"{nodes}potential (v0 | {' '.join(names[1:25])}) {{ }}")


@pytest.mark.parametrize(
    ("name", "state", "reason"),
    [
        ("a b", "x", "there is the node 'a b'"),
        ("node", "x", "no word of the language"),
        ("a", "x\ny", r"cannot hold '\\n' in the state 'x\\ny' of 'a'"),
        ("a", 'say "x"', "cannot hold"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(name, state, reason):
    with pytest.raises(DataError, match=reason):
        hugin.write(oracle.network({name: TableCPD([1.0], labels=[state])}))
