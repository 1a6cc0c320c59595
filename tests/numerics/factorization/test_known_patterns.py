"""Network component analysis: what is identified, and that it is found."""

import numpy as np
import pytest

from structlearn.numerics.factorization.known_patterns import (
    Fault,
    Limits,
    alternated,
    faults_of,
    normalised,
    random_strengths,
    repaired,
    solved,
    strided,
)

STRENGTHS = np.array(
    [(1.0, 0.0, 0.0), (0.5, 1.0, 0.0), (0.0, 1.0, 0.8), (0.0, 0.0, 1.0), (0.7, 0.0, 0.3), (0.0, 0.4, 0.0)]
)
ACTIVITIES = np.array([(1, -1, 2, 0, 0.5), (0, 1, 1, -1, 2), (2, 0, -1, 1, 1)])
PATTERN = STRENGTHS != 0.0
BROKEN = np.array([list(row) for row in ("110", "110", "111", "001", "101", "110")]) == "1"


def fitted(expression, seed):
    start = random_strengths(PATTERN, np.random.default_rng(seed))
    return alternated(expression, PATTERN, start)


@pytest.mark.parametrize("seed", range(3))
def test_exact_data_give_back_their_factors_from_any_start(seed):
    found = fitted(STRENGTHS @ ACTIVITIES, seed)

    strengths, activities = normalised(found.strengths, found.activities, PATTERN)

    scales = np.array([0.7333333333, 0.8, 0.7])  # the mean size of each column
    assert strengths == pytest.approx(STRENGTHS / scales, abs=1e-8)
    assert activities == pytest.approx(ACTIVITIES * scales[:, None], abs=1e-8)


def test_the_residual_never_grows_and_two_starts_end_alike():
    rng = np.random.default_rng(0)
    noisy = STRENGTHS @ ACTIVITIES + 0.05 * rng.normal(size=(6, 5))

    first, second = fitted(noisy, 1), fitted(noisy, 2)

    assert (np.diff(first.costs) <= 1e-12).all()
    ends = [normalised(found.strengths, found.activities, PATTERN)[0] for found in (first, second)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-6)


def test_a_pattern_that_identifies_has_no_fault():
    assert faults_of(PATTERN) == []


def test_the_regulator_that_breaks_the_second_criterion_is_named():
    assert faults_of(BROKEN) == [Fault(2, (0,))]


def test_a_regulator_of_all_genes_breaks_the_second_criterion():
    everywhere = PATTERN.copy()
    everywhere[:, 1] = True

    assert faults_of(everywhere) == [Fault(2, (1,))]


def test_regulators_of_one_gene_between_them_break_the_first_criterion():
    shared = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 1]]) == 1

    assert faults_of(shared)[0] == Fault(1, (0, 1))


@pytest.mark.parametrize("pattern", [BROKEN, np.ones((5, 3), dtype=bool)], ids=["one", "all"])
def test_a_repaired_pattern_identifies(pattern):
    genes, regulators = repaired(pattern)

    left = pattern[np.ix_(genes, regulators)]
    assert 0 < len(regulators) < 3
    assert faults_of(left) == []
    assert left.any(axis=1).all()


def test_strengths_are_1_in_the_mean_and_sum_to_nothing_negative():
    rng = np.random.default_rng(0)
    start = random_strengths(PATTERN, rng)
    activities = rng.normal(size=(3, 7))

    strengths, scaled = normalised(start, activities, PATTERN)

    assert np.abs(strengths).sum(axis=0) == pytest.approx(PATTERN.sum(axis=0))
    assert (strengths.sum(axis=0) >= 0.0).all()
    assert strengths @ scaled == pytest.approx(start @ activities, abs=1e-12)


def test_a_ridge_is_put_only_where_columns_repeat():
    rng = np.random.default_rng(0)
    columns, target = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))

    free, is_put = solved(columns, target, None)
    both, is_put_there = solved(columns[:, [0, 0]], target, None)

    assert free == pytest.approx(np.linalg.lstsq(columns, target)[0])
    assert (is_put, is_put_there) == (False, True)
    assert both[0] == pytest.approx(both[1])


def test_starts_have_strengths_of_either_sign_on_the_pattern_alone():
    pattern = np.random.default_rng(0).random((20, 10)) < 0.5

    found = random_strengths(pattern, np.random.default_rng(1))

    assert ((found != 0.0) == pattern).all()
    assert {-1.0, 1.0} == set(np.sign(found[pattern]))
    assert 0.5 <= np.abs(found[pattern]).min() < 0.6
    assert 1.4 < np.abs(found[pattern]).max() <= 1.5


def test_a_given_ridge_is_per_mean_square():
    columns, target = np.eye(2) * 2.0, np.array([[2.0], [4.0]])

    found, _ = solved(columns, target, 0.25)  # (4 + 0.25·4)⁻¹ · 2 · (2, 4)

    assert found.ravel() == pytest.approx([0.8, 1.6])


def test_strengths_of_genes_solved_together_are_those_of_each_alone():
    rng = np.random.default_rng(0)
    pattern = np.vstack([PATTERN, PATTERN[::-1]])
    expression, start = rng.normal(size=(12, 9)), random_strengths(pattern, rng)

    found = alternated(expression, pattern, start, limits=Limits(np.inf))

    for gene, mine in enumerate(pattern):
        alone = np.linalg.lstsq(found.activities[mine].T, expression[gene], rcond=None)[0]
        assert found.strengths[gene, mine] == pytest.approx(alone)


def test_genes_of_regulators_that_are_always_equal_get_a_ridge_and_stay_finite():
    activities = ACTIVITIES[[0, 0, 2]].astype(float)

    found = alternated(STRENGTHS @ activities, PATTERN, random_strengths(PATTERN, np.random.default_rng(0)))

    assert found.has_ridge
    assert np.isfinite(found.strengths).all()
    assert found.strengths @ found.activities == pytest.approx(STRENGTHS @ activities, abs=1e-4)


THREE_GENES = np.array([(0, 1), (1, 1), (1, 0)], dtype=bool)


def nearly_alike(n_samples=200):
    """Three genes of which two hardly say anything: sweeps alone take thousands."""
    rng = np.random.default_rng(0)
    return np.array([[0.1], [1.5], [0.1]]) * rng.normal(size=(3, n_samples)) + 0.05 * rng.normal(
        size=(3, n_samples)
    )


@pytest.mark.parametrize("seed", range(5))
def test_slow_walks_come_to_the_optimum_in_strides(seed):
    """Any plane is on this pattern, so that the least that can be left is the smallest singular value's."""
    expression = nearly_alike()
    start = random_strengths(THREE_GENES, np.random.default_rng(seed))

    found = alternated(expression, THREE_GENES, start)

    least = np.linalg.svd(expression, compute_uv=False)[-1] ** 2
    assert found.costs[-1] == pytest.approx(least, rel=1e-8)
    assert len(found.costs) < 500
    assert (np.diff(found.costs) <= 1e-12 * found.costs[0]).all()
    assert not found.strengths[~THREE_GENES].any()


def test_a_short_stride_goes_down_the_slope_of_what_is_left():
    expression, damping, step = nearly_alike(40), 1e9, 1e-6
    strengths = random_strengths(THREE_GENES, np.random.default_rng(0))
    strengths /= np.linalg.norm(strengths, axis=0)

    def left(at):
        return float(((expression - at @ np.linalg.lstsq(at, expression, rcond=None)[0]) ** 2).sum())

    moved = strided(expression, THREE_GENES, strengths, damping) - strengths
    off = np.eye(3) - strengths @ np.linalg.pinv(strengths)
    activities = np.linalg.lstsq(strengths, expression, rcond=None)[0]
    for gene, regulator in zip(*np.nonzero(THREE_GENES), strict=True):
        apart = np.zeros((3, 2))
        apart[gene, regulator] = step
        slope = (left(strengths + apart) - left(strengths - apart)) / (2 * step)
        curvature = off[gene, gene] * float((activities[regulator] ** 2).sum())
        assert moved[gene, regulator] * damping * curvature == pytest.approx(-0.5 * slope, rel=1e-3)


def test_strengths_of_nothing_stay_numbers():
    assert np.isfinite(strided(np.zeros((3, 5)), THREE_GENES, np.zeros((3, 2)), 0.01)).all()
