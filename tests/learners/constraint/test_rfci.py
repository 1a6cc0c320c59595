"""RFCI: the PAG of FCI from an oracle but for the classes in which the second stage removes an edge."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.outcome import Separation
from tests.learners.constraint.test_fci import HIDDEN, Scripted, n_wrong, sample, with_hidden

SMALLEST = sl.Graph(
    "01234", edges=["0 --> 3", "0 --> 4", "3 --> 1", "4 --> 2", "1 <-> 4", "2 <-> 3"], kind="MAG"
)


@pytest.fixture
def every_subset(monkeypatch):
    """An oracle that has to be asked about one set after the other, as data have to be."""
    monkeypatch.delattr("structlearn.independence.separation_oracle.SeparationOracle.separators")


@pytest.mark.parametrize("with_lines", [True, False], ids=["with selection", "without"])
def test_an_oracle_gives_the_pag_of_every_class_of_four_nodes(with_lines):
    assert n_wrong(sl.RFCI(selection=with_lines), 4, with_lines=with_lines, each=2) == 0


@pytest.mark.slow
@pytest.mark.usefixtures("every_subset")
def test_60_classes_of_five_nodes_keep_an_edge_that_fci_removes():
    assert n_wrong(sl.RFCI(), 5, with_lines=True) == 60


@pytest.mark.usefixtures("every_subset")
def test_the_smallest_graph_that_needs_the_second_stage_has_one_edge_more():
    pag = sl.FCI().fit(sl.Oracle(SMALLEST)).graph_
    found = sl.RFCI().fit(sl.Oracle(SMALLEST)).graph_

    assert found.edge("1", "2").kind == "bidirected"
    assert found == sl.Graph(pag.nodes, edges=[*pag.edges, ("1", "<->", "2")])


@pytest.mark.usefixtures("every_subset")
@pytest.mark.parametrize(
    "seed", [*range(10), *(pytest.param(s, marks=pytest.mark.slow) for s in range(10, 210))]
)
def test_no_mark_contradicts_the_mag_of_a_dag_with_hidden_nodes(seed):
    dag, latent = with_hidden(6 + seed % 4, seed)
    mag = dag.to_mag(latent=latent)

    found = sl.RFCI().fit(sl.Oracle(dag, latent=latent)).graph_

    joined = {frozenset(pair) for pair in found.skeleton().undirected}
    assert joined >= {frozenset(pair) for pair in mag.skeleton().undirected}
    above = {node: set(dag.ancestors(node)) for node in dag.nodes}
    for edge in found.edges:
        for node, other in ((edge.source, edge.target), (edge.target, edge.source)):
            is_cause = node in above[other]
            assert edge.mark_at(node) in (("o", "-") if is_cause else ("o", ">"))


def test_rows_of_a_hidden_common_cause_give_its_arc():
    learner = sl.RFCI(alpha=0.01).fit(sample(HIDDEN, "u", 2000))

    assert learner.graph_ == sl.FCI().fit(sl.Oracle(HIDDEN, latent="u")).graph_
    assert learner.mark_evidence_["d", "c"].rule == "R0"


A, B, C, D, E = range(5)
# Of a, b, c, the set d, e separates a and b too, but no level tries it: they are neighbours of c alone.
TOLD = {(A, D): (), (A, E): (), (B, D): (), (B, E): (), (A, C): (D, E), (A, B): (D, E)}


def five_columns():
    return dict(zip("abcde", np.random.default_rng(0).normal(size=(5, 50)), strict=True))


def test_an_edge_of_a_triple_that_is_independent_given_its_separator_goes():
    learner = sl.RFCI(test=Scripted(TOLD)).fit(five_columns())

    assert learner.graph_.edge("a", "b") is None
    assert learner.separating_sets_["b", "a"].given == ("d", "e")
    assert sl.FCI(test=Scripted(TOLD), max_pds=0).fit(five_columns()).graph_.edge("a", "b") is not None


def test_the_set_of_an_edge_that_goes_is_as_small_as_it_can_be():
    class AlsoByOne(Scripted):
        def many(self, statistics, questions):
            found = super().many(statistics, questions)
            found.p_value[(questions == [A, B, E]).all(axis=1) if questions.shape[1] == 3 else []] = 0.5
            return found

    learner = sl.RFCI(test=AlsoByOne(TOLD)).fit(five_columns())

    assert learner.separating_sets_["a", "b"] == Separation(("e",), 0.5)


def test_an_edge_that_has_to_stay_is_not_tested_again():
    knowledge = sl.Knowledge(required=[("a", "b")])

    found = sl.RFCI(test=Scripted(TOLD), knowledge=knowledge).fit(five_columns()).graph_

    assert found.edge("a", "b").kind == "directed"
