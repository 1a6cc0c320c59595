"""UAI files are read as the competitions define them, or refused with the line."""

import math

import pytest

from structlearn.errors import DataError
from structlearn.formats import uai
from structlearn.graphs import Graph
from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.factors import Factor
from structlearn.models.markov_network import MarkovNetwork
from tests.oracles import models as oracle

# The child of a table is last and changes fastest; the first node listed changes slowest.
THREE = """BAYES
3
2 3 2
3
1 0   # a comment, as pyAgrum writes them
1 1
3 1 0 2

2
 0.4 0.6

3
 0.2 0.3 0.5

12
 0.1 0.9  0.2 0.8
 0.3 0.7  0.4 0.6
 0.5 0.5  0.6 0.4
"""


def changed(before, after):
    assert before in THREE
    return THREE.replace(before, after, 1)


def weight(model, state):
    """The product of what the factors give a joint state."""
    codes = {node: model.labels[node].index(label) for node, label in state.items()}
    return math.prod(float(table[tuple(codes[name] for name in names)]) for names, table in model.factors())


def test_a_network_is_read_by_the_positions_of_its_nodes():
    model = uai.read(THREE)

    assert model.graph == Graph("012", directed=[("0", "2"), ("1", "2")])
    table = [[[0.1, 0.9], [0.2, 0.8]], [[0.3, 0.7], [0.4, 0.6]], [[0.5, 0.5], [0.6, 0.4]]]
    assert model.cpds == {
        "0": TableCPD([0.4, 0.6], labels=[0, 1]),
        "1": TableCPD([0.2, 0.3, 0.5], labels=[0, 1, 2]),
        "2": TableCPD(table, labels=[0, 1], parents=["1", "0"]),
    }


def test_a_markov_network_is_read_by_the_positions_of_its_nodes():
    # Node 3 is in no table; the tables need not sum to anything.
    model = uai.read("MARKOV 4 2 3 2 2 2 2 1 0 1 2   6 1 2 3 4 5 6   2 0.5 7")

    assert model.graph == Graph("0123", undirected=[("0", "1")])
    assert model.labels == {"0": (0, 1), "1": (0, 1, 2), "2": (0, 1), "3": (0, 1)}
    # The first table has node 1 before node 0, and node 0 changes fastest.
    assert weight(model, {"0": 1, "1": 0, "2": 0, "3": 0}) == 2 * 0.5
    assert weight(model, {"0": 0, "1": 2, "2": 1, "3": 1}) == 5 * 7


def test_a_markov_network_comes_back_with_its_probabilities():
    graph = Graph(["rain", "b", "c"], undirected=[("rain", "b"), ("c", "b")])
    factors = [Factor(["b", "rain"], [[1, 2.5], [1 / 3, 0]]), Factor(["c", "b"], [[1, 2], [3, 4]])]
    model = MarkovNetwork(graph, factors, labels={"rain": ["no", "yes"], "b": [0, 1], "c": ["x", "y"]})

    back = uai.read(uai.write(model.numbered()))

    assert back == model.numbered()
    assert weight(back, {"0": 1, "1": 0, "2": 1}) == weight(model, {"rain": "yes", "b": 0, "c": "y"}) == 7.5
    with pytest.raises(DataError, match=r"node 0 is called 'rain'; save model\.numbered"):
        uai.write(model)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("MARKOV 1 2 1 1 0 2 1 -1", "line 1: "),
        ("MARKOV 1 2 1 1 0 2 1 nan", "line 1: "),
        ("MARKOV 1 2 1 0 1 5", "different nodes"),
        ("MARKOV 70 " + "1 " * 70 + "1 70 " + " ".join(map(str, range(70))) + " 1 1", "69 parents|63"),
    ],
)
def test_a_wrong_markov_network_is_refused(text, reason):
    with pytest.raises(DataError, match=reason):
        uai.read(text)


def test_lines_may_break_anywhere():
    assert uai.read(" ".join(THREE.replace("# a comment, as pyAgrum writes them", "").split())) == uai.read(
        THREE
    )


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("BAYES", "BAYESIAN", 1, "begins with 'BAYESIAN'"),
        ("3\n2 3 2", "x\n2 3 2", 2, "'x' cannot be the number of nodes"),
        ("3\n2 3 2", "1000000000\n2 3 2", 2, "'1000000000' cannot be the number of nodes"),
        ("3\n2 3 2", "0\n2 3 2", 2, "should have a node"),
        ("2 3 2", "2 3 -2", 3, "'-2' cannot be the number of states"),
        ("2 3 2", "2 3 0", 15, "should have 0 cells, not 12"),
        ("3 1 0 2", "3 1 1 2", 7, "different nodes from 0 to 2"),
        ("3 1 0 2", "3 1 7 2", 7, "different nodes from 0 to 2"),
        ("3 1 0 2", "0", 7, "different nodes from 0 to 2"),
        ("3 1 0 2", "3 2 0 1", 7, "a node has two tables"),
        ("3\n1 0", "2\n1 0", 6, "the node 2 has no table"),
        ("12\n", "11\n", 15, "should have 12 cells, not 11"),
        ("0.2 0.3 0.5", "0.2 0.3 0.4", 13, "row 1 of the table of 1: .* sum to 0.9"),
        ("0.2 0.3 0.5", "0.2 0.3 half", 13, "a word that is no number"),
        (" 0.5 0.5  0.6 0.4\n", " 0.5 0.5  0.6", 18, "the file ends inside a table"),
        (" 0.5 0.5  0.6 0.4\n", " 0.5 0.5  0.6 0.4\n7", 19, "the tables ended before '7'"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(before, after, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        uai.read(changed(before, after))

    assert str(raised.value).startswith(f"line {line}: ")


def test_an_empty_file_and_a_cycle_are_refused():
    with pytest.raises(DataError, match="line 1: the file ends where BAYES or MARKOV should be"):
        uai.read("")
    with pytest.raises(DataError, match="cycle"):
        uai.read("BAYES 2 1 1 2 2 0 1 2 1 0 1 1 1 1")


@pytest.mark.parametrize(
    ("name", "labels", "reason"),
    [
        ("rain", [0, 1], "node 0 is called 'rain'; save model.numbered"),
        ("0", ["no", "yes"], "state 0 of the node '0' is 'no'; save model.numbered"),
        ("0", [1, 0], "state 0 of the node '0' is 1"),
    ],
)
def test_names_are_refused_with_what_to_do(name, labels, reason):
    with pytest.raises(DataError, match=reason):
        uai.write(oracle.network({name: TableCPD([0.5, 0.5], labels=labels)}))


def test_a_numbered_network_has_the_same_probabilities():
    model, numbered = oracle.asia(), oracle.asia().numbered()

    assert numbered.nodes == tuple("01234567")
    assert list(oracle.joint(numbered).values()) == list(oracle.joint(model).values())
    with pytest.raises(DataError, match="numbered: 'x' has a linear-gaussian distribution"):
        oracle.network({"x": LinearGaussianCPD(0.0, {}, variance=1.0)}).numbered()
