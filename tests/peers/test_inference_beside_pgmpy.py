"""Posteriors and explanations of public networks are those of pgmpy."""

import pytest

import structlearn as sl
from tests.data_files import data_file
from tests.peers.library import library
from tests.peers.questions import random_questions

inference = library("pgmpy.inference")
formats = library("pgmpy.readwrite")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_posteriors_and_explanations_are_those_of_pgmpy(name):
    path = data_file(f"networks/{name}.bif")
    model, peer = sl.load(path), inference.VariableElimination(formats.BIFReader(str(path)).get_model())

    for node, evidence in random_questions(model, 10, 1):
        theirs = peer.query([node], evidence=evidence, show_progress=False)
        found = model.query(node, evidence)
        for label in model.labels[node]:
            assert found[label] == pytest.approx(theirs.get_value(**{node: label}), abs=1e-8)


def test_the_most_probable_explanation_is_as_probable_as_pgmpys():
    path = data_file("networks/asia.bif")
    model, peer = sl.load(path), inference.VariableElimination(formats.BIFReader(str(path)).get_model())
    evidence = {"xray": "yes", "dysp": "yes"}
    others = [node for node in model.nodes if node not in evidence]

    theirs = peer.map_query(others, evidence=evidence, show_progress=False)

    best = model.map(evidence=evidence)
    row = {**evidence, **theirs}
    assert best.log_probability == pytest.approx(model.log_likelihood({k: [v] for k, v in row.items()}))
