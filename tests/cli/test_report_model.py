"""The report of a small discrete network comes with a model; others come without."""

import numpy as np
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.cli.report_model import small_network
from structlearn.data import DiscreteColumn


def coins(n_columns, n_rows=30, levels=2):
    rng = np.random.default_rng(0)
    labels = tuple(range(levels))
    return sl.Dataset.from_columns(
        [
            DiscreteColumn(f"c{k}", rng.integers(0, levels, n_rows).astype(np.uint8), labels)
            for k in range(n_columns)
        ]
    )


def fan(n_parents):
    """A node with so many parents."""
    return sl.Graph(
        [f"c{k}" for k in range(n_parents + 1)], directed=[(f"c{k}", "c0") for k in range(1, n_parents + 1)]
    )


def ring():
    names = [f"c{k}" for k in range(4)]
    return sl.Graph(names, undirected=[(names[k], names[(k + 1) % 4]) for k in range(4)])


def test_the_model_has_one_pseudo_row_for_each_table():
    data, graph = coins(3), fan(2)

    assert small_network(graph, data) == sl.BayesianNetwork(graph).fit(data, smoothing=1.0)


def test_a_class_of_graphs_is_taken_by_one_of_its_dags():
    graph = sl.Graph(["c0", "c1"], undirected=[("c0", "c1")])

    assert small_network(graph, coins(2)).graph.is_dag


@pytest.mark.parametrize(
    ("graph", "data"),
    [
        (fan(2), None),
        (fan(40), coins(41)),
        (fan(14), coins(15)),
        (fan(1), sl.Dataset({"c0": [0.5, 1.5, 2.5], "c1": ["a", "b", "a"]})),
        (fan(1), sl.Dataset({"c0": ["a", None, "b"], "c1": ["a", "b", "a"]})),
        (fan(1), coins(3)),
        (ring(), coins(4)),
    ],
    ids=["no data", "many nodes", "a large table", "numbers", "gaps", "other columns", "no DAG"],
)
def test_no_model_is_made_of(graph, data):
    assert small_network(graph, data) is None


def test_the_page_of_a_discrete_table_shows_beliefs_and_that_of_numbers_does_not(tmp_path):
    page = tmp_path / "page.html"
    for table, shown in (("example:cancer", True), ("example:linnerud", False)):
        done = CliRunner().invoke(app, ["learn", table, "--method", "hill-climbing", "--report", str(page)])

        assert done.exit_code == 0, done.output
        assert ('class="beliefs"' in page.read_text(encoding="utf-8")) is shown


def test_a_report_of_resampled_experiments_tells_of_no_rows_as_if_nothing_was_set(tmp_path):
    table, page = tmp_path / "experiments.csv", tmp_path / "page.html"
    acted = [200, sl.Experiment(100, do={"Smoker": "True"})]
    sl.sample(sl.example("cancer"), acted, random_state=0).save(table)
    flags = ["--targets", "targets", "-m", "hill-climbing", "--confidence", "3", "--report", str(page)]

    result = CliRunner().invoke(app, ["learn", str(table), *flags])

    assert result.exit_code == 0, result.output
    written = page.read_text(encoding="utf-8")
    assert 'id="model"' in written
    assert "Log-likelihood of these rows" not in written
