"""Permutation tests: all permutations of small samples, the same answer however asked."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.independence import ExactT
from structlearn.independence.permutation import Permutation
from structlearn.independence.permuted import PermutedResiduals, PermutedTable
from structlearn.statistics import from_dataset
from tests.oracles import permutations as oracle
from tests.oracles.reference_data import T1, T1_COUNTS, T3

T1_ROWS = [tuple(map(int, state)) for state, n in T1_COUNTS.items() for _ in range(n)]


def p_value(test, statistics, *question):
    return test.many(statistics, np.array([question])).p_value[0]


def test_the_exact_distribution_has_the_hand_calculated_values():
    # From docs/references/independence.md#permutations.
    assert oracle.exact_p(T1_ROWS, 0, 1, []) == pytest.approx(0.0697785, abs=1e-7)
    assert oracle.exact_p(T1_ROWS, 0, 1, [], is_pearson=True) == pytest.approx(0.0697785, abs=1e-7)
    assert oracle.mean_statistic(T1_ROWS, 0, 1, []) == pytest.approx(1.084409, abs=1e-6)
    assert oracle.mean_statistic(T1_ROWS, 0, 2, [1]) == pytest.approx(2.736401, abs=1e-6)
    assert oracle.mean_statistic(T1_ROWS, 0, 2, [1], is_pearson=True) == pytest.approx(2.222222, abs=1e-6)


@pytest.mark.parametrize("statistic", ["g2", "chi2", "mi"])
@pytest.mark.parametrize("question", [(0, 1), (0, 2), (0, 2, 1), (0, 1, 2), (1, 2, 0)], ids=str)
def test_p_values_are_within_sampling_error_of_all_permutations(statistic, question):
    n = 20_000
    x, y, *given_ = question
    exact = oracle.exact_p(T1_ROWS, x, y, given_, is_pearson=statistic == "chi2")

    found = p_value(Permutation(statistic, n_permutations=n), from_dataset(T1), *question)

    assert abs(found - exact) <= 4 * np.sqrt(exact * (1 - exact) / n) + 2 / n


def test_correlations_are_within_sampling_error_of_all_permutations():
    n = 20_000
    columns = T3.to_dict()
    exact = oracle.exact_correlation_p(columns["x"].tolist(), columns["y"])

    found = p_value(Permutation(n_permutations=n), from_dataset(T3), 0, 1)

    assert abs(found - exact) <= 4 * np.sqrt(exact * (1 - exact) / n) + 2 / n


def test_drawn_tables_are_as_frequent_as_permuted_rows_make_them():
    rng = np.random.default_rng(0)
    table = np.array([[[3, 1, 2], [1, 2, 0], [0, 2, 1]]])
    x = np.repeat(np.arange(3), table[0].sum(axis=1))
    y = np.repeat(np.arange(3), table[0].sum(axis=0))
    drawn = PermutedTable(table, "g2")._tables(rng, 6000)[:, 0]
    shuffled = np.zeros((6000, 3, 3), dtype=int)
    for one in shuffled:
        np.add.at(one, (rng.permutation(x), y), 1)

    assert (drawn.sum(axis=1) == table[0].sum(axis=0)).all()
    assert (drawn.sum(axis=2) == table[0].sum(axis=1)).all()
    for cell in np.ndindex(3, 3):
        pair = [np.bincount(tables[:, *cell], minlength=8) for tables in (drawn, shuffled)]
        seen = np.array(pair)[:, np.sum(pair, axis=0) > 20]
        assert stats.chi2_contingency(seen).pvalue > 1e-4


def test_the_data_count_as_one_of_the_permutations():
    rows = np.repeat([0, 1], 50)
    statistics = from_dataset(sl.Dataset({"x": rows, "y": rows}))

    assert p_value(Permutation(n_permutations=19), statistics, 0, 1) == 1 / 20


def test_permuted_residuals_spread_as_partial_correlations_do():
    rng = np.random.default_rng(0)
    squares = []
    for _ in range(60):
        ratios = PermutedResiduals(rng.normal(size=(16, 8))).draw(rng, 100)
        squares.append(1.0 - np.exp(-ratios / 16))

    # A squared partial correlation of independent normal columns is 1 / (n - k - 1) on average.
    assert np.mean(squares) == pytest.approx(1 / (16 - 6 - 1), abs=0.01)


def test_semi_parametric_degrees_of_freedom_are_the_mean_of_the_permuted_statistics():
    test = Permutation("g2", n_permutations=20_000, semi_parametric=True)

    found = test.many(from_dataset(T1), np.array([[0, 2, 1]]))

    # From docs/references/independence.md#permutations.
    assert found.dof[0] == pytest.approx(2.736401, abs=0.06)
    assert found.p_value[0] == pytest.approx(stats.chi2.sf(found.statistic[0], found.dof[0]), abs=1e-12)


def test_stopping_early_costs_little_and_is_exact_about_when():
    statistics = from_dataset(T1)
    exact = oracle.exact_p(T1_ROWS, 0, 2, [])
    found = [
        p_value(Permutation(n_permutations=2000, stop_after=20, seed=seed), statistics, 0, 2)
        for seed in range(200)
    ]

    n_drawn = 20 / np.array(found)
    np.testing.assert_allclose(n_drawn, np.rint(n_drawn))
    # The number of draws until the 20th success is negative binomial.
    assert np.mean(n_drawn) == pytest.approx(20 / exact, abs=4 * np.sqrt(20 * (1 - exact)) / exact / 200**0.5)


@pytest.fixture(params=["discrete", "continuous"])
def columns(request):
    rng = np.random.default_rng(3)
    if request.param == "discrete":
        return {name: rng.integers(0, 3, 80) for name in "abcd"}
    return {name: rng.normal(size=80) for name in "abcd"}


def test_answers_depend_neither_on_batches_nor_on_the_way_of_asking_nor_on_threads(columns, monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    test = Permutation(n_permutations=200)
    questions = np.array([(0, 1, 2, 3), (1, 2, 0, 3), (2, 3, 0, 1)])
    one, two = (from_dataset(sl.Dataset(columns), n_jobs=n) for n in (1, 2))
    expected = test.many(one, questions).p_value.tolist()

    assert test.many(two, questions).p_value.tolist() == expected
    assert test.many(one, questions[::-1]).p_value.tolist() == expected[::-1]
    assert test.many(one, questions[:, [1, 0, 3, 2]]).p_value.tolist() == expected
    assert [p_value(test, one, *question) for question in questions] == expected
    assert Permutation(n_permutations=200, seed=1).many(one, questions).p_value.tolist() != expected


def test_answers_do_not_depend_on_the_order_of_rows(columns):
    order = np.random.default_rng(0).permutation(80)
    one, two = (
        p_value(Permutation(n_permutations=100), from_dataset(sl.Dataset(table)), 0, 1, 2)
        for table in (columns, {name: column[order] for name, column in columns.items()})
    )

    assert one == two


def test_permuted_residuals_agree_with_the_exact_test_of_gaussian_columns():
    rng = np.random.default_rng(2)
    z = rng.normal(size=40)
    columns = {"x": z + rng.normal(size=40), "y": z + rng.normal(size=40), "z": z}
    statistics = from_dataset(sl.Dataset(columns))

    found = p_value(Permutation(n_permutations=20_000), statistics, 0, 1, 2)

    assert found == pytest.approx(p_value(ExactT(), statistics, 0, 1, 2), abs=0.02)


def test_what_cannot_be_permuted_has_p_value_one(columns):
    constant = np.full(80, columns["a"][0])
    kinds = dict.fromkeys("abcde", "discrete" if constant.dtype.kind == "i" else "continuous")
    statistics = from_dataset(sl.Dataset(columns | {"e": constant}, kinds=kinds))

    assert p_value(Permutation(), statistics, 0, 4) == 1.0
    assert p_value(Permutation(semi_parametric=True), statistics, 4, 0, 1) == 1.0


def test_a_column_that_the_conditions_determine_has_p_value_one():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    statistics = from_dataset(sl.Dataset({"a": a, "b": b, "sum": a + b}))

    assert p_value(Permutation(), statistics, 2, 0, 1) < 0.01
    assert p_value(Permutation(), from_dataset(sl.Dataset({"a": a, "b": b, "c": 2 * a})), 2, 1, 0) == 1.0


def test_weights_must_be_counts(columns):
    kinds = dict.fromkeys("abcd", "discrete" if columns["a"].dtype.kind == "i" else "continuous")
    weighted = from_dataset(sl.Dataset(columns, weights=np.full(80, 0.5), kinds=kinds))

    with pytest.raises(sl.DataError, match="weights"):
        p_value(Permutation(), weighted, 0, 1)


def test_whole_weights_are_repeated_rows():
    rows = {name: [row[j] for row in T1_ROWS] for j, name in enumerate("ABC")}
    weights = np.arange(20) % 3
    repeated = {name: np.repeat(column, weights) for name, column in rows.items()}
    one, two = (from_dataset(data) for data in (sl.Dataset(rows, weights=weights), sl.Dataset(repeated)))

    assert p_value(Permutation(), one, 0, 1, 2) == p_value(Permutation(), two, 0, 1, 2)


def test_options_that_exclude_each_other_or_are_wrong_are_refused():
    with pytest.raises(sl.OptionError, match="leave stop_after out"):
        Permutation(semi_parametric=True, stop_after=5)
    with pytest.raises(sl.OptionError, match=r"Permutation\(statistic='luck'\)"):
        Permutation("luck")
