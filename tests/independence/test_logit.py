"""Nested logistic regressions agree with scikit-learn's, in both directions, and know their limits."""

import math

import numpy as np
import pytest
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression

from structlearn.independence.logit import compare_logits
from structlearn.statistics import Rows


def likelihood(design, target, weights):
    """At the maximum, without a penalty."""
    if design.shape[1] == 0:
        shares = np.array([weights[target == k].sum() for k in np.unique(target)])
        return (shares * np.log(shares / shares.sum())).sum()
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000)
    model.fit(design, target, sample_weight=weights)
    logs = model.predict_log_proba(design)
    return (weights * logs[np.arange(len(target)), target]).sum()


def indicators(codes):
    return (codes[:, None] == np.arange(1, codes.max() + 1)).astype(float)


def drawn(seed, n_rows=200):
    rng = np.random.default_rng(seed)
    z, w = rng.normal(size=n_rows), rng.integers(0, 3, n_rows)
    x = (rng.random(n_rows) < 1 / (1 + np.exp(-z))).astype(int)
    y = np.minimum((rng.random(n_rows) * 2 + 0.6 * x + 0.3 * w).astype(int), 2)
    return x, y, z, w


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_weighted", [False, True])
def test_ratios_are_those_of_scikit_learn(seed, is_weighted):
    x, y, z, w = drawn(seed)
    weights = np.random.default_rng(seed).random(len(x)) if is_weighted else np.ones(len(x))
    rows = Rows(np.column_stack([x, y, z, w]).astype(float), weights if is_weighted else None)

    found = compare_logits(rows, np.array([2, 3, 0, 3]))

    conditions = np.column_stack([z, indicators(w)])
    ratios = []
    for target, other in ((x, y), (y, x)):
        beside = np.column_stack([conditions, indicators(other)])
        ratios.append(2 * (likelihood(beside, target, weights) - likelihood(conditions, target, weights)))
    smaller, larger = sorted(chi2.sf(ratios, 2))
    assert found.statistic == pytest.approx(min(ratios), rel=1e-4, abs=1e-4)
    assert found.dof == 2
    assert math.exp(found.log_p) == pytest.approx(min(2 * smaller, larger), rel=1e-3)
    assert found.is_reliable


def test_without_conditions_both_directions_are_the_g2_of_the_table():
    table = np.array([[12, 5, 3], [4, 9, 7]])
    x, y = (np.repeat(index.ravel(), table.ravel()) for index in np.indices(table.shape))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()

    found = compare_logits(Rows(np.column_stack([x, y]).astype(float), None), np.array([2, 3]))

    assert found.statistic == pytest.approx(2 * (table * np.log(table / expected)).sum(), rel=1e-6)
    assert found.dof == 2


def test_a_constant_condition_makes_no_difference():
    x, y, z, _ = drawn(0)
    plain = compare_logits(Rows(np.column_stack([x, y, z]), None), np.array([2, 3, 0]))
    padded = np.column_stack([x, y, z, np.full(len(x), 7.0)])

    assert compare_logits(Rows(padded, None), np.array([2, 3, 0, 0])).statistic == pytest.approx(
        plain.statistic
    )


def test_levels_that_do_not_occur_take_no_freedom():
    x, y, z, _ = drawn(1)
    values = np.column_stack([x, 5 * y, z])  # codes 0, 5 and 10 of eleven levels

    assert compare_logits(Rows(values, None), np.array([2, 11, 0])).dof == 2


@pytest.mark.parametrize(
    "values",
    [
        np.zeros((0, 3)),
        np.column_stack([np.zeros(20), np.arange(20) % 2, np.arange(20)]),
        np.array([[0.0, 1.0, 0.3], [1.0, 0.0, 0.2], [1.0, 1.0, 0.9]]),
    ],
    ids=["no rows", "one level", "no more rows than slopes"],
)
def test_where_nothing_can_be_said_nothing_is(values):
    found = compare_logits(Rows(values, None), np.array([2, 2, 0]))

    assert (found.statistic, found.dof, found.log_p) == (0.0, 0.0, 0.0)


def test_rows_of_no_weight_do_not_count():
    x, y, z, _ = drawn(2)
    values = np.column_stack([x, y, z])
    doubled = np.concatenate([values, values[::-1] + np.array([0, 0, 5])])
    weights = np.concatenate([np.ones(len(x)), np.zeros(len(x))])

    with_them = compare_logits(Rows(doubled, weights), np.array([2, 3, 0]))

    assert with_them.statistic == pytest.approx(
        compare_logits(Rows(values, None), np.array([2, 3, 0])).statistic
    )


def test_separated_classes_are_said():
    z = np.linspace(-1, 1, 40)
    x, y = (z > 0).astype(float), np.arange(40) % 2

    assert not compare_logits(Rows(np.column_stack([x, y, z]), None), np.array([2, 2, 0])).is_reliable


@pytest.mark.parametrize(("seed", "n_rows"), [(1, 30), (2, 60), (3, 40)])
def test_with_few_rows_the_p_value_is_that_of_the_score(seed, n_rows):
    x, y, z, _ = drawn(seed, n_rows)
    design = np.column_stack([np.ones(n_rows), z])

    found = compare_logits(Rows(np.column_stack([x, y, z]), None), np.array([2, 3, 0]))

    scores = [rao(design, target, other) for target, other in ((x, y), (y, x))]
    smaller, larger = sorted(chi2.sf(scores, 2))
    assert math.exp(found.log_p) == pytest.approx(min(2 * smaller, larger), rel=1e-3)
    assert found.is_reliable


def rao(design, target, other):
    """Rao's score of `other`, from the residuals and the information of the regression without it."""
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000).fit(design[:, 1:], target)
    chance = model.predict_proba(design[:, 1:])
    wider = np.column_stack([design, indicators(other)])
    classes = range(1, chance.shape[1])
    gradient = np.concatenate([wider.T @ ((target == k) - chance[:, k]) for k in classes])
    spread = [[chance[:, [a]] * ((a == b) - chance[:, [b]]) for b in classes] for a in classes]
    information = np.block([[wider.T @ (wider * part) for part in row] for row in spread])
    return gradient @ np.linalg.solve(information, gradient)


def test_fewer_rows_than_four_for_each_slope_are_not_reliable_and_their_p_value_is_larger():
    x, y, z, _ = drawn(3, 22)
    values = np.column_stack([x, y, z])

    found = compare_logits(Rows(values, None), np.array([2, 3, 0]))

    scores = [rao(np.column_stack([np.ones(22), z]), *pair) for pair in ((x, y), (y, x))]
    smaller, larger = sorted(chi2.sf(np.array(scores) * (1 - 6 / 22), 2))
    assert math.exp(found.log_p) == pytest.approx(min(2 * smaller, larger), rel=1e-3)
    assert not found.is_reliable


def test_few_different_rows_with_weights_are_as_many_rows():
    x, y = np.array([0, 0, 1, 1, 2, 2, 0, 1]), np.array([0, 0, 1, 1, 2, 2, 1, 2])
    rows = np.column_stack([x, y, np.tile([0.0, 1.0], 4)])
    levels, repeated = np.array([3, 3, 0]), Rows(np.repeat(rows, 50, axis=0), None)

    weighted = compare_logits(Rows(rows, np.full(8, 50.0)), levels)

    expected = compare_logits(repeated, levels)
    assert weighted.dof == expected.dof == 4
    assert weighted.statistic == pytest.approx(expected.statistic)
    assert weighted.log_p == pytest.approx(expected.log_p)
    assert weighted.log_p < -200  # x tells y but for two of eight rows
