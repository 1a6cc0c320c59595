"""Laplace's approximation: worked examples, definitions by numerical Hessians, errors that vanish."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import gammaln

import structlearn as sl
from structlearn.scores import K2, BGe, FamilyScores
from structlearn.scores.laplace import GaussianLaplace, Laplace
from structlearn.statistics import from_dataset
from tests.oracles.reference_data import T1, T3
from tests.statistics.test_counting import dataset_of


def one_column(counts):
    codes = [(level,) for level, n in enumerate(counts) for _ in range(n)]
    return from_dataset(dataset_of(codes, [len(counts)]))


def approximate(counts, **options):
    return FamilyScores(Laplace(**options), one_column(counts)).local(0, [])


# From docs/references/scores.md#laplace: counts, prior rows in each cell, basis theta, basis softmax.
@pytest.mark.parametrize(
    ("counts", "prior_count", "theta", "softmax"),
    [
        ((3, 7), 1, -7.121321, -7.209646),
        ((3, 7), 2, -6.921964, -6.997696),
        ((30, 70), 1, -63.250401, -63.260261),
        ((300, 700), 1, -614.179565, -614.180564),
        ((2, 3, 5), 1, -11.821370, -12.077605),
    ],
)
def test_one_column_is_the_hand_calculated_one(counts, prior_count, theta, softmax):
    assert approximate(counts, prior_count=prior_count, basis="theta") == pytest.approx(theta, abs=1e-6)
    assert approximate(counts, prior_count=prior_count) == pytest.approx(softmax, abs=1e-6)


def test_the_diagonal_is_the_hand_calculated_one_and_the_whole_for_two_levels():
    assert approximate((2, 3, 5), basis="theta", diagonal=True) == pytest.approx(-11.878034, abs=1e-6)
    assert approximate((2, 3, 5), diagonal=True) == pytest.approx(-12.149155, abs=1e-6)
    for basis in ("theta", "softmax"):
        whole = approximate((3, 7), basis=basis)
        assert approximate((3, 7), basis=basis, diagonal=True) == pytest.approx(whole, abs=1e-12)


def test_a_level_that_never_occurs_has_no_mode_and_takes_logarithms():
    assert approximate((0, 10), basis="theta") == approximate((0, 10))
    assert approximate((0, 10)) == pytest.approx(-2.479588, abs=1e-6)


def test_the_approximation_is_the_gaussian_integral_at_the_mode():
    counts, prior = np.array([4.0, 9.0, 2.0]), 1.5

    def log_density(z):
        logs = np.append(z, 0.0) - np.logaddexp.reduce(np.append(z, 0.0))
        # The Jacobian of the logarithms of ratios is the product of all probabilities.
        return gammaln(3 * prior) - 3 * gammaln(prior) + (counts + prior) @ logs

    mode = optimize.minimize(lambda z: -log_density(z), np.zeros(2), tol=1e-10).x
    hessian = -numerical_hessian(log_density, mode)
    expected = log_density(mode) + math.log(2 * math.pi) - 0.5 * np.linalg.slogdet(hessian)[1]

    assert approximate((4, 9, 2), prior_count=1.5) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("basis", ["softmax", "theta"])
def test_ten_times_the_rows_have_a_tenth_of_the_error(basis):
    errors = []
    for times in (10, 100, 1000):
        counts = (3 * times, 7 * times)
        errors.append(approximate(counts, basis=basis) - FamilyScores(K2(), one_column(counts)).local(0, []))

    assert errors[1] / errors[0] == pytest.approx(0.1, rel=0.1)
    assert errors[2] / errors[1] == pytest.approx(0.1, rel=0.1)


def test_states_of_the_parents_add_up_and_those_that_do_not_occur_add_nothing():
    codes = [(0, 0)] * 3 + [(1, 0)] * 7 + [(0, 2)] * 4 + [(1, 2)] * 1
    families = FamilyScores(Laplace(), from_dataset(dataset_of(codes, [2, 3])))

    assert families.local(0, [1]) == pytest.approx(approximate((3, 7)) + approximate((4, 1)), abs=1e-12)


def test_every_family_of_three_binary_columns_is_near_its_exact_value():
    approximate_ones, exact = (FamilyScores(score, from_dataset(T1)) for score in (Laplace(), K2()))
    for child, *parents in itertools.permutations(range(3)):
        error = approximate_ones.local(child, parents) - exact.local(child, parents)
        assert -0.6 < error < 0.0  # the worked errors for few rows are of this size and sign


def test_a_regression_is_the_gaussian_integral_at_the_mode():
    """By the density itself: T3's y on x, with the prior that BGe has for this family."""
    x, y = (T3.column(name).values - T3.column(name).values.mean() for name in "xy")
    degrees, scale, shape = 5.0, 0.5, 0.5 * (5 - 3 + 1 + 1)

    def log_density(point):
        intercept, slope, log_precision = point
        deviation = math.exp(-0.5 * log_precision)
        prior = stats.norm.logpdf(intercept, scale=deviation)
        prior += stats.norm.logpdf(slope, scale=deviation / math.sqrt(scale))
        prior += stats.gamma.logpdf(math.exp(log_precision), shape, scale=2 / scale) + log_precision
        return prior + stats.norm.logpdf(y - intercept - slope * x, scale=deviation).sum()

    mode = optimize.minimize(lambda point: -log_density(point), np.zeros(3), tol=1e-10).x
    hessian = -numerical_hessian(log_density, mode)
    at_mode = log_density(mode) + 1.5 * math.log(2 * math.pi)
    statistics = from_dataset(T3)

    whole = FamilyScores(GaussianLaplace(degrees=degrees), statistics).local(1, [0])
    diagonal = FamilyScores(GaussianLaplace(degrees=degrees, diagonal=True), statistics).local(1, [0])

    assert whole == pytest.approx(at_mode - 0.5 * np.linalg.slogdet(hessian)[1], abs=1e-4)
    assert diagonal == pytest.approx(at_mode - 0.5 * np.log(np.diag(hessian)).sum(), abs=1e-4)


def test_regressions_come_near_their_exact_value_as_rows_grow():
    rng = np.random.default_rng(0)
    errors = []
    for n_rows in (50, 500, 5000):
        rows = rng.normal(size=(n_rows, 3)) @ rng.normal(size=(3, 3))
        statistics = from_dataset(sl.Dataset({f"c{j}": rows[:, j] for j in range(3)}))
        exact = FamilyScores(BGe(), statistics).local(0, [1, 2])
        errors.append(abs(FamilyScores(GaussianLaplace(), statistics).local(0, [1, 2]) - exact))

    assert errors[0] < 0.2
    assert errors[1] < 0.15 * errors[0]
    assert errors[2] < 0.15 * errors[1]


def numerical_hessian(function, point, step=1e-3):
    n = len(point)
    hessian = np.empty((n, n))
    for a, b in itertools.product(range(n), repeat=2):
        ea, eb = step * np.eye(n)[a], step * np.eye(n)[b]
        corners = [s * t * function(point + s * ea + t * eb) for s in (1, -1) for t in (1, -1)]
        hessian[a, b] = sum(corners) / (4 * step**2)
    return hessian


@pytest.mark.parametrize("score", [Laplace, GaussianLaplace])
def test_options_are_checked(score):
    with pytest.raises(sl.OptionError, match="diagonal"):
        score(diagonal="yes")
