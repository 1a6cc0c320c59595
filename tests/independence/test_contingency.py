"""G² and X²: definitions, hand calculations, scipy, published values."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaln, xlogy

import structlearn as sl
from structlearn.independence.chi2 import Chi2
from structlearn.independence.g2 import G2
from structlearn.independence.kernels.fixed_margins import fixed_margin_moments, moments
from structlearn.independence.kernels.ratio_moments import (
    cell_moments,
    cell_spreads,
    cumulant_factors,
    ratio_moments,
)
from structlearn.independence.mutual_information import MutualInformation
from structlearn.independence.sparse_tables import LOGS, scaled
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import independence as oracle
from tests.oracles.reference_data import T1
from tests.statistics.test_counting import coded_tables, dataset_of


def answer(test, statistics, x, y, given_=()):
    answers = test.many(statistics, np.array([[x, y, *given_]]))
    return answers.statistic[0], answers.dof[0], answers.p_value[0]


# From docs/references/independence.md#contingency-tables, table T1: (x, y, given), G², X², dof, the two
# p-values.
@pytest.mark.parametrize(
    ("question", "g2", "x2", "dof", "p_of_g2", "p_of_x2"),
    [
        ((0, 1), 5.300218, 5.050505, 1, 0.0213228, 0.0246188),
        ((1, 2), 3.291315, 3.2, 1, 0.0696472, 0.0736383),
        ((0, 2), 1.848033, 1.818182, 1, 0.174012, 0.177530),
        ((0, 2, 1), 0.469762, 0.498866, 2, 0.790665, 0.779242),
        ((0, 1, 2), 3.921947, 4.013605, 2, 0.140721, 0.134418),
        ((1, 2, 0), 1.913044, 1.958333, 2, 0.384227, 0.375624),
    ],
)
def test_three_binary_columns_have_the_hand_calculated_statistics(question, g2, x2, dof, p_of_g2, p_of_x2):
    statistics = from_dataset(T1)
    x, y, *given_ = question

    for test, statistic, p_value in ((G2, g2, p_of_g2), (Chi2, x2, p_of_x2)):
        found = answer(test(sparse="asymptotic"), statistics, x, y, given_)
        assert found == pytest.approx((statistic, dof, p_value), abs=1e-6)


@pytest.mark.parametrize(("test", "statistic"), [(G2, 10.559010), (Chi2, 8.895238)])
def test_levels_a_stratum_lacks_leave_no_freedom_unless_asked_for(test, statistic):
    strata = [[[5, 3, 2], [0, 0, 0], [1, 4, 5]], [[2, 2, 1], [3, 1, 1], [0, 2, 3]]]
    rows = [(x, y, z) for z in range(2) for x in range(3) for y in range(3) for _ in range(strata[z][x][y])]
    # A third stratum never occurs: docs/references/independence.md#contingency-tables.
    statistics = from_dataset(dataset_of(rows, [3, 3, 3]))

    assert answer(test(), statistics, 0, 1, [2])[:2] == pytest.approx((statistic, 6), abs=1e-6)
    assert answer(test(dof="full"), statistics, 0, 1, [2])[:2] == pytest.approx((statistic, 12), abs=1e-6)
    assert answer(test(dof="spirtes"), statistics, 0, 1, [2])[:2] == pytest.approx((statistic, 1), abs=1e-6)


@pytest.mark.parametrize(
    ("dof", "p_value"), [("full", 0.567041), ("adjusted", 0.103000), ("spirtes", 0.001156)]
)
def test_degrees_of_freedom_decide_the_p_value(dof, p_value):
    strata = [[[5, 3, 2], [0, 0, 0], [1, 4, 5]], [[2, 2, 1], [3, 1, 1], [0, 2, 3]]]
    rows = [(x, y, z) for z in range(2) for x in range(3) for y in range(3) for _ in range(strata[z][x][y])]
    statistics = from_dataset(dataset_of(rows, [3, 3, 3]))

    # From docs/references/independence.md#contingency-tables.
    test = G2(dof=dof, sparse="asymptotic")
    assert answer(test, statistics, 0, 1, [2])[2] == pytest.approx(p_value, abs=1e-6)


def test_mutual_information_is_a_share_of_g2_in_nats():
    statistics = from_dataset(T1)

    # From docs/references/independence.md#contingency-tables: 5.300218 / (2 · 20); the p-value is that of
    # G².
    found = answer(MutualInformation(sparse="asymptotic"), statistics, 0, 1)
    assert found == pytest.approx((0.132505, 1, 0.0213228), abs=1e-6)


@settings(deadline=None)
@given(coded=coded_tables())
def test_mutual_information_is_that_of_the_definition(coded):
    codes, levels = coded
    n = len(codes)
    joint = {}
    for row in codes:
        joint[row[0], row[1]] = joint.get((row[0], row[1]), 0) + 1 / n
    of_x, of_y = ({k: sum(p for s, p in joint.items() if s[i] == k) for k in range(5)} for i in (0, 1))
    expected = sum(p * np.log(p / (of_x[x] * of_y[y])) for (x, y), p in joint.items())

    found = answer(MutualInformation(), from_dataset(dataset_of(codes, levels)), 0, 1)[0]

    assert found == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(coded=coded_tables())
def test_g2_obeys_the_chain_rule(coded):
    statistics = from_dataset(dataset_of(*coded))

    def g2(*question):
        return answer(G2(), statistics, *question[:2], question[2:])[0]

    assert g2(0, 1) + g2(0, 2, 1) == pytest.approx(g2(0, 2) + g2(0, 1, 2), abs=1e-8)


# Published with bnlearn's learning.test data, cited in
# From docs/references/independence.md#contingency-tables: question, G², X², dof, p-value of G².
@pytest.mark.parametrize(
    ("question", "g2", "x2", "dof", "p_value"),
    [
        ("AB", 2341.827889, 2208.197054, 4, 0.0),
        ("ABC", 2347.258588, None, 12, 0.0),
        ("AF", 1.300824, None, 2, 0.521831),
        ("AFB", 8.061863, None, 6, 0.233606),
    ],
)
def test_published_statistics_are_reproduced(question, g2, x2, dof, p_value):
    dataset = sl.Dataset(data_file("tables/learning.test.csv"))
    x, y, *given_ = (dataset.names.index(name) for name in question)
    statistics = from_dataset(dataset)

    assert answer(G2(dof="full"), statistics, x, y, given_) == pytest.approx((g2, dof, p_value), abs=1e-6)
    if x2 is not None:
        assert answer(Chi2(), statistics, x, y, given_)[0] == pytest.approx(x2, abs=1e-6)


@pytest.mark.parametrize(
    ("unreliable", "p_value", "log_p"), [("independent", 1.0, 0.0), ("dependent", 0.0, -np.inf)]
)
def test_a_table_with_few_rows_per_cell_is_decided_by_policy(unreliable, p_value, log_p):
    statistics = from_dataset(T1)  # 20 rows: 5 for each of 4 cells, 2.5 for each of 8
    test = G2(min_rows_per_cell=5, unreliable=unreliable)
    alone = G2().many(statistics, np.array([[0, 1]]))

    enough = test.many(statistics, np.array([[0, 1]]))
    few = test.many(statistics, np.array([[0, 1, 2]]))

    assert enough.is_reliable.tolist() == [True]
    assert enough.p_value[0] == alone.p_value[0] not in (0.0, 1.0)
    assert few.is_reliable.tolist() == [False]
    assert (few.p_value[0], few.log_p[0]) == (p_value, log_p)


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_statistics_are_those_of_the_definition(coded, data):
    codes, levels = coded
    x, y, *given_ = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(2, 4))]
    statistics = from_dataset(dataset_of(codes, levels))

    g2, x2, dof = oracle.contingency_statistics(codes, x, y, given_)
    for test, expected in ((G2(sparse="asymptotic"), g2), (Chi2(sparse="asymptotic"), x2)):
        statistic, found_dof, p_value = answer(test, statistics, x, y, given_)
        assert statistic == pytest.approx(expected, abs=1e-9)
        assert found_dof == dof
        assert p_value == pytest.approx(stats.chi2.sf(expected, dof) if dof else 1.0, abs=1e-9)


@pytest.mark.parametrize(("test", "name"), [(G2, "log-likelihood"), (Chi2, "pearson")])
def test_two_way_tables_agree_with_scipy(test, name):
    rng = np.random.default_rng(0)
    rows = [tuple(row) for row in rng.integers(0, [3, 4], size=(200, 2)).tolist()]
    statistics = from_dataset(dataset_of(rows, [3, 4]))
    table = statistics.counts([0, 1])

    expected = stats.chi2_contingency(table, correction=False, lambda_=name)

    assert answer(test(), statistics, 0, 1) == pytest.approx(
        (expected.statistic, expected.dof, expected.pvalue), abs=1e-9
    )


@pytest.mark.parametrize("dof", ["adjusted", "full", "spirtes"])
@pytest.mark.parametrize("test", [G2, Chi2, MutualInformation])
def test_a_constant_column_is_independent_of_everything_however_freedom_is_counted(test, dof):
    statistics = from_dataset(dataset_of([(0, y, z) for y in (0, 1, 1) for z in (0, 1)], [1, 2, 2]))

    for question in ((0, 1), (1, 0), (0, 1, 2)):
        assert answer(test(dof=dof), statistics, *question[:2], question[2:]) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(("dof", "freedom"), [("adjusted", 0), ("full", 4), ("spirtes", 1)])
def test_a_column_of_one_level_among_many_has_the_freedom_that_was_asked_for(dof, freedom):
    # One of three levels of x occurs, and all three of y: of nine cells, six are empty by the margins.
    statistics = from_dataset(dataset_of([(1, y) for y in (0, 1, 2, 2)], [3, 3]))

    assert answer(G2(dof=dof), statistics, 0, 1) == (0.0, freedom, 1.0)


def moments_of(statistics, x_levels, y_levels, *, is_pearson):
    """What is found of the table (2, 0, 1)."""
    tables, found = statistics.tables(np.array([[2, 0, 1]])), np.empty((1, 7))
    levels = np.array([[x_levels], [y_levels]])
    fixed_margin_moments(tables.counts, tables.starts, tables.strata, *levels, is_pearson, LOGS, found)
    return found[0]


@settings(deadline=None)
@given(rows=st.lists(st.tuples(*[st.integers(0, 2)] * 2, st.integers(0, 1)), min_size=1, max_size=6))
def test_the_moments_of_a_sparse_table_are_those_among_all_orders_of_its_rows(rows):
    statistics = from_dataset(dataset_of([*rows, (2, 2, 2)], [3, 3, 3]))

    mean, variance, _, per_stratum, x2, corrected, _ = moments_of(statistics, 3, 3, is_pearson=True)
    _, _, _, _, ratio_mean, ratio_variance, fixed = moments_of(statistics, 3, 3, is_pearson=False)

    assert (x2, corrected, mean, variance) == pytest.approx(oracle.moments_of_orders(rows), abs=1e-9)
    assert per_stratum == pytest.approx((len(rows) + 1) / len({2, *(z for _, _, z in rows)}))
    ratio, wanted_mean, wanted_variance = oracle.ratio_moments_of_orders(rows)
    g2 = G2(sparse="asymptotic").many(statistics, np.array([[0, 1, 2]])).statistic[0]
    assert (g2 - fixed, ratio_mean) == pytest.approx((ratio, wanted_mean), abs=1e-9)
    assert ratio_variance == pytest.approx(wanted_variance, rel=0.25, abs=1e-9)


def test_rare_rows_are_counted_where_the_table_may_vary_and_rows_per_stratum_everywhere():
    varied = [(0, 0, 0), (0, 0, 0), (1, 1, 0), (2, 1, 0), (0, 2, 0)]  # two without the commonest x, three y
    one_x, one_y = [(1, y, 1) for y in (0, 1, 1, 2)], [(x, 0, 2) for x in (0, 1, 2)]
    two_rows = [(0, 0, 3), (1, 1, 3)]
    statistics = from_dataset(dataset_of([*varied, *one_x, *one_y, *two_rows], [3, 3, 5]))

    found = moments_of(statistics, 3, 3, is_pearson=False)
    alone = moments_of(from_dataset(dataset_of(varied, [3, 3, 1])), 3, 3, is_pearson=False)

    assert found[2:4].tolist() == [2.0, 14 / 4]
    assert alone[2:4].tolist() == [2.0, 5.0]
    assert found[[0, 1, 4, 5]] == pytest.approx(alone[[0, 1, 4, 5]])
    assert found[6] == pytest.approx(2 * 2 * math.log(2))  # of the two rows, which always differ in both
    assert alone[6] == 0.0


def test_of_fewer_rare_rows_in_y_these_count():
    rows = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1)]

    found = moments_of(from_dataset(dataset_of(rows, [3, 2, 2])), 3, 2, is_pearson=True)

    assert found[2] == 1.0 + 1.0  # without the commonest x there are 2 + 1


@pytest.mark.parametrize(
    ("of_x", "of_y", "tolerance"),
    [
        ((3, 3), (3, 3), 0.12),
        ((14, 11), (12, 13), 0.12),
        ((2, 8), (2, 8), 0.25),
        ((22, 22), (21, 20, 3), 0.16),
        ((60, 8), (50, 12, 6), 0.05),
        ((40, 30), (35, 20, 15), 0.05),
        ((50, 50), (95, 5), 0.15),
        ((2, 148), (3, 147), 0.01),
        ((1, 209), (20, 106, 84), 1e-5),  # a cell is a line in its count, of which there are two
        ((38, 1), (36, 1, 2), 1e-5),
    ],
)
def test_the_variance_of_g2_is_about_that_among_all_tables_with_the_margins(of_x, of_y, tolerance):
    wanted_mean, wanted = oracle.ratio_moments_of_tables(of_x, of_y)
    x, y, size = np.array(of_x, dtype=float), np.array(of_y, dtype=float), float(sum(of_x))

    _, _, pearson_curved = moments(size, len(x), len(y), (1 / x).sum(), (1 / y).sum())
    mean, variance = ratio_moments(x, y, size, pearson_curved, LOGS)

    assert mean == pytest.approx(wanted_mean, rel=1e-5)
    assert variance == pytest.approx(wanted, rel=tolerance)


@pytest.mark.parametrize("least", [0.1, 0.5, 1.5, 7.25])
def test_rows_with_weights_have_moments_too(least):
    x, y = np.array([least, 40.0 - least]), np.array([3.5, 12.25, 24.25])

    _, _, pearson_curved = moments(40.0, 2, 3, (1 / x).sum(), (1 / y).sum())
    mean, variance = ratio_moments(x, y, 40.0, pearson_curved, LOGS)

    assert np.isfinite(mean)
    assert 0.0 <= variance < np.inf


@pytest.mark.parametrize(("of_x", "of_y", "size"), [(8.5, 7.0, 10.0), (2.5, 3.0, 9.0), (4.0, 3.0, 5.0)])
def test_the_counts_of_a_cell_are_the_whole_numbers_that_have_a_chance(of_x, of_y, size):
    counts = np.arange(max(0.0, np.floor(of_x + of_y - size)), np.ceil(min(of_x, of_y)) + 1.0)
    chances = np.exp(
        -gammaln(counts + 1)
        - gammaln(of_x - counts + 1)
        - gammaln(of_y - counts + 1)
        - gammaln(size - of_x - of_y + counts + 1)
    )
    terms = 2 * xlogy(counts, counts)
    wanted = [np.average(values, weights=chances) for values in (terms, terms**2, terms * counts)]

    assert cell_moments(of_x, of_y, size, LOGS) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("size", [40, 300, 2_000])
def test_a_cell_costs_no_sum_where_ten_rows_are_expected_and_is_as_exact_as_is_said(size):
    shares = (0.02, 0.1, 0.3, 0.5, 0.8, 0.97)
    margins = sorted({max(round(share * size), 1) for share in shares})
    for of_x, of_y in itertools.combinations_with_replacement(margins, 2):
        wanted = oracle.spreads_of_cell(of_x, of_y, size)

        found = cell_spreads(float(of_x), float(of_y), float(size), cumulant_factors(float(size)), LOGS)

        is_large = of_x * of_y >= 10 * size
        tolerances = (1e-4, 1e-3, 1e-2, 1e-9) if is_large else (1e-7, 1e-6, 1e-5, 1e-9)
        assert np.all(np.abs(np.subtract(found, wanted)) <= tolerances)


@pytest.mark.parametrize(
    ("n_rows", "x_levels", "n_strata", "is_reliable"),
    [(60, 12, 1, True), (60, 3, 8, True), (7, 2, 2, False), (40, 2, 40, False)],
)
def test_sparse_tables_are_compared_with_a_gamma_distribution_that_has_their_moments(
    n_rows, x_levels, n_strata, is_reliable
):
    rng = np.random.default_rng(0)
    levels = [x_levels, 3, n_strata]
    rows = [tuple(row) for row in rng.integers(0, levels, (n_rows, 3))]
    statistics = from_dataset(dataset_of(rows, levels))
    mean, variance, _, _, x2, corrected, _ = moments_of(statistics, x_levels, 3, is_pearson=True)
    by_pearson = (x2 if is_reliable else corrected, mean, variance)
    *_, ratio_mean, ratio_variance, fixed = moments_of(statistics, x_levels, 3, is_pearson=False)
    g2 = G2(sparse="asymptotic").many(statistics, np.array([[0, 1, 2]])).statistic[0]
    by_ratio = (g2 - fixed, ratio_mean, ratio_variance)

    for test, of_test in ((G2(), by_ratio), (MutualInformation(), by_ratio), (Chi2(), by_pearson)):
        answers = test.many(statistics, np.array([[0, 1, 2]]))
        statistic, mean, variance = of_test
        gamma = stats.gamma(mean**2 / variance, scale=variance / mean)
        assert answers.is_reliable.tolist() == [is_reliable]
        assert answers.p_value[0] == pytest.approx(gamma.sf(statistic), abs=1e-9)


def test_a_well_filled_table_is_compared_as_ever():
    rng = np.random.default_rng(1)
    statistics = from_dataset(dataset_of([tuple(row) for row in rng.integers(0, [3, 4], (400, 2))], [3, 4]))

    for test in (G2, Chi2, MutualInformation):
        usual = test().many(statistics, np.array([[0, 1]]))
        asymptotic = test(sparse="asymptotic").many(statistics, np.array([[0, 1]]))
        assert usual.p_value.tolist() == asymptotic.p_value.tolist()
        assert usual.is_reliable.all()
        assert asymptotic.is_reliable.all()


def test_a_table_whose_strata_have_a_row_each_tells_nothing_and_one_that_a_condition_determines_does():
    lone = from_dataset(dataset_of([(i % 2, i % 3 % 2, i) for i in range(12)], [2, 2, 12]))
    few, told = (
        from_dataset(dataset_of([(z, i % 2, z) for z in range(2) for i in range(n)], [2, 2, 2]))
        for n in (9, 10)
    )

    reliable = [G2().many(s, np.array([[0, 1, 2]])).is_reliable[0] for s in (lone, few, told)]
    assert reliable == [False, False, True]


def test_a_wrong_option_is_refused_by_name():
    with pytest.raises(sl.OptionError, match=r"G2\(dof='most'\): dof is how degrees of freedom are counted"):
        G2(dof="most")


def test_a_statistic_is_put_on_the_scale_of_the_chi_square_with_its_mean_and_variance():
    statistic, dof = scaled(np.array([3.0, 3.0, 0.0]), np.array([2.0, 2.0, 0.0]), np.array([4.0, 0.5, 0.0]))

    assert statistic.tolist() == [3.0, 24.0, 0.0]  # 2 · mean / variance times as much
    assert dof.tolist() == [2.0, 16.0, 0.0]  # so that the variance is twice the mean


def weighted_answer(x, y, weights, test):
    table = sl.Dataset({"x": x, "y": y}, weights=weights, kinds={"x": "discrete", "y": "discrete"})
    return sl.test_independence(table, "x", "y", test=test)


@pytest.mark.parametrize("by", [1.0 - 1e-15, 1.0 + 1e-15])
def test_weights_next_to_whole_numbers_answer_as_these_do(by):
    counts = np.array([4.0, 2.0, 2.0, 12.0])

    whole, next_to_it = (
        weighted_answer([0, 0, 1, 1], [0, 1, 0, 1], weights, "g2") for weights in (counts, counts * by)
    )

    assert next_to_it.p_value == pytest.approx(whole.p_value, rel=1e-9)


@pytest.mark.parametrize("test", ["g2", "chi2"])
@pytest.mark.filterwarnings("ignore")  # shares of rows are warned of
def test_whatever_the_weights_a_p_value_is_one(test):
    rng = np.random.default_rng(0)
    x, y = (each.ravel() for each in np.indices((3, 3)))

    for _ in range(200):
        weights = 2.0 + rng.gamma(rng.choice([0.1, 0.5, 2.0]), rng.choice([0.3, 1.0, 5.0]), 9)
        weights[1:] -= 2.0
        assert 0.0 <= weighted_answer(x, y, weights, test).p_value <= 1.0
