"""Distance correlation and projection correlation: worked values, their definitions, level and power."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.data import Dataset
from structlearn.independence import DistanceCorrelation, ProjectionCorrelation
from structlearn.independence.distance_correlation import upper_tail
from structlearn.independence.distances import cosine, distances_of, projected, u_centred
from structlearn.independence.gaussian_kernels import centred
from structlearn.independence.projection_correlation import shared_angles, sides_of
from structlearn.statistics import from_dataset
from tests.oracles.reference_data import T3

X, Y, Z = (distances_of(column.values[:, None]) for column in T3.columns)
BOTH = [DistanceCorrelation(), ProjectionCorrelation()]
EACH = pytest.mark.parametrize("test", BOTH, ids=lambda test: type(test).__name__)


def asked(test, *columns):
    table = Dataset({f"v{j}": column for j, column in enumerate(columns)})
    found = test.many(from_dataset(table), np.arange(len(columns))[None])
    return found.statistic[0], found.p_value[0], bool(found.is_reliable[0])


def test_centred_distances_of_six_rows_have_the_values_of_the_page():
    # docs/references/independence.md, Distances
    x, y, z = map(centred, (X, Y, Z))

    assert (x * y).mean() == pytest.approx(1.3364198, abs=1e-7)
    assert np.sqrt(cosine(x, y)) == pytest.approx(0.8848739, abs=1e-7)
    assert np.sqrt(cosine(x, z)) == pytest.approx(0.8894704, abs=1e-7)


def test_unbiased_correlations_of_six_rows_have_the_values_of_the_page():
    x, y, z = map(u_centred, (X, Y, Z))

    assert (cosine(x, y), upper_tail(cosine(x, y), 9)) == pytest.approx((0.7142857, 0.0101500), abs=1e-7)
    assert (cosine(x, z), upper_tail(cosine(x, z), 9)) == pytest.approx((0.5714286, 0.0422068), abs=1e-7)
    assert cosine(projected(x, z), projected(y, z)) == pytest.approx(0.8703883, abs=1e-7)


def test_from_a_hundred_rows_on_the_tail_is_that_of_t():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 100))
    y = y + 0.3 * x
    statistic = cosine(*(u_centred(distances_of(stats.zscore(c)[:, None])) for c in (x, y)))
    t = np.sqrt(4849) * statistic / np.sqrt(1 - statistic**2)

    assert asked(DistanceCorrelation(), x, y) == pytest.approx((statistic, stats.t.sf(t, 4849), True))
    share = 200 * asked(DistanceCorrelation(), x[1:], y[1:])[1]
    assert share == pytest.approx(round(share), abs=1e-9)


def test_a_column_is_wholly_correlated_with_itself():
    x = np.random.default_rng(0).normal(size=120)

    assert asked(DistanceCorrelation(), x, 3.0 - 2.0 * x)[:2] == pytest.approx((1.0, 0.0))
    assert asked(ProjectionCorrelation(), x, np.exp(x))[:2] == pytest.approx((1.0, 1 / 200))


def angle(at, one, other):
    if at in (one, other):
        return 0.0
    return np.arccos(np.clip((one - at) * (other - at) / abs((one - at) * (other - at)), -1, 1))


def centred_angles(column):
    n = len(column)
    a = np.array(
        [[[angle(column[k], column[i], column[j]) for j in range(n)] for i in range(n)] for k in range(n)]
    )
    return (
        a - a.mean(axis=1, keepdims=True) - a.mean(axis=2, keepdims=True) + a.mean(axis=(1, 2), keepdims=True)
    )


@pytest.mark.parametrize("seed", range(4))
def test_angles_are_those_of_every_three_rows(seed):
    x, y = np.random.default_rng(seed).integers(0, 6, (2, 9)).astype(float)
    expected = (centred_angles(x) * centred_angles(y)).sum()

    assert np.pi**2 / 4 * shared_angles(sides_of(x), sides_of(y)) == pytest.approx(expected, abs=1e-9)


def test_only_the_order_of_values_counts_for_angles():
    x, y = np.random.default_rng(1).standard_cauchy((2, 40))

    assert asked(ProjectionCorrelation(), x, y) == asked(ProjectionCorrelation(), np.arctan(x), y**3)


@EACH
def test_a_circle_is_seen_where_no_correlation_is(test):
    turn = np.random.default_rng(0).uniform(0, 2 * np.pi, 150)

    assert asked(test, np.cos(turn), np.sin(turn))[1] <= 0.005
    assert (
        sl.test_independence({"x": np.cos(turn), "y": np.sin(turn)}, "x", "y", test="fisher-z").p_value > 0.05
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "n_rows"), [(BOTH[0], 30), (BOTH[0], 100), (BOTH[0], 300), (BOTH[1], 30), (BOTH[1], 100)]
)
def test_the_level_holds_in_a_thousand_tables(test, n_rows):
    rng = np.random.default_rng(11)
    p_values = np.array(
        [asked(test, rng.standard_t(3, n_rows), rng.exponential(size=n_rows))[1] for _ in range(1000)]
    )

    assert 0.03 <= (p_values <= 0.05).mean() <= 0.08
    assert 0.003 <= (p_values <= 0.01).mean() <= 0.025


@EACH
def test_few_of_sixty_independent_tables_are_rejected(test):
    rng = np.random.default_rng(12)
    p_values = np.array([asked(test, *rng.normal(size=(2, 40)))[1] for _ in range(60)])

    assert (p_values <= 0.05).sum() <= 9  # of 60 with a probability of 0.08, once in forty
    assert (p_values <= 0.5).sum() >= 18


@EACH
def test_conditions_and_many_rows_are_refused_with_what_takes_them(test):
    rows = np.random.default_rng(0).normal(size=(3, 30))
    few = type(test)(max_rows=29)

    with pytest.raises(sl.DataError, match=r"two columns without conditions. Use test='kci'"):
        asked(test, *rows)
    with pytest.raises(sl.DataError, match=r"30 rows are more than the 29 .* test='rcot'"):
        asked(few, *rows[:2])
    with pytest.raises(sl.DataError, match="without conditions"):
        sl.PC(test=test, alpha=0.9).fit(dict(zip("abc", rows, strict=True)))
    assert (
        sl.PC(test=test, alpha=1e-9, max_conditioning=0).fit(dict(zip("abc", rows, strict=True))).n_tests_
        == 3
    )


def test_a_partial_distance_correlation_is_a_screen_and_says_so():
    rng = np.random.default_rng(0)
    z, *e = rng.normal(size=(3, 150))
    screen = DistanceCorrelation(partial=True)

    alone, given = asked(screen, z + e[0], z + e[1]), asked(screen, z + e[0], z + e[1], z)

    assert given[0] < 0.2 * alone[0]
    assert (given[1] < 0.01, given[2]) == (True, False)  # though the two are independent given z


def test_states_are_equally_far_apart():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    x = (y == 1) + rng.normal(size=120)
    differ = 1.0 * (y[:, None] != y)
    expected = cosine(u_centred(distances_of(x[:, None])), u_centred(differ))

    assert asked(DistanceCorrelation(), x, np.array(["a", "b", "c"])[y])[0] == pytest.approx(expected)


@EACH
def test_three_rows_say_nothing(test):
    assert asked(test, [1.5, 2.0, 4.0], [2.5, 1.0, 7.0])[1:] == (1.0, False)
