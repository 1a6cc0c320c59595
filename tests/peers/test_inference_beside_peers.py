"""Posteriors of public networks are those of pyAgrum and pgmpy."""

import numpy as np
import pytest

import structlearn as sl
from tests.data_files import data_file

pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]
NETWORKS = ["asia", "alarm", "insurance", "hailfinder", "andes"]


def random_questions(model, n, seed):
    """A node and the states of up to five others in a row drawn from the network."""
    rng = np.random.default_rng(seed)
    rows = model.sample(n, random_state=seed).to_dict()
    for k in range(n):
        name, *others = rng.permutation(list(model.nodes))[: rng.integers(1, 7)].tolist()
        yield name, {other: rows[other][k] for other in others}


@pytest.mark.parametrize("name", NETWORKS)
def test_posteriors_are_those_of_pyagrum(name):
    gum = pytest.importorskip("pyagrum", reason="needs the `bench` extra")
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


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_posteriors_and_explanations_are_those_of_pgmpy(name):
    pytest.importorskip("pgmpy", reason="needs the `bench` extra")
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    path = data_file(f"networks/{name}.bif")
    model, peer = sl.load(path), VariableElimination(BIFReader(str(path)).get_model())

    for node, evidence in random_questions(model, 10, 1):
        theirs = peer.query([node], evidence=evidence, show_progress=False)
        found = model.query(node, evidence)
        for label in model.labels[node]:
            assert found[label] == pytest.approx(theirs.get_value(**{node: label}), abs=1e-8)


def test_the_most_probable_explanation_is_as_probable_as_pgmpys():
    pytest.importorskip("pgmpy", reason="needs the `bench` extra")
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    path = data_file("networks/asia.bif")
    model, peer = sl.load(path), VariableElimination(BIFReader(str(path)).get_model())
    evidence = {"xray": "yes", "dysp": "yes"}
    others = [node for node in model.nodes if node not in evidence]

    theirs = peer.map_query(others, evidence=evidence, show_progress=False)

    best = model.map(evidence=evidence)
    row = {**evidence, **theirs}
    assert best.log_probability == pytest.approx(model.log_likelihood({k: [v] for k, v in row.items()}))
