"""Structure priors: worked examples, brute force over all DAGs of three nodes."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import BIC, FamilyScores, GaussianBIC
from structlearn.scores.structure_priors import NearGraph, ShortCode, UniformPrior, WithStructurePrior
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1

A_TO_B = sl.Graph("ABC", directed=[("A", "B")])


# From docs/references/scores.md#priors-of-graphs, with the prior graph A → B.
@pytest.mark.parametrize(
    ("arcs", "n_different"),
    [([("A", "B"), ("B", "C")], 1), ([("B", "A")], 2), ([], 1), ([("A", "B")], 0)],
)
def test_every_different_arc_costs_the_same(arcs, n_different):
    graph = sl.Graph("ABC", directed=arcs)

    assert sl.score(graph, T1, NearGraph(A_TO_B, kappa=0.2)) == pytest.approx(n_different * math.log(0.2))


def test_differences_are_counted_by_name_for_every_dag():
    statistics = from_dataset(T1)
    expected = sl.Graph("CBA", directed=[("C", "A"), ("A", "B")])
    prior = FamilyScores(NearGraph(expected, kappa=0.5), statistics)
    for parents in oracle.all_parent_choices(3):
        arcs = {("ABC"[u], "ABC"[v]) for v, members in enumerate(parents) for u in members}
        n_different = len(arcs ^ {("C", "A"), ("A", "B")})
        assert prior.total(parents) == pytest.approx(n_different * math.log(0.5), abs=1e-12)


def test_code_lengths_are_the_hand_calculated_ones():
    chain = sl.Graph("ABC", directed=[("A", "B"), ("B", "C")])
    bits = [sl.score(graph, T1, ShortCode()) / -math.log(2) for graph in (sl.Graph("ABC"), chain)]

    assert bits == pytest.approx([4.754888, 7.924813], abs=1e-6)


def test_a_tight_code_numbers_only_sets_without_the_child():
    statistics = from_dataset(T1)

    found = FamilyScores(ShortCode(tight=True), statistics).local(0, [1, 2])

    assert found == pytest.approx(-math.log(3))  # the number of parents is the only choice


def test_a_strong_prior_wins_over_the_data():
    statistics = from_dataset(T1)
    families = FamilyScores(WithStructurePrior(BIC(), NearGraph(A_TO_B, kappa=1e-9)), statistics)
    totals = {parents: families.total(parents) for parents in oracle.all_parent_choices(3)}
    posterior = np.exp(np.array(list(totals.values())) - max(totals.values()))

    assert max(totals, key=totals.get) == ((), (0,), ())
    assert posterior.max() / posterior.sum() > 0.999


def test_a_uniform_prior_changes_nothing():
    assert sl.score(A_TO_B, T1, WithStructurePrior(BIC(), UniformPrior())) == sl.score(A_TO_B, T1, BIC())
    assert sl.score(A_TO_B, T1, WithStructurePrior(BIC(), NearGraph(A_TO_B, kappa=1))) == sl.score(
        A_TO_B, T1, BIC()
    )


def test_a_search_with_a_prior_finds_the_best_of_all_dags():
    score = WithStructurePrior(BIC(), NearGraph(sl.Graph("ABC", directed=[("C", "A")]), kappa=0.3))
    families = FamilyScores(score, from_dataset(T1))

    best = max(families.total(parents) for parents in oracle.all_parent_choices(3))

    assert sl.HillClimbing(score=score).fit(T1).score_ == pytest.approx(best, abs=1e-9)


def test_a_score_with_a_prior_takes_what_the_score_takes():
    with pytest.raises(sl.DataError, match="takes continuous columns"):
        sl.score(A_TO_B, T1, WithStructurePrior(GaussianBIC(), UniformPrior()))


def test_priors_that_make_no_sense_are_refused():
    with pytest.raises(sl.OptionError, match="leaves no choice"):
        NearGraph(A_TO_B, kappa=0)
    with pytest.raises(sl.OptionError, match="kappa"):
        NearGraph(A_TO_B, kappa=1.5)
    with pytest.raises(sl.OptionError, match="has to be a DAG"):
        NearGraph(sl.Graph("AB", undirected=[("A", "B")]), kappa=0.5)
    with pytest.raises(sl.OptionError, match="'D' is a node of the graph or a column, and not both"):
        sl.score(A_TO_B, T1, NearGraph(sl.Graph("ABCD"), kappa=0.5))
    with pytest.raises(sl.OptionError, match="score is a score"):
        WithStructurePrior("bic", UniformPrior())


def test_an_unknown_way_to_number_parents_is_refused():
    with pytest.raises(sl.OptionError, match=r"ShortCode\(tight='very'\)"):
        ShortCode(tight="very")
