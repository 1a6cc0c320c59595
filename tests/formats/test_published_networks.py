"""Every published network is read whole, and comes back from every format with its probabilities."""

import numpy as np
import pytest

from structlearn.errors import DataError
from structlearn.formats import ENDINGS, load
from tests.data_files import data_file, network_index, true_graph
from tests.oracles.network_json import network_from_json

TOLERANCE = 1e-12
OF_TABLES = [
    ending for ending, form in ENDINGS.items() if form.needs_tables and ending not in {".bif", ".xml"}
]
OF_TABLES = [ending for ending in OF_TABLES if not ending.endswith(".gz")]


NETWORKS = network_index()
MANY_PARAMETERS = 10_000


def params(rows):
    """The rows as parameters of a test, those of large networks for the slow run."""
    marks = [[pytest.mark.slow] if int(row["parameters"]) > MANY_PARAMETERS else [] for row in rows]
    return [pytest.param(row, id=row["name"], marks=mark) for row, mark in zip(rows, marks, strict=True)]


BIF = [row for row in NETWORKS if ".bif" in row["file"]]


def same(one, other):
    assert one.graph == other.graph
    assert one.labels == other.labels
    for node, cpd in one.cpds.items():
        assert cpd.parents == other.cpds[node].parents
        assert np.abs(cpd.probabilities - other.cpds[node].probabilities).max() <= TOLERANCE


@pytest.mark.parametrize("row", NETWORKS, ids=lambda row: row["name"])
def test_nodes_arcs_and_parameters_are_as_many_as_the_index_says(row):
    path = data_file(row["file"])
    model = network_from_json(path) if path.suffix == ".json" else load(path)

    assert len(model.nodes) == int(row["nodes"])
    assert len(model.graph.edges) == int(row["arcs"])
    assert model.n_parameters == int(row["parameters"])
    assert max(map(len, model.labels.values()), default="") == (
        int(row["max_levels"]) if row["max_levels"] else ""
    )
    assert set(model.graph.directed) == set(true_graph(row["name"]).directed)


@pytest.mark.parametrize("ending", OF_TABLES)
@pytest.mark.parametrize("row", params(BIF))
def test_a_network_comes_back_from_every_format_of_tables(row, ending):
    model = load(data_file(row["file"]))
    model = model.numbered() if ending == ".uai" else model
    form = ENDINGS[ending]
    try:
        text = form.write(model)
    except DataError as error:
        assert ending == ".xdsl"
        assert "has another name; rename it" in str(error)  # noqa: PT017, either end will do
        return

    same(form.read(text), model)


@pytest.mark.parametrize("row", params(NETWORKS))
def test_a_network_of_any_kind_comes_back_from_our_json(row):
    path = data_file(row["file"])
    model = network_from_json(path) if path.suffix == ".json" else load(path)

    assert ENDINGS[".json"].read(ENDINGS[".json"].write(model)) == model


def test_the_first_parent_changes_fastest_in_the_json_files():
    model = network_from_json(data_file("networks/healthcare.json"))

    # "intercept": [0, 0, 0, 1, 4, 7] for the ages young, adult and old without, then with hospital stays.
    assert model.cpds["D"].parents == ("A", "H")
    assert model.cpds["D"].intercepts.tolist() == [[0, 1], [0, 4], [0, 7]]
    assert model.cpds["T"].coefficients == {"I": 1.02, "O": 1.05}
