"""BGe: worked examples, sequential predictions, published families."""

import math

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.scores import BGe, FamilyScores, GaussianLaplace
from structlearn.scores.bge import bordered
from structlearn.statistics import from_dataset
from tests.data_files import data_file, published_optima
from tests.oracles.reference_data import T3

EMPTY = sl.Graph("xyz")
ONE_ARC = sl.Graph("xyz", directed=[("x", "y")])
COLLIDER = sl.Graph("xyz", directed=[("y", "x"), ("z", "x")])
COMPLETE = sl.Graph("xyz", directed=[("y", "x"), ("z", "x"), ("y", "z")])


# From docs/references/scores.md#bge, T3: graph, prior means at the data's, prior means at zero.
@pytest.mark.parametrize(
    ("graph", "means", "zero"),
    [(EMPTY, -48.900269, -54.810929), (COLLIDER, -38.554196, -42.863395), (COMPLETE, -40.347540, -43.532648)],
    ids=["empty", "collider", "complete"],
)
def test_totals_of_three_columns_are_the_hand_calculated_ones(graph, means, zero):
    assert sl.score(graph, T3, "bge") == pytest.approx(means, abs=1e-6)
    assert sl.score(graph, T3, BGe(centre="zero")) == pytest.approx(zero, abs=1e-6)


# From docs/references/scores.md#bge, families of T3.
@pytest.mark.parametrize(
    ("child", "parents", "expected"),
    [
        (0, (), -15.879020),
        (1, (), -15.879020),
        (2, (), -17.142230),
        (1, (0,), -13.625301),
        (0, (1, 2), -5.532946),
    ],
)
def test_families_are_the_hand_calculated_ones(child, parents, expected):
    assert FamilyScores(BGe(), from_dataset(T3)).local(child, parents) == pytest.approx(expected, abs=1e-6)


def test_a_complete_graph_scores_as_predictions_row_by_row():
    """Each row has a multivariate t distribution given those before it (normal-Wishart prior)."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(12, 3)) @ rng.normal(size=(3, 3)) + [1.0, -2.0, 0.5]
    weight, degrees = 2.0, 6.5
    mean, scale = np.zeros(3), weight * (degrees - 4) / (weight + 1) * np.eye(3)
    expected, mean_weight, freedom = 0.0, weight, degrees
    for row in rows:
        shape = scale * (mean_weight + 1) / (mean_weight * (freedom - 2))
        expected += stats.multivariate_t.logpdf(row, loc=mean, shape=shape, df=freedom - 2)
        scale = scale + mean_weight / (mean_weight + 1) * np.outer(row - mean, row - mean)
        mean = (mean_weight * mean + row) / (mean_weight + 1)
        mean_weight, freedom = mean_weight + 1, freedom + 1
    data = sl.Dataset({name: rows[:, j] for j, name in enumerate("xyz")})

    found = sl.score(COMPLETE, data, BGe(mean_weight=weight, degrees=degrees, centre="zero"))

    assert found == pytest.approx(expected, abs=1e-8)


def test_a_family_scores_as_the_integral_over_its_regressions():
    """T3's y on x, summed over a grid of intercepts, slopes and logarithms of precisions."""
    x, y = (T3.column(name).values - T3.column(name).values.mean() for name in "xy")
    scale, shape = 0.5, 2.0  # of the prior for three columns, one of them a parent
    axes = [np.linspace(*ends) for ends in ((-4, 4, 81), (-3, 3, 81), (-9, 4, 81))]
    intercept, slope, log_precision = np.meshgrid(*axes, indexing="ij")
    deviation = np.exp(-0.5 * log_precision)
    log_density = stats.norm.logpdf(intercept, scale=deviation)
    log_density += stats.norm.logpdf(slope, scale=deviation / math.sqrt(scale))
    log_density += stats.gamma.logpdf(np.exp(log_precision), shape, scale=2 / scale) + log_precision
    for at_x, at_y in zip(x, y, strict=True):
        log_density += stats.norm.logpdf(at_y - intercept - slope * at_x, scale=deviation)
    step = math.prod(axis[1] - axis[0] for axis in axes)

    integral = np.exp(log_density).sum() * step

    found = FamilyScores(BGe(), from_dataset(T3)).local(1, [0])
    assert found == pytest.approx(math.log(integral), abs=0.01)


def test_weights_score_like_repeated_rows():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(10, 3))
    weights = np.arange(10) % 3 + 1.0
    weighted = sl.Dataset({n: rows[:, j] for j, n in enumerate("xyz")}, weights=weights)
    repeated = sl.Dataset({n: np.repeat(rows[:, j], weights.astype(int)) for j, n in enumerate("xyz")})

    for score in (BGe(), BGe(centre="zero")):
        expected = sl.score(COLLIDER, repeated, score)
        assert sl.score(COLLIDER, weighted, score) == pytest.approx(expected, abs=1e-9)


def test_fewer_rows_than_columns_are_no_trouble():
    rng = np.random.default_rng(3)
    data = sl.Dataset({f"c{j}": rng.normal(size=4) for j in range(8)})

    assert math.isfinite(FamilyScores(BGe(), from_dataset(data)).local(0, range(1, 8)))


def test_parents_that_rounding_makes_collinear_are_ruled_out():
    singular = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])

    variances, log_determinants = bordered(singular, np.array([[2, 0, 1]]), 0.5)

    assert (variances[0], log_determinants[0]) == (0.5, math.inf)


@pytest.mark.parametrize("weight", [1e-100, 1e-20, 1e-12, 0.5, 1e4])
def test_one_column_has_the_evidence_of_a_normal_with_a_normal_gamma_prior(weight):
    x = np.random.default_rng(5).normal(0.7, 2.0, size=30)
    shape, rate, n = (weight + 2.0) / 2.0, weight**2 / (weight + 1.0) / 2.0, len(x)
    left = 0.5 * (n * x.var() + n * weight / (n + weight) * x.mean() ** 2)
    expected = math.lgamma(shape + n / 2) - math.lgamma(shape) + 0.5 * math.log(weight / (weight + n))
    expected += (
        shape * math.log(rate) - (shape + n / 2) * math.log(rate + left) - n / 2 * math.log(2 * math.pi)
    )

    found = sl.score(sl.Graph("x"), {"x": x}, BGe(mean_weight=weight, centre="zero"))

    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("score", [BGe, GaussianLaplace])
@pytest.mark.parametrize("weight", [1e-300, 0.0, math.inf, 1e10])
def test_a_prior_too_weak_or_strong_to_compute_with_is_refused_as_what_it_is(score, weight):
    with pytest.raises(
        sl.OptionError, match=r"mean_weight is how many rows .* a number from 1e-100 to 1e\+09"
    ):
        score(mean_weight=weight)


def test_too_few_degrees_for_the_columns_are_refused():
    with pytest.raises(sl.OptionError, match="3 columns need more than 4 degrees"):
        sl.score(EMPTY, T3, BGe(degrees=4))
    with pytest.raises(sl.OptionError, match="mean_weight"):
        BGe(mean_weight=0)


def test_published_families_of_gaussian_test_score_as_published():
    published = published_optima()
    data = sl.Dataset(data_file("tables/gaussian.test.csv"))
    statistics = from_dataset(data)
    families = FamilyScores(BGe(), statistics)
    entries = [e for e in published if e["name"] == "gaussian.test" and e["score"].startswith("BGe")]
    assert entries
    for entry in entries:
        for child, family in entry["families"].items():
            parents = [data.names.index(parent) for parent in family["parents"]]
            score = families.local(data.names.index(child), parents)
            assert score == pytest.approx(family["score"], abs=1e-6)


def test_two_priors_and_centres_on_one_statistics_do_not_mix():
    scores = [BGe(), BGe(centre="zero"), BGe(mean_weight=5.0), BGe(degrees=9.0), BGe()]
    families = np.array([[0, 1], [1, 2], [2, 0]])
    shared = from_dataset(T3)

    for score in scores:
        alone = score.local(from_dataset(T3), families)
        assert score.local(shared, families).tolist() == alone.tolist()
        assert score.local(shared, families).tolist() == alone.tolist()  # from what is remembered
    assert len({tuple(score.local(shared, families)) for score in scores}) == 4
