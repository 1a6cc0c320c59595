"""The mixed test: likelihoods added up row by row, general optimisers, its limits, its degenerate cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.linear_model import LogisticRegression

import structlearn as sl
from structlearn.independence import G2, ExactT
from structlearn.independence.conditional_gaussian import ConditionalGaussian
from structlearn.independence.kernels.logit import logit_likelihood, logit_score
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import mixed_likelihoods as oracle
from tests.oracles.reference_data import T1, T3


def statistics_of(columns):
    kinds = {n: "discrete" if np.asarray(c).dtype.kind == "i" else "continuous" for n, c in columns.items()}
    return from_dataset(sl.Dataset(columns, kinds=kinds))


def answer(columns, *question):
    names = list(columns)
    places = np.array([[names.index(name) for name in question]])
    answers = ConditionalGaussian().many(statistics_of(columns), places)
    return answers.statistic[0], answers.dof[0], answers.p_value[0]


def table(seed, n=60):
    """Two continuous columns, two discrete ones with two and three levels, all dependent."""
    rng = np.random.default_rng(seed)
    d = np.concatenate([[0, 1], rng.integers(0, 2, n - 2)])
    e = np.concatenate([[0, 1, 2], (rng.integers(0, 3, n) * (rng.random(n) < 0.8) + d)[3:] % 3])
    u = rng.normal(size=n) + 0.5 * d
    v = rng.normal(size=n) * (1.0 + e) + 0.5 * u
    return {"d": d, "e": e, "u": u, "v": v}


def test_two_groups_have_the_hand_calculated_ratio():
    columns = {"y": np.array([1.0, 2, 3, 4, 6, 8]), "d": np.array([0, 0, 0, 1, 1, 1])}

    # From docs/references/independence.md#mixed-columns: -13.717434 and -9.376677.
    assert oracle.gaussian(columns["y"], []) == pytest.approx(-13.717434, abs=1e-6)
    assert answer(columns, "y", "d") == pytest.approx((8.681514, 2, 0.0829086), abs=1e-6)
    assert answer(columns, "d", "y") == pytest.approx((8.681514, 2, 0.0829086), abs=1e-6)


def test_continuous_columns_alone_have_the_gaussian_likelihood_ratio():
    found = ConditionalGaussian().many(from_dataset(T3), np.array([[0, 1, 2]]))

    # From docs/references/independence.md#partial-correlations.
    assert (found.statistic[0], found.dof[0]) == pytest.approx((19.963177, 1), abs=1e-6)
    assert found.p_value[0] == pytest.approx(2.917810e-03, rel=1e-6)  # that of Student's t


def test_discrete_columns_alone_have_g2():
    questions = np.array([[0, 1, 2], [2, 0, 1]])
    found, expected = (test.many(from_dataset(T1), questions) for test in (ConditionalGaussian(), G2()))

    assert found.statistic.tolist() == expected.statistic.tolist()
    assert found.p_value.tolist() == expected.p_value.tolist()


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_likelihood_ratios_are_those_of_the_definitions(seed):
    columns = table(seed)
    w = np.random.default_rng(seed + 1).normal(size=60)
    d, e, u, v = (columns[name] for name in "deuv")
    expected = {
        "uvd": oracle.two_continuous(u, v, [d], []),
        "uvdw": oracle.two_continuous(u, v, [d], [w]),
        "uvw": oracle.two_continuous(u, v, [], [w]),
        "ve": oracle.continuous_and_discrete(v, e, [], []),
        "evw": oracle.continuous_and_discrete(v, e, [], [w]),
        "udw": oracle.continuous_and_discrete(u, d, [], [w]),
    }

    for question, (statistic, dof) in expected.items():
        found = answer(columns | {"w": w}, *question)
        assert found[:2] == pytest.approx((statistic, dof), rel=1e-8, abs=1e-8)


def test_with_many_rows_the_p_value_is_that_of_chi_squared():
    columns = table(0, n=20_000) | {"w": np.random.default_rng(1).normal(size=20_000)}
    columns |= {"s": np.random.default_rng(2).normal(size=20_000), "f": np.arange(20_000) % 3}

    for question in ("swd", "sw", "sf", "sfdw", "sfeu"):
        statistic, dof, p_value = answer(columns, *question)
        assert 0.01 < p_value < 0.99
        assert p_value == pytest.approx(stats.chi2.sf(statistic, dof), rel=0.01)


def test_two_columns_in_one_state_have_the_p_value_of_the_exact_test():
    columns = table(1, n=12)
    columns["d"] = np.zeros(12, dtype=int)
    columns["u"] = columns["u"] + columns["v"] / 4
    alone = statistics_of({name: columns[name] for name in "uv"})
    exact = ExactT().many(alone, np.array([[0, 1]])).p_value[0]

    assert answer(columns, "u", "v")[2] == pytest.approx(exact, rel=1e-9)
    assert answer(columns, "u", "v", "d")[2] == pytest.approx(exact, rel=0.05)  # by its moments


@pytest.mark.parametrize(("n_rows", "dof"), [(2, 0), (3, 1), (4, 1)])
def test_a_state_takes_part_with_more_rows_than_its_regression_has_coefficients(n_rows, dof):
    rng = np.random.default_rng(0)
    x, y, z = rng.normal(size=(3, n_rows + 1))
    columns = {"x": x[:n_rows], "y": y[:n_rows], "d": np.zeros(n_rows, dtype=int)}

    found = answer(columns, "x", "y", "d")

    # Without conditions a line through x and y has two coefficients; each continuous one brings one more.
    assert found[1] == dof
    assert (found[2] < 1.0) == bool(dof)
    more = {"x": x, "y": y, "z": z, "d": np.zeros(n_rows + 1, dtype=int)}
    assert answer(more, "x", "y", "z", "d")[1] == dof


@pytest.mark.parametrize(("n_rows", "dof"), [(1, 0), (2, 2), (3, 2)])
def test_a_group_takes_part_with_more_rows_than_its_regression_has_coefficients(n_rows, dof):
    rng = np.random.default_rng(0)
    columns = {
        "x": rng.normal(size=2 * n_rows),
        "d": np.repeat([0, 1], n_rows),
        "e": np.zeros(2 * n_rows, dtype=int),
    }

    assert answer(columns, "x", "d")[1] == dof
    assert answer(columns, "x", "d", "e")[1] == dof
    more = {"z": rng.normal(size=2 * n_rows + 2), "d": np.repeat([0, 1], n_rows + 1)}
    more["x"] = rng.normal(size=2 * n_rows + 2)
    assert answer(more, "x", "d", "z")[1] == (dof + 1 if dof else 0)


def test_a_discrete_condition_splits_both_models():
    columns = table(3, n=400)
    d, e, u, v = (columns[name] for name in "deuv")

    assert answer(columns, "v", "e", "d", "u")[:2] == pytest.approx(
        oracle.continuous_and_discrete(v, e, [d], [u]), rel=1e-9
    )


@pytest.mark.parametrize("seed", range(3))
def test_two_discrete_columns_given_a_continuous_one_are_compared_by_logistic_regressions(seed):
    columns = table(seed)
    statistic, dof, p_value = oracle.two_discrete(columns["d"], columns["e"], [columns["v"]])

    assert answer(columns, "d", "e", "v") == pytest.approx((statistic, dof, p_value), abs=1e-6)


def test_where_one_regression_says_nothing_the_other_decides_at_twice_its_p_value():
    columns = table(4, n=200)
    d = (columns["v"] > 0.1).astype(int)  # v determines d, so that nothing else can help to predict it
    e = np.where(columns["u"] > 1.0, d, columns["e"])
    without = oracle.logistic(e, [columns["v"]], 3)
    p_value = stats.chi2.sf(2 * (oracle.logistic(e, [columns["v"], d.astype(float)], 3) - without), 2)

    found = answer(columns | {"d": d, "e": e}, "d", "e", "v")

    assert 1e-8 < p_value < 0.2
    assert found[2] == pytest.approx(2 * p_value, rel=1e-4)
    assert found[0] < 0.01


def test_the_likelihood_of_a_logistic_regression_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    design = rng.normal(size=(300, 3))
    target = (design @ rng.normal(size=(3, 4)) + rng.gumbel(size=(300, 4))).argmax(axis=1)
    weights = rng.integers(1, 4, 300).astype(float)

    found, is_attained = logit_likelihood(
        np.column_stack([np.ones(300), design]), target.astype(np.int64), weights, 4
    )

    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(design, target, weights)
    expected = weights @ peer.predict_log_proba(design)[np.arange(300), target]
    assert is_attained
    assert found == pytest.approx(expected, abs=1e-6)


def test_rao_s_score_of_one_column_more_is_its_slope_squared_over_its_information():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=80), rng.integers(0, 2, 80)
    weights = rng.integers(1, 4, 80).astype(float)

    found = logit_score(np.column_stack([np.ones(80), x]), 1, y, weights, 2)

    p = weights @ y / weights.sum()
    slope = (weights * x) @ (y - p)
    information = p * (1 - p) * (weights @ (x - weights @ x / weights.sum()) ** 2)
    assert found == pytest.approx(slope**2 / information, rel=1e-6)


def test_separated_classes_are_dependent_and_said_to_be_unreliable():
    rng = np.random.default_rng(1)
    d = np.repeat([0, 1], 50)
    columns = {"d": d, "e": d.copy(), "v": rng.normal(size=100)}

    found = ConditionalGaussian().many(statistics_of(columns), np.array([[0, 1, 2]]))

    # Without d the best guess of e costs ln 2 for each row, with it nothing; v alone may help a little.
    assert 0.9 * 200 * np.log(2) < found.statistic[0] < 200 * np.log(2) + 1e-6
    assert found.p_value[0] < 1e-20
    assert found.is_reliable.tolist() == [False]


def test_groups_with_too_few_rows_have_no_part():
    columns = table(5, n=120)
    lonely = {name: np.append(column, column[:1]) for name, column in columns.items()}
    lonely["e"] = np.append(columns["e"], 3)  # one row of a fourth level

    # The row is one of those that say how heavy the tails of v are.
    assert answer(lonely, "v", "e", "d")[:2] == pytest.approx(answer(columns, "v", "e", "d")[:2], rel=1e-9)
    assert answer(lonely, "u", "v", "e") == pytest.approx(answer(columns, "u", "v", "e"), rel=1e-9)


def test_a_group_in_which_a_column_is_constant_has_no_part():
    columns = table(6, n=200)
    frozen = columns | {"v": np.where(columns["e"] == 0, 7.1, columns["v"])}
    without = {name: column[columns["e"] != 0] for name, column in columns.items()}

    assert answer(frozen, "u", "v", "e") == pytest.approx(answer(without, "u", "v", "e"), rel=1e-9)
    assert answer(frozen, "v", "e", "d") == pytest.approx(answer(without, "v", "e", "d"), rel=1e-9)


def test_what_determines_a_column_depends_on_it():
    columns = table(7)
    columns["exact"] = columns["d"] * 1.25 + 0.3
    columns["line"] = 2.0 * columns["u"] - 1.0

    assert answer(columns, "exact", "d")[2] < 1e-100
    assert answer(columns, "line", "u", "d")[2] < 1e-100


def test_what_cannot_be_tested_has_p_value_one():
    columns = table(8)
    columns |= {"flat": np.full(60, 0.1), "one": np.zeros(60, dtype=int), "line": 3.0 * columns["u"]}

    for question in ("flat d", "flat u d", "one v", "one d v", "d u line one", "flat one d", "u d line"):
        x, y, *given_ = question.split()
        statistic, dof, p_value = answer(columns, x, y, *given_)
        assert not np.isnan([statistic, dof, p_value]).any()
        if question != "d u line one":
            assert p_value == 1.0 or question == "u d line"
    few = {name: column[:3] for name, column in columns.items()}
    assert answer(few, "u", "v", "d")[2] == 1.0
    assert answer(few, "d", "e", "u")[2] == 1.0


def test_weights_count_as_repeated_rows():
    columns = table(9)
    weights = np.random.default_rng(0).integers(0, 4, 60)
    repeated = {name: np.repeat(column, weights) for name, column in columns.items()}
    kinds = {"d": "discrete", "e": "discrete"}
    weighted = from_dataset(sl.Dataset(columns, weights=weights, kinds=kinds))
    questions = {2: [(2, 3), (2, 0), (3, 1)], 3: [(2, 3, 0), (2, 1, 0), (3, 1, 2), (0, 1, 2)]}

    for rows in questions.values():
        found, expected = (
            ConditionalGaussian().many(statistics, np.array(rows))
            for statistics in (weighted, statistics_of(repeated))
        )
        np.testing.assert_allclose(found.statistic, expected.statistic, rtol=1e-8)
        assert found.dof.tolist() == expected.dof.tolist()


def test_batches_are_cut_to_size_without_changing_the_answers(monkeypatch):
    statistics = statistics_of(table(2, n=200))
    questions = np.array([(2, 3, 0), (2, 3, 1), (2, 1, 0), (3, 1, 0), (3, 0, 1), (3, 1, 2)])
    whole = ConditionalGaussian().many(statistics, questions)
    monkeypatch.setattr("structlearn.independence.conditional_gaussian.MOST_PRODUCTS", 1)

    cut = ConditionalGaussian().many(statistics, questions)

    assert cut.statistic.tolist() == whole.statistic.tolist()
    assert cut.dof.tolist() == whole.dof.tolist()


@pytest.mark.compiled
def test_a_published_mixed_network_is_found_from_its_sample():
    data = sl.Dataset(data_file("tables/clgaussian.test.csv"))
    arcs = data_file("tables/clgaussian.test.arcs.csv").read_text().split()[1:]
    truth = sl.Graph(data.names, directed=[tuple(arc.split(",")) for arc in arcs])

    assert sl.PC(alpha=0.01).fit(data).graph_.skeleton() == truth.skeleton()


HEAVY = {
    "exponential": np.random.Generator.standard_exponential,
    "t3": lambda rng, size: rng.standard_t(3, size),
    "t2": lambda rng, size: rng.standard_t(2, size),
    "log-normal": lambda rng, size: rng.lognormal(size=size),
}


def share_of_rejections(rng, drawn, groups):
    """At 5 %, of columns drawn beside groups."""
    n_columns = 300
    columns = {f"v{j}": drawn(rng, len(groups)) for j in range(n_columns)} | {"d": groups}
    questions = np.array([[j, n_columns] for j in range(n_columns)])
    return (ConditionalGaussian().many(statistics_of(columns), questions).p_value <= 0.05).mean()


@pytest.mark.compiled
@pytest.mark.parametrize("name", HEAVY)
@pytest.mark.parametrize("n_rows", [30, 300])
def test_heavy_tails_are_no_dependence_on_a_group(name, n_rows):
    rng = np.random.default_rng(0)
    groups = rng.permutation(np.arange(n_rows) % 3 // 2)

    # Three standard errors above the level, and half of it for a column that is skewed.
    assert share_of_rejections(rng, HEAVY[name], groups) <= 0.115


@pytest.mark.compiled
def test_groups_of_different_variance_still_differ():
    rng = np.random.default_rng(0)
    groups = np.arange(200) % 2

    assert share_of_rejections(rng, lambda rng, size: (1 + groups) * rng.normal(size=size), groups) > 0.95
    assert share_of_rejections(rng, lambda rng, size: groups + rng.standard_t(3, size), groups) > 0.9
