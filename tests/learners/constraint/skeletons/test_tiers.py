"""What is later than two columns does not separate them, and is not asked about."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence import Answers
from structlearn.learners.constraint.skeletons.tiers import Lists, Tiers

NAMES = tuple("abcde")
KNOWN = Knowledge(tiers=[["a", "b"], ["c"], ["d"]])  # e is free


def test_lists_lose_what_is_not_allowed():
    links = Links(4, lines=[(0, 1), (0, 2), (0, 3), (1, 3)])

    lists = Lists.within(links, np.array([True, False, True, True]))

    assert [lists.neighbors(node).tolist() for node in range(4)] == [[2, 3], [0, 3], [0], [0]]


def test_pairs_are_grouped_by_the_later_of_their_tiers_and_free_ones_see_all():
    pairs = np.array([(0, 1), (0, 2), (2, 3), (1, 4)])
    found = {
        tuple(places.tolist()): "".join(np.array(list(NAMES))[is_allowed])
        for places, is_allowed in Tiers(NAMES, KNOWN).groups(pairs)
    }

    assert found == {(0,): "abe", (1,): "abce", (2, 3): "abcde"}


class Dependent:
    """Everything depends on everything; what was asked is kept."""

    def __init__(self):
        self.asked = set()

    def many(self, _, questions):
        self.asked |= {tuple(question) for question in questions.tolist()}
        nothing = np.zeros(len(questions))
        return Answers(nothing, nothing, nothing)


@pytest.mark.parametrize("learner", [sl.FCI, sl.RFCI])
@pytest.mark.parametrize("selection", [True, False])
def test_nothing_later_is_conditioned_on_unless_rows_may_be_selected(learner, selection):
    test = Dependent()
    rows = dict(zip(NAMES, np.random.default_rng(0).normal(size=(5, 40)), strict=True))

    learner(test=test, knowledge=KNOWN, selection=selection).fit(rows)

    given_of_ab = {node for question in test.asked if question[:2] == (0, 1) for node in question[2:]}
    given_of_ae = {node for question in test.asked if question[:2] == (0, 4) for node in question[2:]}
    assert given_of_ab == ({2, 3, 4} if selection else {4})
    assert given_of_ae == {1, 2, 3}


@pytest.mark.parametrize("seed", range(8))
def test_with_true_tiers_an_oracle_gives_the_same_edges_and_no_wrong_mark(seed):
    dag = sl.random_dag(8, expected_degree=3, random_state=seed)
    order = [node for node in dag.topological_order() if node not in dag.nodes[:2]]
    tiers = Knowledge(tiers=[order[:2], order[2:4], order[4:]])
    oracle = sl.Oracle(dag, latent=dag.nodes[:2])
    mag = dag.to_mag(latent=dag.nodes[:2])

    found = sl.FCI(selection=False, knowledge=tiers).fit(oracle).graph_

    assert found.skeleton() == mag.skeleton()
    for edge in found.edges:
        true = mag.edge(edge.source, edge.target) or mag.edge(edge.target, edge.source)
        assert all(edge.mark_at(node) in ("o", true.mark_at(node)) for node in (edge.source, edge.target))
    free = sl.FCI(selection=False).fit(oracle).graph_
    n_circles, n_free = (sum(e.marks.count("o") for e in graph.edges) for graph in (found, free))
    assert n_circles <= n_free
