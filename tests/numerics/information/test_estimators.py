"""Every estimator of mutual information says what its definition says."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.feature_selection import mutual_info_regression

from structlearn.numerics.information import columns as blocks
from structlearn.numerics.information.binning import equal_frequency, equal_width, usual_bins
from structlearn.numerics.information.columns import Columns, average_ranks
from structlearn.numerics.information.estimators import ESTIMATORS, information_of
from structlearn.numerics.information.kernels import nearest_rows, pair_tables, partitions
from structlearn.numerics.information.settings import Settings
from tests.oracles import information as oracle

TABLES = st.integers(2, 30).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 3), min_size=n, max_size=n), min_size=2, max_size=4)
)
NUMBERS = st.integers(5, 25).flatmap(
    lambda n: st.lists(st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=2, max_size=3)
)
CONTINUOUS = [name for name, estimator in ESTIMATORS.items() if not estimator.takes_discrete]


def coded(table):
    codes = np.array(table, dtype=float)
    return Columns(codes, np.full(len(codes), 4))


def measured(table):
    values = np.array(table, dtype=float)
    return Columns(values, np.zeros(len(values), dtype=np.int64))


def pairs(matrix):
    return [(i, j, matrix[i, j]) for i in range(len(matrix)) for j in range(i + 1, len(matrix))]


@settings(deadline=None)
@given(TABLES)
def test_plug_in_is_the_sum_over_cells(table):
    found = information_of(coded(table), "plug-in", Settings())

    for i, j, value in pairs(found):
        assert value == pytest.approx(oracle.plug_in(table[i], table[j]), abs=1e-12)
    for i, column in enumerate(table):
        assert found[i, i] == pytest.approx(oracle.plug_in(column, column), abs=1e-12)  # the entropy


@settings(deadline=None)
@given(TABLES)
def test_miller_madow_takes_off_the_bias_of_the_states_that_occur(table):
    found = information_of(coded(table), "miller-madow", Settings())

    for i, j, value in pairs(found):
        bias = (len(set(table[i])) - 1) * (len(set(table[j])) - 1) / (2 * len(table[0]))
        assert value == pytest.approx(oracle.plug_in(table[i], table[j]) - bias, abs=1e-12)


@settings(deadline=None)
@given(TABLES)
def test_shrinkage_is_that_of_hausser_and_strimmer(table):
    for i, j, value in pairs(information_of(coded(table), "shrinkage", Settings())):
        is_constant = 1 in (len(set(table[i])), len(set(table[j])))
        expected = 0.0 if is_constant else oracle.shrunken(table[i], table[j], 4, 4)
        assert value == pytest.approx(expected, abs=1e-12)


def test_many_levels_are_counted_by_codes_and_few_by_bits():
    rng = np.random.default_rng(0)
    levels = np.array([2, 3, 12, 40, 100])
    codes = np.array([rng.integers(0, n, 200) for n in levels])

    found = information_of(Columns(codes.astype(float), levels), "plug-in", Settings())

    assert 12 * 12 > pair_tables.MOST_MASK_CELLS > 3 * 40
    for i, j, value in pairs(found):
        assert value == pytest.approx(oracle.plug_in(codes[i].tolist(), codes[j].tolist()), abs=1e-12)


@settings(deadline=None)
@given(NUMBERS, st.sampled_from([0.05, 0.15, 0.4]))
def test_the_kernel_estimate_is_the_mean_log_ratio_of_densities(table, width):
    for i, j, value in pairs(information_of(measured(table), "kernel", Settings(bandwidth=width))):
        is_constant = len(set(table[i])) == 1 or len(set(table[j])) == 1
        expected = 0.0 if is_constant else oracle.kernel(table[i], table[j], width)
        assert value == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(NUMBERS)
def test_the_adaptive_grid_is_quartered_where_points_crowd(table):
    for i, j, value in pairs(information_of(measured(table), "adaptive", Settings())):
        assert value == pytest.approx(oracle.adaptive(table[i], table[j]), abs=1e-12)


def test_the_adaptive_grid_goes_deep_where_there_is_much_to_see():
    x = np.arange(300.0)
    table = [x, np.where(x < 150, x, 450 - x)]

    (found,) = (value for _, _, value in pairs(information_of(measured(table), "adaptive", Settings())))

    assert found == pytest.approx(oracle.adaptive(*table), abs=1e-12)
    assert found > 2.0
    assert partitions.FEWEST_POINTS == 8


@pytest.mark.parametrize("k", [1, 3, 6])
def test_kraskov_is_the_definition_and_what_scikit_learn_has(k):
    rng = np.random.default_rng(k)
    table = rng.normal(size=(3, 40))
    table[1] += table[0]
    scaled = table / table.std(axis=1, keepdims=True)

    found = information_of(measured(table), "kraskov", Settings(n_neighbors=k))

    for i, j, value in pairs(found):
        assert value == pytest.approx(oracle.kraskov(scaled[i], scaled[j], k), abs=1e-10)
    theirs = mutual_info_regression(scaled[:1].T, scaled[1], n_neighbors=k, random_state=0)[0]
    assert found[0, 1] == pytest.approx(theirs, abs=1e-6)


def fenced(values):
    """Values in order as the kernels take them."""
    fence = np.full(nearest_rows.STRIDE, np.inf)
    return np.concatenate([-fence, values, fence])


@pytest.mark.parametrize("distance", [1.0, 1.5, 8.0, 8.5, 17.0, 99.0])
def test_kraskov_counts_those_that_are_nearer_and_not_as_near(distance):
    values = np.arange(40.0)

    for place in (0, 1, 20, 39):
        expected = np.count_nonzero(np.abs(values - values[place]) < distance) - 1
        found = nearest_rows.n_nearer(fenced(values), place + nearest_rows.STRIDE, distance)
        assert found == expected


@pytest.mark.parametrize(("place", "k", "expected"), [(2, 2, 2.0), (2, 1, 1.0), (0, 2, 2.0), (1, 2, 1.0)])
def test_neighbours_are_looked_for_up_to_both_ends(place, k, expected):
    x, y, nearest = fenced(np.arange(3.0)), fenced(np.zeros(3)), np.full(k, np.nan)

    found = nearest_rows.distance_to_neighbor(x, y, place + nearest_rows.STRIDE, nearest)

    assert found == expected


def test_the_estimates_from_correlations_are_their_formulas():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(2, 60)) @ np.eye(60)
    table[1] += table[0]
    r, r_s = np.corrcoef(table)[0, 1], spearmanr(*table).statistic

    by_values = information_of(measured(table), "gaussian", Settings())[0, 1]
    by_ranks = information_of(measured(table), "rank", Settings())[0, 1]

    assert by_values == pytest.approx(-0.5 * math.log(1 - r**2), abs=1e-12)
    assert by_ranks == pytest.approx(-0.5 * math.log(1 - (2 * math.sin(math.pi * r_s / 6)) ** 2), abs=1e-12)


@pytest.mark.parametrize("estimator", ["rank", "kernel", "adaptive", "plug-in"])
def test_a_monotone_transform_of_a_column_changes_nothing(estimator):
    rng = np.random.default_rng(1)
    table = rng.normal(size=(3, 80))
    turned = np.array([np.exp(table[0]), table[1] ** 3, table[2]])

    one, other = (information_of(measured(each), estimator, Settings()) for each in (table, turned))

    assert other == pytest.approx(one, abs=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_matrix_is_symmetric_whatever_the_blocks_and_threads(estimator, monkeypatch):
    table = measured(np.random.default_rng(2).normal(size=(7, 30)))
    whole = information_of(table, estimator, Settings())
    monkeypatch.setattr(blocks, "COLUMNS_AT_ONCE", 3)

    one, two = (information_of(table, estimator, Settings(), n_jobs=n) for n in (1, 2))

    assert (whole == whole.T).all()
    assert (one == two).all()
    assert (one == one.T).all()
    assert one == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_constant_column_has_no_information_not_even_of_itself(estimator):
    rng = np.random.default_rng(3)
    table = np.array([rng.normal(size=50), np.full(50, 7.0), rng.normal(size=50)])

    found = information_of(measured(table), estimator, Settings())

    assert found[1] == pytest.approx(0.0, abs=1e-12)
    assert np.isfinite(found).all()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_huge_tiny_and_equal_numbers_are_no_danger(estimator):
    x = np.array([-1.5, -1.0, -1.0, 0.5, 1.0, 1.0, 1.0, 1.7])
    table = np.array([x * 1e308, x * 1e-308, x[::-1] * 1e308])

    found = information_of(measured(table), estimator, Settings())

    assert np.isfinite(found).all()
    assert found[0, 1] >= found[0, 2] - 1e-12


@pytest.mark.parametrize("estimator", CONTINUOUS)
def test_a_normal_pair_has_about_the_information_of_its_correlation(estimator):
    rng = np.random.default_rng(4)
    x = rng.normal(size=2000)
    table = [x, 0.6 * x + 0.8 * rng.normal(size=2000)]

    found = information_of(measured(table), estimator, Settings())[0, 1]

    assert found == pytest.approx(0.2231435513, abs=0.06)  # −½ log(1 − 0.36)


def test_the_bias_of_plug_in_is_what_miller_and_madow_say():
    rng = np.random.default_rng(5)
    table = coded(rng.integers(0, 4, (60, 200)))

    found = information_of(table, "plug-in", Settings())[np.triu_indices(60, k=1)]

    assert found.mean() == pytest.approx(9 / 400, rel=0.05)
    less = information_of(table, "miller-madow", Settings())[np.triu_indices(60, k=1)]
    assert abs(less.mean()) < 0.05 * 9 / 400


def test_bins_of_equal_frequency_keep_ties_together_and_are_equal_without():
    assert equal_frequency(np.array([[9.0, 1, 5, 3, 7, 11]]), 3).tolist() == [[2, 0, 1, 0, 1, 2]]
    assert equal_frequency(np.array([[1.0, 1, 1, 1, 2, 3]]), 3).tolist() == [[1, 1, 1, 1, 2, 2]]


def test_bins_of_equal_width_run_from_the_smallest_to_the_largest():
    assert equal_width(np.array([[0.0, 1, 4, 9, 10], [5, 5, 5, 5, 5], [-4, 1, 3, 4, 6]]), 5).tolist() == [
        [0, 0, 2, 4, 4],
        [0, 0, 0, 0, 0],
        [0, 2, 3, 4, 4],
    ]


@pytest.mark.parametrize(("n_rows", "n_bins"), [(2, 2), (20, 2), (45, 3), (500, 10), (10**6, 20)])
def test_the_usual_bins_leave_five_rows_to_a_cell(n_rows, n_bins):
    assert usual_bins(n_rows) == n_bins


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
def test_ranks_share_the_mean_of_ties(column):
    assert average_ranks(np.array([column], dtype=float))[0].tolist() == oracle.ranks(column)


def test_ranks_are_the_same_whatever_the_order_in_memory():
    values = np.random.default_rng(0).normal(size=(3, 20))

    assert average_ranks(np.asfortranarray(values)).tolist() == [oracle.ranks(row) for row in values.tolist()]
