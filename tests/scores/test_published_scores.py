"""Scores that others have published or worked out, for tables beside the repository."""

import json
import math

import pytest

import structlearn as sl
from structlearn.scores import BDeu, BDs
from tests.data_files import data_file

LEARNING = {"B": "A", "D": "AC", "E": "BF"}
ASIA = {"T": "A", "L": "S", "B": "S", "D": "BE", "E": "TL", "X": "E"}
GAUSSIAN = {"C": "AB", "D": "B", "F": "ADEG"}
SCORES = {"BIC": "bic", "AIC": "aic", "K2": "k2", "BDeu ess=10": BDeu(10), "BDeu ess=25": BDeu(25)}


def graph_of(nodes, families):
    return sl.Graph(nodes, directed=[(u, v) for v, parents in families.items() for u in parents])


# From docs/references/scores.md#likelihood-aic-and-bic and #description-length and #dirichlet-scores and
# #gaussian-scores.
@pytest.mark.parametrize(
    ("table", "families", "score", "expected"),
    [
        ("learning.test", LEARNING, "loglik", -23832.131772),
        ("learning.test", LEARNING, "aic", -23873.131772),
        ("learning.test", LEARNING, "bic", -24006.734232),
        ("learning.test", LEARNING, "mdl", -34660.304944 * math.log(2)),
        ("learning.test", LEARNING, "bdeu", -24028.094778),
        ("learning.test", LEARNING, BDeu(10), -23967.649625),
        ("learning.test", LEARNING, "k2", -23958.695338),
        ("asia", ASIA, "loglik", -11033.087134),
        ("asia", ASIA, "bic", -11109.741872),
        ("asia", ASIA, BDeu(10), -11142.014366),
        ("asia", ASIA, "k2", -11110.151719),
        ("gaussian.test", GAUSSIAN, "loglik", -53131.915159),
        ("gaussian.test", GAUSSIAN, "bic-g", -53221.345687),
        ("gaussian.test", GAUSSIAN, "bge", -53258.941618),
    ],
)
def test_networks_of_public_tables_score_as_in_the_references(table, families, score, expected):
    data = sl.Dataset(data_file(f"tables/{table}.csv"))

    assert sl.score(graph_of(data.names, families), data, score) == pytest.approx(expected, abs=1e-5)


def test_small_tables_score_as_in_another_library():
    """Discrete values of the unit tests of pgmpy, each confirmed by its definition."""
    reference = json.loads(data_file("reference/small_scores.json").read_text())
    n_checked = 0
    for case in reference["discrete"]:
        if not case["agrees"] or case["score"] not in SCORES:
            continue
        inline = case["data"] in reference
        table = reference[case["data"]] if inline else data_file(case["data"])
        names = list(table) if inline else ["Survived", "Sex", "Pclass"]
        data = sl.Dataset(table, kinds=dict.fromkeys(names, "discrete"))
        graph = sl.Graph(names, directed=[tuple(arc) for arc in case["arcs"]])
        assert sl.score(graph, data, SCORES[case["score"]]) == pytest.approx(case["expected"], abs=1e-8)
        n_checked += 1
    assert n_checked == 12


def test_bds_scores_as_in_another_library_but_for_its_prior_of_graphs():
    reference = json.loads(data_file("reference/small_scores.json").read_text())
    case = next(case for case in reference["discrete"] if case["score"].startswith("BDs") and case["agrees"])
    table = reference[case["data"]]
    data = sl.Dataset(table, kinds=dict.fromkeys(table, "discrete"))
    graph = sl.Graph(table, directed=[tuple(arc) for arc in case["arcs"]])
    log_prior = 2 * math.log(1 / 4) + 4 * math.log(1 / 2)  # two arcs, four pairs without one

    assert sl.score(graph, data, BDs()) + log_prior == pytest.approx(case["expected"], abs=1e-8)


def test_gaussian_families_score_as_in_another_library():
    reference = json.loads(data_file("reference/small_scores.json").read_text())["gaussian"]
    rows = sl.Dataset(data_file("tables/gaussian.test.csv")).take(range(100))
    for name, expected in reference["network_scores"]["BIC"].items():
        arcs = [tuple(arc.split("->")) for arc in name.split(",")]
        graph = sl.Graph("ABC", directed=arcs)
        assert sl.score(graph, rows, "bic") == pytest.approx(expected, abs=1e-3)
        aic = reference["network_scores"]["AIC"][name]
        assert sl.score(graph, rows, "aic") == pytest.approx(aic, abs=1e-3)
