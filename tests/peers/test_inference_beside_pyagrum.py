"""Posteriors of public networks are those of pyAgrum."""

import pytest

import structlearn as sl
from tests.data_files import data_file
from tests.peers.library import library
from tests.peers.questions import random_questions

gum = library("pyagrum")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]
NETWORKS = ["asia", "alarm", "insurance", "hailfinder", "andes"]


@pytest.mark.parametrize("name", NETWORKS)
def test_posteriors_are_those_of_pyagrum(name):
    path = data_file(f"networks/{name}.bif")
    model, peer = sl.load(path), gum.LazyPropagation(gum.loadBN(str(path)))

    for node, evidence in random_questions(model, 40 if name == "andes" else 100, 0):
        peer.setEvidence({other: str(state) for other, state in evidence.items()})
        peer.setTargets({node})
        peer.makeInference()
        theirs = peer.posterior(node)
        labels = [theirs.variable(0).label(k) for k in range(theirs.variable(0).domainSize())]
        found = model.query(node, evidence)
        # pyAgrum reads the numbers of a BIF file in single precision.
        for label, probability in zip(labels, theirs.toarray(), strict=True):
            assert found[label] == pytest.approx(probability, abs=1e-6)
