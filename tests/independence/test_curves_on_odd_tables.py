"""Tests for curves on tables that break things: two states, ties, copies, few rows, many conditions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import structlearn as sl
from structlearn.data import Dataset
from structlearn.independence import GCM, KCI, FisherZ, RCoT
from structlearn.independence.by_rows import gamma_tail
from structlearn.independence.gaussian_kernels import agreement, centred, gaussian_kernel
from structlearn.statistics import from_dataset

OF_CURVES = {"kci": KCI(), "rcot": RCoT(), "gcm": GCM()}
EACH = pytest.mark.parametrize("test", OF_CURVES.values(), ids=OF_CURVES)


def statistics_of(columns):
    table = {f"v{j}": np.asarray(column, dtype=float) for j, column in enumerate(columns)}
    return from_dataset(Dataset(table, kinds=dict.fromkeys(table, "continuous")))


def asked(test, *columns):
    """The answer about the first two columns given the others: statistic, p-value, and whether reliable."""
    found = test.many(statistics_of(columns), np.arange(len(columns))[None])
    return found.statistic[0], found.p_value[0], bool(found.is_reliable[0])


# Rows of two columns with two states: 00, 01, 10 and 11.
COUNTS = np.array([[22, 9], [11, 18]])
X, Y = (np.repeat(np.array(states), COUNTS.ravel()) for states in ([0, 0, 1, 1], [0, 1, 0, 1]))


def test_kernels_of_two_states_each_give_the_test_of_pearson():
    """Both kernels have one eigenvalue: the statistic over its mean is n φ², and its law χ² with 1."""
    expected = stats.chi2_contingency(COUNTS, correction=False).pvalue

    assert asked(KCI(), X, Y)[1] == pytest.approx(expected, rel=1e-9)
    assert asked(KCI(width=2.5), 5 - X, 3.0 * Y)[1] == pytest.approx(expected, rel=1e-9)


@EACH
def test_columns_that_are_exactly_uncorrelated_have_a_p_value_of_one(test):
    """Rounding must not bring a statistic of 0, or below it, to no number at all."""
    for n_each in range(5, 16):
        x, y = np.repeat([0, 0, 1, 1, 1, 1], n_each), np.repeat([0, 1, 0, 1, 0, 1], n_each)
        assert asked(test, x, y)[1] == pytest.approx(1.0, abs=1e-6)
    assert gamma_tail(-1e-17, 2.0, 3.0) == 1.0


@pytest.mark.parametrize("n_rows", [100, 200, 500])
@pytest.mark.parametrize("test", [KCI(), RCoT()], ids=["kci", "rcot"])
def test_columns_of_zeros_and_few_numbers_have_as_many_small_p_values_as_chance(test, n_rows):
    """With hardly a row that has neither zero the statistic is no longer nearly gamma distributed."""
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(16, n_rows)) * (rng.random((16, n_rows)) < 0.05)
    pairs = np.array([[i, j] for i in range(8) for j in range(8, 16)])

    found = test.many(statistics_of(columns), pairs)

    assert found.is_reliable.all()
    assert (found.p_value <= 0.05).sum() <= stats.binom.ppf(0.9995, len(pairs), 0.05)
    assert asked(test, columns[0], 2.0 * columns[0] + 1e-3 * columns[1])[1] == pytest.approx(1 / 200)
    assert not asked(test, columns[0], columns[1], rng.normal(size=n_rows))[2]


def test_features_of_two_states_are_the_columns_themselves():
    """A feature is the column or its negative: n φ² over the variance of the products is χ² with 1."""
    products = stats.zscore(X) * stats.zscore(Y)
    t = np.sqrt(60) * products.mean() / products.std()

    assert asked(RCoT(), X, Y)[1] == pytest.approx(stats.chi2.sf(t**2 * 59 / 60, 1), rel=1e-9)
    assert asked(GCM(), X, Y)[0] == pytest.approx(t * np.sqrt(59 / 60), rel=1e-9)


def of_groups(seed=0):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 2, 60)
    return group + rng.normal(size=60), group + rng.normal(size=60), group


def test_powers_of_a_condition_with_two_states_add_nothing_to_it():
    x, y, group = of_groups()
    left = [
        column - np.array([column[group == 0].mean(), column[group == 1].mean()])[group] for column in (x, y)
    ]
    products = left[0] * left[1]
    expected = np.sqrt(60) * products.mean() / products.std() * np.sqrt(58 / 60)

    for coded in (group, 3.0 - 2.0 * group, 0.1 + 7.3 * group):
        assert asked(GCM(), x, y, coded)[0] == pytest.approx(expected, rel=1e-9)


def test_a_condition_that_is_there_twice_counts_once_in_a_regression():
    x, y, _ = of_groups()
    z = np.random.default_rng(9).normal(size=60)
    once = asked(GCM(degree=1), x, y, z)

    assert asked(GCM(degree=1), x, y, z, 4.0 - 3.0 * z) == pytest.approx(once, rel=1e-9)


@EACH
def test_what_conditions_determine_is_independent_given_them(test):
    rng = np.random.default_rng(0)
    z, w, e = rng.normal(size=(3, 80))

    assert asked(test, z + w, z - w, z, w) == (0.0, 1.0, True)
    assert asked(test, e, 2.0 * z + 1.0, z) == (0.0, 1.0, True)
    assert asked(test, e, e + 1e-3 * rng.normal(size=80), z)[1] < 1e-3  # but not what is near to the other


@EACH
def test_more_conditions_than_rows_allow_no_reliable_answer(test):
    rows = np.random.default_rng(0).normal(size=(25, 32))
    _, p_value, is_reliable = asked(test, *rows.T)

    assert 0.0 <= p_value <= 1.0
    assert not is_reliable


@EACH
@pytest.mark.parametrize("n_conditions", [2, 3, 4])
def test_as_many_conditions_as_rows_determine_everything_by_chance(test, n_conditions):
    rows = np.random.default_rng(0).normal(size=(4, 2 + n_conditions))

    assert asked(test, *rows.T)[1:] == (1.0, False)


def test_features_need_ten_dimensions_that_conditions_leave():
    rows = np.random.default_rng(0).normal(size=(30, 16))

    assert asked(RCoT(), *rows.T)[1:] == (1.0, False)  # 29, less 14 columns and 6 features
    assert asked(RCoT(), *rows.T[:-1])[1] < 1.0


@EACH
def test_two_rows_say_nothing(test):
    """The only other order of them is the same."""
    assert asked(test, [1.0, 2.0], [5.0, 3.0])[1:] == (1.0, False)


def test_from_twenty_rows_on_the_gamma_law_takes_the_place_of_permutations():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, 20))
    kernels = [centred(gaussian_kernel(stats.zscore(column)[:, None], 0.8)) for column in (x, y)]
    share = 200 * asked(KCI(), x[:19], y[:19])[1]

    assert share == pytest.approx(round(share), abs=1e-9)
    assert asked(KCI(), x, y)[1] == pytest.approx(gamma_tail(*agreement(*kernels)), rel=1e-9)
    assert asked(KCI(), x[:19], y[:19], x[1:]) == (0.0, 1.0, False)
    assert asked(KCI(), x, y, x * y)[1] < 1.0
    assert asked(KCI(), x, y)[1] != pytest.approx(asked(KCI(width=0.5), x, y)[1], rel=1e-3)


@pytest.mark.parametrize(("n_rows", "width"), [(200, 0.8), (201, 0.5)])
def test_kernels_are_narrower_where_rows_are_many(n_rows, width):
    x, y = np.random.default_rng(0).normal(size=(2, n_rows))

    assert asked(KCI(), x, y) == asked(KCI(width=width), x, y)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(2, 30),
    n_columns=st.integers(2, 4),
    n_states=st.integers(1, 4),
)
def test_tied_rows_always_have_a_p_value_and_neither_order_matters(seed, n_rows, n_columns, n_states):
    columns = np.random.default_rng(seed).integers(0, n_states, (n_columns, n_rows))
    x, y, *conditions = columns

    for test in OF_CURVES.values():
        found = asked(test, x, y, *conditions)
        assert 0.0 <= found[1] <= 1.0
        assert np.isfinite(found[0])
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            assert found[1] == 1.0
        swapped = [[1, 0, *range(n_columns - 1, 1, -1)]]
        assert test.many(statistics_of(columns), np.array(swapped)).p_value[0] == found[1]


def test_answers_come_in_the_order_of_the_questions():
    rng = np.random.default_rng(0)
    a, e = rng.normal(size=(2, 60))
    statistics = from_dataset(Dataset({"a": a, "b": a**3, "c": e}))
    questions = np.array([[0, 2], [0, 1], [2, 1]])

    for test in (*OF_CURVES.values(), FisherZ()):
        together = test.many(statistics, questions).p_value
        assert together.tolist() == [test.many(statistics, questions[[j]]).p_value[0] for j in range(3)]
        assert together.argmin() == 1


def test_no_question_has_no_answer():
    statistics = from_dataset(sl.Dataset({"a": [0.5, 1.5, 2.5], "b": [1.0, 0.0, 4.0]}))

    for test in OF_CURVES.values():
        assert test.many(statistics, np.empty((0, 2), dtype=np.int64)).p_value.shape == (0,)
