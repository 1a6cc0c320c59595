"""Fisher's z and Student's t: regression residuals, hand calculations, scipy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import structlearn as sl
from structlearn.independence.exact_t import ExactT
from structlearn.independence.fisher_z import FisherZ
from structlearn.independence.partial_correlation import correlations_given
from structlearn.statistics import from_dataset
from tests.oracles import independence as oracle
from tests.oracles.reference_data import T3


def statistics_of(rows):
    return from_dataset(sl.Dataset({f"c{j}": rows[:, j] for j in range(rows.shape[1])}))


def test_three_columns_have_the_hand_calculated_statistics():
    statistics = from_dataset(T3)

    given_z = FisherZ().many(statistics, np.array([[0, 1, 2]]))
    alone = FisherZ().many(statistics, np.array([[0, 1]]))

    # From docs/references/independence.md#partial-correlations: partial correlation 0.9818892.
    assert correlations_given(statistics, np.array([[0, 1, 2]])).rho[0] == pytest.approx(0.9818892, abs=1e-7)
    assert (given_z.statistic[0], given_z.p_value[0]) == pytest.approx((3.3200766, 8.999276e-4), rel=1e-6)
    assert (alone.statistic[0], alone.p_value[0]) == pytest.approx((2.0499892, 0.0403655), rel=1e-5)


def test_three_columns_have_the_hand_calculated_t():
    statistics = from_dataset(T3)

    given_z = ExactT().many(statistics, np.array([[0, 1, 2]]))
    alone = ExactT().many(statistics, np.array([[0, 1]]))

    # From docs/references/independence.md#partial-correlations.
    found = given_z.statistic[0], given_z.dof[0], given_z.p_value[0]
    assert found == pytest.approx((8.9766562, 3, 2.9178100e-3), rel=1e-6)
    assert (alone.statistic[0], alone.dof[0], alone.p_value[0]) == pytest.approx(
        (2.9598001, 4, 0.0415627), rel=1e-5
    )


def test_the_t_test_of_two_columns_is_that_of_scipy():
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(25, 2)) @ np.array([[1.0, 0.3], [0.0, 1.0]])

    found = ExactT().many(statistics_of(rows), np.array([[0, 1]]))

    assert found.p_value[0] == pytest.approx(stats.pearsonr(*rows.T).pvalue, abs=1e-12)


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), n_given=st.integers(0, 5))
def test_partial_correlations_are_those_of_regression_residuals(seed, n_given):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(60, 7)) @ rng.normal(size=(7, 7))
    questions = np.array([rng.permutation(7)[: n_given + 2] for _ in range(6)])
    # Neighbours in a batch share work; they must not share answers.
    questions = np.concatenate([questions, questions[:, [1, 0, *range(2, n_given + 2)]], questions])

    found = correlations_given(statistics_of(rows), questions).rho

    expected = [oracle.partial_correlation(rows, x, y, z) for x, y, *z in questions.tolist()]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_the_p_value_is_the_normal_tail_of_the_transformed_correlation():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(80, 4)) @ rng.normal(size=(4, 4))

    answers = FisherZ().many(statistics_of(rows), np.array([[0, 1, 2, 3]]))

    rho = oracle.partial_correlation(rows, 0, 1, [2, 3])
    z = math.sqrt(80 - 2 - 3) * math.atanh(rho)
    assert answers.statistic[0] == pytest.approx(z, abs=1e-9)
    assert answers.p_value[0] == pytest.approx(2 * stats.norm.sf(abs(z)), abs=1e-12)


def test_what_cannot_be_tested_has_p_value_one():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    constant = np.full(30, 3.0)
    rows = np.column_stack([a, b, a + b, constant])
    statistics = from_dataset(
        sl.Dataset(
            {"a": a, "b": b, "sum": rows[:, 2], "constant": constant}, kinds={"constant": "continuous"}
        )
    )
    questions = np.array([[2, 1, 0], [0, 3, 1], [3, 0, 2]])

    p_values = FisherZ().many(statistics, questions).p_value

    assert p_values[0] < 1e-6  # b is still free given a
    assert p_values[1:].tolist() == [1.0, 1.0]
    assert FisherZ().many(statistics, np.array([[2, 3, 0, 1]])).p_value[0] == 1.0  # a and b determine it
    few = statistics_of(rng.normal(size=(4, 4)))
    for test in (FisherZ(), ExactT()):
        answers = test.many(few, np.array([[0, 1, 2, 3]]))
        assert (answers.p_value[0], answers.log_p[0]) == (1.0, 0.0)


def test_a_condition_that_others_determine_makes_no_difference():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(40, 4)) @ rng.normal(size=(4, 4))
    rows = np.column_stack([rows, rows[:, 2] - 3.0 * rows[:, 3], np.ones(40)])
    statistics = statistics_of(rows)

    plain = correlations_given(statistics, np.array([[0, 1, 2, 3]])).rho[0]
    for further in ([4, 2, 3], [2, 3, 4], [2, 4], [2, 5, 3]):
        assert correlations_given(statistics, np.array([[0, 1, *further]])).rho[0] == pytest.approx(plain)


def test_stronger_dependence_has_a_smaller_log_p_where_both_p_values_vanish():
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 20_000))
    statistics = statistics_of(np.column_stack([x, x + 0.5 * noise, x + 0.1 * noise]))

    for test in (FisherZ(), ExactT()):
        answers = test.many(statistics, np.array([[0, 1], [0, 2]]))
        assert answers.p_value.tolist() == [0.0, 0.0]
        assert answers.log_p[1] < answers.log_p[0] < -745
