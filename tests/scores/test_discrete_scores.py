"""Discrete scores: definitions, hand calculations, equivalence, decomposition."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import BIC, BDeu, FamilyScores
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1
from tests.statistics.test_counting import coded_tables, dataset_of

CHAIN = sl.Graph("ABC", directed=[("A", "B"), ("B", "C")])
COLLIDER = sl.Graph("ABC", directed=[("A", "B"), ("C", "B")])
COMPLETE = sl.Graph("ABC", directed=[("A", "B"), ("B", "C"), ("A", "C")])
EMPTY = sl.Graph("ABC")


# Totals of T1, from docs/references/scores.md#likelihood-aic-and-bic.
@pytest.mark.parametrize(
    ("graph", "expected"),
    [(EMPTY, -45.982262), (CHAIN, -44.682228), (COLLIDER, -46.869229), (COMPLETE, -47.443079)],
    ids=["empty", "chain", "collider", "complete"],
)
def test_bic_of_three_binary_columns_is_the_hand_calculated_one(graph, expected):
    assert sl.score(graph, T1, "bic") == pytest.approx(expected, abs=1e-6)


# From docs/references/scores.md#dirichlet-scores, families of T1: (child, parents), ESS 1, ESS 10.
@pytest.mark.parametrize(
    ("child", "parents", "one", "ten"),
    [
        (0, (), -15.499012, -14.359884),
        (1, (), -15.599096, -14.428877),
        (1, (0,), -14.842648, -13.192550),
        (1, (0, 2), -17.961901, -13.480260),
        (2, (1,), -15.912636, -13.870771),
    ],
)
def test_bdeu_families_are_the_hand_calculated_ones(child, parents, one, ten):
    statistics = from_dataset(T1)
    assert FamilyScores(BDeu(), statistics).local(child, parents) == pytest.approx(one, abs=1e-6)
    assert FamilyScores(BDeu(ess=10), statistics).local(child, parents) == pytest.approx(ten, abs=1e-6)


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_families_score_by_their_definition(coded, data):
    codes, levels = coded
    child, *parents = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(1, 4))]
    statistics = from_dataset(dataset_of(codes, levels))

    bic = FamilyScores(BIC(), statistics).local(child, parents)
    bdeu = FamilyScores(BDeu(ess=2.5), statistics).local(child, parents)

    assert bic == pytest.approx(oracle.bic(codes, levels, child, parents), abs=1e-9)
    assert bdeu == pytest.approx(oracle.bdeu_by_urn(codes, levels, child, parents, 2.5), abs=1e-8)


@settings(deadline=None, max_examples=20)
@given(coded=coded_tables())
def test_integer_weights_score_like_repeated_rows(coded):
    codes, levels = coded
    weights = [1 + i % 3 for i in range(len(codes))]
    repeated = [row for row, n in zip(codes, weights, strict=True) for _ in range(n)]
    weighted = from_dataset(dataset_of(codes, levels, np.array(weights, dtype=float)))
    plain = from_dataset(dataset_of(repeated, levels))

    for score in (BIC(), BDeu()):
        expected = FamilyScores(score, plain).local(0, [1, 2])
        assert FamilyScores(score, weighted).local(0, [1, 2]) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("score", [BIC(), BDeu(), BDeu(ess=10)], ids=str)
def test_equivalent_dags_have_equal_scores(score):
    rng = np.random.default_rng(3)
    codes = [tuple(row) for row in rng.integers(0, [2, 3, 2, 4], size=(60, 4)).tolist()]
    families = FamilyScores(score, from_dataset(dataset_of(codes, [2, 3, 2, 4])))
    by_class = {}
    for parents in oracle.all_parent_choices(4):
        arcs = [(f"c{u}", f"c{v}") for v, members in enumerate(parents) for u in members]
        cpdag = sl.Graph([f"c{v}" for v in range(4)], directed=arcs).to_cpdag()
        by_class.setdefault(cpdag, []).append(families.total(parents))

    assert len(by_class) == 185  # the number of classes of four nodes
    assert max(max(totals) - min(totals) for totals in by_class.values()) < 1e-9


def test_toggles_are_differences_of_scores_whatever_was_asked_before():
    rng = np.random.default_rng(4)
    codes = [tuple(row) for row in rng.integers(0, 3, size=(80, 5)).tolist()]
    levels = [3] * 5
    remembering = FamilyScores(BIC(), from_dataset(dataset_of(codes, levels)))
    remembering.toggles_without_parents()
    for parents in itertools.chain.from_iterable(itertools.combinations([0, 1, 3, 4], k) for k in range(4)):
        gains = remembering.toggles(2, parents)
        now = oracle.bic(codes, levels, 2, parents)
        for u in (0, 1, 3, 4):
            toggled = set(parents) ^ {u}
            assert gains[u] == pytest.approx(oracle.bic(codes, levels, 2, sorted(toggled)) - now, abs=1e-9)


def test_a_cpdag_scores_as_the_dags_it_stands_for():
    assert sl.score(CHAIN.to_cpdag(), T1, "bdeu") == pytest.approx(sl.score(CHAIN, T1, "bdeu"), abs=1e-12)
