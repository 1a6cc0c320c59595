"""Network component analysis with signs and a penalty: never uphill, and at an optimum in each block."""

import numpy as np
import pytest
from scipy.optimize import nnls
from sklearn.linear_model import Lasso

from structlearn.numerics.factorization.known_patterns import Limits, alternated, normalised, random_strengths
from structlearn.numerics.factorization.penalised_patterns import Signs, cost_of, descended

PATTERN = np.array([list(row) for row in ("100", "110", "011", "001", "101", "010", "110", "011")]) == "1"


def noisy(seed=0, n_samples=25, *, positive=False):
    rng = np.random.default_rng(seed)
    strengths, activities = random_strengths(PATTERN, rng), rng.normal(size=(3, n_samples))
    if positive:
        strengths, activities = np.abs(strengths), np.abs(activities)
    return strengths @ activities + 0.3 * rng.normal(size=(len(PATTERN), n_samples))


def fitted(expression, signs=Signs(), penalty=0.0):  # noqa: B008, it cannot be changed
    start, prices = random_strengths(PATTERN, np.random.default_rng(1)), penalty * np.ones(PATTERN.shape)
    return descended(expression, PATTERN, start, signs=signs, penalties=prices, limits=Limits(1e-13))


def test_without_signs_and_penalty_the_end_is_that_of_least_squares():
    expression = noisy()
    expected = alternated(expression, PATTERN, random_strengths(PATTERN, np.random.default_rng(2)))

    found = fitted(expression)

    assert 2.0 * found.costs[-1] == pytest.approx(expected.costs[-1], rel=1e-8)
    first, second = (normalised(each.strengths, each.activities, PATTERN)[0] for each in (found, expected))
    assert first == pytest.approx(second, abs=1e-4)


@pytest.mark.parametrize("signs", [Signs(), Signs(strengths=True), Signs(strengths=True, activities=True)])
@pytest.mark.parametrize("penalty", [0.0, 0.2])
def test_the_cost_never_grows(signs, penalty):
    found = fitted(noisy(), signs, penalty)

    assert (np.diff(found.costs) <= 1e-9 * found.costs[0]).all()
    assert found.strengths.min() >= 0.0 or not signs.strengths
    assert found.activities.min() >= 0.0 or not signs.activities
    assert (found.strengths[~PATTERN] == 0.0).all()


def test_each_gene_is_a_lasso_on_the_activities_that_were_found():
    expression = noisy()
    found = fitted(expression, penalty=0.2)
    lengths = np.linalg.norm(found.activities, axis=1) / 5.0  # √25 samples
    price = 0.2 * np.sqrt((expression**2).mean())

    for gene, pattern in enumerate(PATTERN):
        design = (found.activities / lengths[:, None])[pattern].T
        lasso = Lasso(alpha=price, fit_intercept=False, tol=1e-12, max_iter=100_000).fit(
            design, expression[gene]
        )
        assert found.strengths[gene, pattern] * lengths[pattern] == pytest.approx(lasso.coef_, abs=1e-5)


def test_links_without_a_price_are_least_squares_beside_the_others():
    expression, prices = noisy(), np.full(PATTERN.shape, 0.2)
    prices[:, 1] = 0.0
    found = fitted(expression, penalty=prices)
    lengths = np.linalg.norm(found.activities, axis=1) / 5.0  # √25 samples
    slopes = (expression - found.strengths @ found.activities) @ (found.activities / lengths[:, None]).T / 25

    assert slopes[:, 1][PATTERN[:, 1]] == pytest.approx(0.0, abs=1e-5)
    others = PATTERN & (prices > 0.0)
    assert np.abs(slopes[others]).max() == pytest.approx(0.2 * np.sqrt((expression**2).mean()), rel=1e-4)


def test_each_sample_is_solved_by_non_negative_least_squares():
    expression = noisy(positive=True)
    found = fitted(expression, Signs(strengths=True, activities=True))

    for sample in range(3):
        expected, _ = nnls(found.strengths, expression[:, sample])
        assert found.activities[:, sample] == pytest.approx(expected, abs=1e-4)


def test_the_cost_does_not_depend_on_how_scale_is_shared():
    rng = np.random.default_rng(0)
    strengths, activities, scales = (
        random_strengths(PATTERN, rng),
        rng.normal(size=(3, 25)),
        np.array([2, 0.1, 5]),
    )

    costs = [cost_of(noisy(), a, p, np.full(PATTERN.shape, 3.0)) for a, p in [
        (strengths, activities), (strengths * scales, activities / scales[:, None]),
    ]]  # fmt: skip

    assert costs[0] == pytest.approx(costs[1])


def test_a_penalty_above_all_correlations_leaves_nothing():
    assert not fitted(noisy(), penalty=3.0).strengths.any()
