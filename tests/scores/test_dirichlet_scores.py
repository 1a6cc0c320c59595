"""Dirichlet marginal likelihoods: hand calculations, urns, prior networks."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import FamilyScores
from structlearn.scores.bde import BDe, JointTable
from structlearn.scores.dirichlet import BDJ, K2, BDeu, BDs
from structlearn.statistics import from_dataset
from tests.oracles.reference_data import T1
from tests.statistics.test_counting import coded_tables, dataset_of

CHAIN = sl.Graph("ABC", directed=[("A", "B"), ("B", "C")])
BACKWARDS = sl.Graph("ABC", directed=[("C", "B"), ("B", "A")])
# P(A) = ½, P(B = A | A) = 0.8, P(C) = ½: the prior network of docs/references/scores.md#dirichlet-scores.
A_TO_B = JointTable(("C", "A", "B"), np.stack([[[0.2, 0.05], [0.05, 0.2]]] * 2))


def evidence_by_urn(codes, child, parents, prior):
    """Each row predicted from those before; `prior(state of the parents)` has prior rows per level."""
    seen = {}
    total = 0.0
    for row in codes:
        state = tuple(row[p] for p in parents)
        of_state = seen.setdefault(state, list(prior(state)))
        total += math.log(of_state[row[child]] / sum(of_state))
        of_state[row[child]] += 1.0
    return total


# From docs/references/scores.md#dirichlet-scores, families of T1.
@pytest.mark.parametrize(
    ("child", "parents", "expected"),
    [
        (0, (), -15.076004),
        (1, (), -15.171314),
        (1, (0,), -13.476956),
        (1, (0, 2), -13.649125),
        (2, (1,), -14.370774),
    ],
)
def test_k2_families_are_the_hand_calculated_ones(child, parents, expected):
    assert FamilyScores(K2(), from_dataset(T1)).local(child, parents) == pytest.approx(expected, abs=1e-6)


def test_k2_prefers_one_direction_of_a_chain():
    assert sl.score(CHAIN, T1, "k2") == pytest.approx(-42.923734, abs=1e-6)
    assert sl.score(BACKWARDS, T1, "k2") == pytest.approx(-42.932033, abs=1e-6)


@settings(deadline=None, max_examples=40)
@given(coded=coded_tables(), data=st.data())
def test_evidence_is_the_product_of_predictions_from_an_urn(coded, data):
    codes, levels = coded
    child, *parents = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(1, 4))]
    statistics = from_dataset(dataset_of(codes, levels))
    n_observed = len({tuple(row[p] for p in parents) for row in codes})
    cells = {K2(): 1.0, BDJ(): 0.5, BDs(ess=3): 3 / (levels[child] * n_observed)}

    for score, cell in cells.items():
        expected = evidence_by_urn(codes, child, parents, lambda *_, c=cell: [c] * levels[child])
        assert FamilyScores(score, statistics).local(child, parents) == pytest.approx(expected, abs=1e-8)


def test_bde_with_a_prior_network_is_the_hand_calculated_one():
    score = BDe(A_TO_B, ess=10)

    assert FamilyScores(score, from_dataset(T1)).local(1, [0]) == pytest.approx(-12.587219, abs=1e-6)
    assert sl.score(CHAIN, T1, score) == pytest.approx(-40.817875, abs=1e-6)


def test_bde_predicts_each_row_from_the_prior_and_the_rows_before():
    rng = np.random.default_rng(2)
    levels = [2, 3, 2]
    joint = rng.dirichlet(np.ones(12)).reshape(levels)
    codes = [tuple(row) for row in rng.integers(0, levels, size=(50, 3)).tolist()]
    families = FamilyScores(
        BDe(JointTable(("c0", "c1", "c2"), joint), ess=4), from_dataset(dataset_of(codes, levels))
    )

    for child, parents in [(0, []), (1, [0]), (2, [1, 0]), (0, [2])]:

        def prior(state, child=child, parents=parents):
            where = dict(zip(parents, state, strict=True))
            return [
                4
                * sum(
                    joint[x]
                    for x in itertools.product(*map(range, levels))
                    if x[child] == level and all(x[p] == s for p, s in where.items())
                )
                for level in range(levels[child])
            ]

        expected = evidence_by_urn(codes, child, parents, prior)
        assert families.local(child, parents) == pytest.approx(expected, abs=1e-9)


def test_bde_that_expects_all_states_alike_is_bdeu():
    uniform = BDe(JointTable("ABC", np.full((2, 2, 2), 1 / 8)), ess=7)

    assert sl.score(CHAIN, T1, uniform) == pytest.approx(sl.score(CHAIN, T1, BDeu(ess=7)), abs=1e-10)
    assert sl.score(CHAIN, T1, "bde") == sl.score(CHAIN, T1, "bdeu")


def test_a_state_that_the_prior_rules_out_scores_minus_infinity_where_it_occurs():
    joint = np.full((2, 2, 2), 1 / 6)
    joint[0, 1] = 0.0
    families = FamilyScores(BDe(JointTable("ABC", joint)), from_dataset(T1))

    assert families.local(1, [0]) == -np.inf
    assert np.isfinite(families.local(2, [0]))


def test_priors_that_do_not_fit_are_refused():
    for wrong in ([0.5, 0.6], [0.5, 0.4], [1.5, -0.5]):
        with pytest.raises(sl.OptionError, match="sum to 1"):
            JointTable("A", np.array(wrong))
    with pytest.raises(sl.OptionError, match="2 axes"):
        JointTable("A", np.full((2, 2), 0.25))
    with pytest.raises(sl.OptionError, match="no column 'C'"):
        sl.score(CHAIN, T1, BDe(JointTable("AB", np.full((2, 2), 0.25))))
    with pytest.raises(sl.OptionError, match="column 'A' has the state 1, and the prior knows 0 only"):
        sl.score(CHAIN, T1, BDe(JointTable("ABC", np.full((1, 2, 2), 1 / 4))))
    with pytest.raises(sl.OptionError, match="column 'A' has the state 1"):
        FamilyScores(
            BDe(JointTable("AB", [[0.5, 0.5]])), from_dataset(sl.Dataset({"A": [0, 1], "B": [0, 1]}))
        ).local(1, [0])
    for labels in ({"A": "xx"}, {"A": "x"}, {"B": "xy"}):
        with pytest.raises(
            sl.OptionError, match=r"labels has .* for 'A', and its axis needs 2 different ones"
        ):
            JointTable("A", np.array([0.5, 0.5]), labels)
    with pytest.raises(sl.OptionError, match="what is expected of the columns"):
        BDe(sl.GaussianGraphicalModel(sl.Graph("AB"), np.eye(2)))
    with pytest.raises(sl.OptionError, match="ess"):
        BDs(ess=0)


def test_states_of_a_prior_are_matched_by_label_also_those_that_the_data_lack():
    # The prior of the hand calculation with states turned round, as texts, and with one more for A.
    turned = np.zeros((2, 3, 2))
    turned[:, 1:] = A_TO_B.probabilities[:, ::-1, ::-1]
    labels = {"C": [0, 1], "A": ["2", "1", "0"], "B": [True, False]}
    score = BDe(JointTable(("C", "A", "B"), turned, labels), ess=10)

    assert FamilyScores(score, from_dataset(T1)).local(1, [0]) == pytest.approx(-12.587219, abs=1e-6)
    assert sl.score(CHAIN, T1, score) == pytest.approx(-40.817875, abs=1e-6)


def test_the_order_of_labels_does_not_change_what_a_published_network_expects():
    # Samples have the order of the model, texts are sorted.
    model = sl.example("earthquake")
    rows = model.sample(500, random_state=0)
    sorted_rows = sl.Dataset(rows.to_dict())
    score = BDe(prior=model, ess=10)

    assert rows.labels != sorted_rows.labels
    assert sl.score(model.graph, rows, score) == pytest.approx(
        sl.score(model.graph, sorted_rows, score), rel=1e-12
    )


def test_a_family_with_too_many_joint_states_is_refused_before_they_take_memory():
    names = [f"v{i}" for i in range(31)]
    model = sl.random_model(sl.Graph(names), levels=(2, 2), random_state=0)
    graph = sl.Graph(names, directed=[(name, "v30") for name in names[:-1]])

    with pytest.raises(sl.OptionError, match=r"'v30' with 30 parents has 2.1e\+09 joint states.*max_parents"):
        sl.score(graph, model.sample(20, random_state=0), BDe(prior=model))


def test_a_search_takes_a_prior_network():
    weak, strong = BDe(A_TO_B, ess=1), BDe(A_TO_B, ess=10)

    found = sl.HillClimbing(score=strong).fit(T1)

    assert found.score_ == pytest.approx(sl.score(found.graph_, T1, strong), abs=1e-9)
    assert found.score_ > sl.score(found.graph_, T1, weak)
