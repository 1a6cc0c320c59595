"""G² and X²: definitions, hand calculations, scipy, behaviour under independence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import structlearn as sl
from structlearn.independence import G2, Chi2
from structlearn.statistics import from_dataset
from tests.oracles import independence as oracle
from tests.oracles.reference_data import T1
from tests.statistics.test_counting import coded_tables, dataset_of


def answer(test, statistics, x, y, given_=()):
    answers = test.many(statistics, np.array([[x, y, *given_]]))
    return answers.statistic[0], answers.dof[0], answers.p_value[0]


# Card C2, table T1: (x, y, given), G², X², dof, the two p-values.
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

    assert answer(G2(), statistics, x, y, given_) == pytest.approx((g2, dof, p_of_g2), abs=1e-6)
    assert answer(Chi2(), statistics, x, y, given_) == pytest.approx((x2, dof, p_of_x2), abs=1e-6)


@pytest.mark.parametrize(("test", "statistic"), [(G2, 10.559010), (Chi2, 8.895238)])
def test_levels_a_stratum_lacks_leave_no_freedom_unless_asked_for(test, statistic):
    strata = [[[5, 3, 2], [0, 0, 0], [1, 4, 5]], [[2, 2, 1], [3, 1, 1], [0, 2, 3]]]
    rows = [(x, y, z) for z in range(2) for x in range(3) for y in range(3) for _ in range(strata[z][x][y])]
    statistics = from_dataset(dataset_of(rows, [3, 3, 3]))  # a third stratum never occurs: card C2

    assert answer(test(), statistics, 0, 1, [2])[:2] == pytest.approx((statistic, 6), abs=1e-6)
    assert answer(test(dof="full"), statistics, 0, 1, [2])[:2] == pytest.approx((statistic, 12), abs=1e-6)


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_statistics_are_those_of_the_definition(coded, data):
    codes, levels = coded
    x, y, *given_ = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(2, 4))]
    statistics = from_dataset(dataset_of(codes, levels))

    g2, x2, dof = oracle.contingency_statistics(codes, x, y, given_)
    for test, expected in ((G2(), g2), (Chi2(), x2)):
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


@pytest.mark.parametrize("test", [G2(), Chi2()], ids=str)
def test_p_values_under_independence_are_uniform(test):
    rng = np.random.default_rng(7)
    p_values = []
    for _ in range(200):
        z = rng.integers(0, 2, 1000)
        columns = {"z": z}
        columns |= {f"c{j}": (rng.random(1000) < 0.3 + 0.4 * z).astype(int) for j in range(5)}
        statistics = from_dataset(sl.Dataset(columns))
        pairs = np.array([(1, 2, 0), (3, 4, 0)])
        p_values.extend(test.many(statistics, pairs).p_value)

    assert stats.kstest(p_values, "uniform").pvalue > 0.001


def test_a_constant_column_is_independent_of_everything():
    statistics = from_dataset(dataset_of([(0, 0), (0, 1), (0, 1)], [1, 2]))

    assert answer(G2(), statistics, 0, 1) == (0.0, 0.0, 1.0)


def test_a_wrong_option_is_refused_by_name():
    with pytest.raises(sl.OptionError, match=r"G2\(dof='most'\): dof is how degrees of freedom are counted"):
        G2(dof="most")
