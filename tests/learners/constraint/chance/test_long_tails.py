"""Columns that single rows rule are judged by shuffled columns, and others as ever."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.constraint.chance.chance import judged_rows
from structlearn.learners.constraint.chance.local_fdr import chance_p_values
from structlearn.learners.constraint.chance.long_tails import N_TABLES, _judged_by
from structlearn.numerics.multiplicity import adjusted
from structlearn.run import Run

few_can_be_told = pytest.mark.filterwarnings("ignore:.*single rows make up most of some columns")


def cauchy(n_rows, n_columns, seed):
    return np.random.default_rng(seed).standard_cauchy((n_rows, n_columns))


@few_can_be_told
@pytest.mark.parametrize(("n_rows", "n_columns"), [(20, 60), (60, 30), (100, 100)])
@pytest.mark.parametrize("seed", range(3))
def test_outliers_are_not_taken_for_dependence(n_rows, n_columns, seed):
    assert len(sl.ShrinkagePartialCorrelation().fit(cauchy(n_rows, n_columns, seed)).graph_.edges) <= 3


def test_a_warning_says_what_to_do():
    with pytest.warns(sl.DataWarning, match="Ranks or logarithms in place of the numbers"):
        sl.ShrinkagePartialCorrelation().fit(cauchy(20, 60, 0))


@few_can_be_told
def test_dependence_beyond_that_of_shuffled_columns_is_found():
    rows = cauchy(60, 40, 0)
    rows[:, 1] = rows[:, 0] + 0.01 * rows[:, 1]
    found = sl.ShrinkagePartialCorrelation().fit(rows)

    assert ("x0", "x1") in found.graph_.undirected


@pytest.mark.filterwarnings("error")
def test_two_ruled_columns_among_many_leave_the_model_of_chance_alone():
    rows = np.random.default_rng(0).normal(size=(30, 60))
    rows[3, 0], rows[7, 1] = 1e3, 1e3
    rows[:, 3] += 3 * rows[:, 2]
    learner = sl.ShrinkagePartialCorrelation().fit(rows)

    rho = learner.partial_correlations_[2, 3]
    p_value = chance_p_values(np.array([rho]), learner.null_.freedom)[0]
    assert learner.evidence_["x2", "x3"].p_value == pytest.approx(p_value)


def test_p_values_are_the_share_of_shuffled_correlations_as_large():
    rng = np.random.default_rng(0)
    by_chance, rho = rng.uniform(-1, 1, (N_TABLES, 45)), rng.uniform(-1, 1, 45)
    with Run("test") as run:
        model = judged_rows(rng.normal(size=(9, 10)), rho, "mixture", run)
    found = _judged_by(by_chance, model, rho)

    expected = [(1 + sum(abs(c) >= abs(r) for c in by_chance.flat)) / (1 + by_chance.size) for r in rho]
    assert found.p_value == pytest.approx(expected)
    assert found.q_value == pytest.approx(adjusted(np.array(expected), "bh"))
    assert found.null == model.null
