"""A table of fifty rows with gaps, and four items with a hidden cause: worked likelihoods and searches.

The numbers are in docs/references/models.md#gaps.
"""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.gaps.completions import Completions
from structlearn.models import TableCPD, expectation_maximisation
from structlearn.run import Run

CELLS = {"00": 10, "01": 4, "10": 3, "11": 8, "0?": 5, "1?": 10, "?0": 4, "?1": 6}
ROWS = [[None if state == "?" else state for state in cell] for cell, n in CELLS.items() for _ in range(n)]
TABLE = {"A": [a for a, _ in ROWS], "B": [b for _, b in ROWS]}
ARC, EMPTY = sl.Graph("AB", directed=["AB"]), sl.Graph("AB")


def even(family, _given, _rng):
    if family.parents:
        return TableCPD(np.full((2, 2), 0.5), labels=["0", "1"], parents=["A"])
    return TableCPD([0.5, 0.5], labels=["0", "1"])


def test_from_even_tables_the_likelihood_climbs_by_the_known_steps(monkeypatch):
    monkeypatch.setattr(expectation_maximisation, "_start", even)
    model = sl.BayesianNetwork(ARC).fit(TABLE, missing="em")

    steps = model.em_.log_likelihoods
    assert steps[:4] == pytest.approx([-51.986039, -50.068034, -49.533553, -49.383933], abs=1e-6)
    assert steps[-1] == pytest.approx(-49.327192, abs=2e-6)
    joint = model.cpds["A"].probabilities[:, None] * model.cpds["B"].probabilities
    assert joint.ravel() == pytest.approx([0.3265267, 0.1417726, 0.1333646, 0.3983360], abs=1e-4)


def test_without_an_arc_each_column_has_the_shares_of_its_own_rows():
    model = sl.BayesianNetwork(EMPTY).fit(TABLE, missing="em")

    assert model.cpds["A"].probabilities[0] == pytest.approx(0.475, abs=1e-4)
    assert model.cpds["B"].probabilities[0] == pytest.approx(0.4857143, abs=1e-4)
    assert model.em_.log_likelihoods[-1] == pytest.approx(-51.921730, abs=2e-6)
    assert model.em_.log_likelihoods[-1] - np.log(50) == pytest.approx(-55.833753, abs=2e-6)


@pytest.mark.parametrize("method", [sl.HillClimbing, sl.BOSS, sl.GreedyEquivalence])
def test_rounds_that_would_stay_without_an_arc_end_with_it(method):
    """Expected counts of the empty graph favour it, -73.143804 to -73.837410; the table favours the arc."""
    learner = method(missing="em", score="bic").fit(TABLE)

    assert len(learner.graph_.edges) == 1
    assert learner.score_ == pytest.approx(-55.195226, abs=1e-5)


COUNTS = [257, 29, 112, 17, 47, 8, 28, 21, 68, 15, 46, 46, 24, 32, 78, 172]
ITEMS = [name for name, n in zip((f"{i:04b}" for i in range(16)), COUNTS, strict=True) for _ in range(n)]
OF_ITEMS = {f"item{j}": [cell[j] for cell in ITEMS] for j in range(4)}


def test_two_classes_of_four_items_have_the_known_sizes_and_shares():
    alone = sl.BayesianNetwork(sl.Graph(list(OF_ITEMS))).fit(OF_ITEMS)
    graph = sl.Graph(["class", *OF_ITEMS], directed=[("class", name) for name in OF_ITEMS])
    start = TableCPD([[0.3, 0.7], [0.7, 0.3]], labels=["0", "1"], parents=["class"])
    given = {"class": TableCPD([0.5, 0.5], labels=["0", "1"]), **dict.fromkeys(OF_ITEMS, start)}
    classes = sl.BayesianNetwork(graph, given).fit(OF_ITEMS, missing="em")

    assert alone.log_likelihood(OF_ITEMS) == pytest.approx(-2702.665998, abs=1e-5)
    found = classes.em_.log_likelihoods[-1]
    assert found == pytest.approx(-2360.393039, abs=1e-3)
    assert found - 4.5 * np.log(1000) == pytest.approx(-2391.477938, abs=1e-3)
    assert classes.cpds["class"].probabilities == pytest.approx([0.3999, 0.6001], abs=2e-3)
    shares = np.array([classes.cpds[name].probabilities[:, 1] for name in OF_ITEMS]).T
    assert shares[0] == pytest.approx([0.9009, 0.7993, 0.8490, 0.7017], abs=2e-3)
    assert shares[1] == pytest.approx([0.2012, 0.1506, 0.3007, 0.0989], abs=2e-3)


def test_rounds_from_the_empty_graph_alone_would_stay_there():
    """The expected counts under the empty graph, and what they say of the arc."""
    model = sl.BayesianNetwork(EMPTY).fit(TABLE, missing="em")
    a, b = (model.cpds[name].probabilities for name in "AB")
    counts = np.array([[10.0, 4.0], [3.0, 8.0]]) + np.outer([5, 10], b) + np.outer(a, [4, 6])

    def expected(table):
        shares = table / table.sum(axis=-1, keepdims=True)
        return float((table * np.log(shares)).sum())

    assert counts.ravel() == pytest.approx([14.328571, 9.421429, 9.957143, 16.292857], abs=1e-3)
    of_a, of_b = expected(counts.sum(axis=1)), expected(counts.sum(axis=0))
    assert of_a + expected(counts) - 1.5 * np.log(50) == pytest.approx(-73.837410, abs=1e-3)
    assert of_a + of_b - np.log(50) == pytest.approx(-73.143804, abs=1e-3)
    completions = Completions.of(sl.Dataset(TABLE), Run("test"))
    weighted = completions.weighted_by(model)
    for graph, score in ((ARC, -73.837410), (EMPTY, -73.143804)):
        assert sl.score(graph, weighted) == pytest.approx(score, abs=1e-3)


@pytest.mark.parametrize("options", [{"missing": "em"}, {"missing": "familywise", "score": "pnal"}])
def test_rows_without_any_value_are_left_out_with_their_number(options):
    longer = {name: [*column, *[None] * 30] for name, column in TABLE.items()}

    plain, found = (sl.HillClimbing(**options).fit(table) for table in (TABLE, longer))

    assert found.score_ == pytest.approx(plain.score_, abs=1e-9)
    assert "30 rows without any value left out." in found.status_
    assert "left out" not in plain.status_
