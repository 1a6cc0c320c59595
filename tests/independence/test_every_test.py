"""What every test of independence promises, whatever it computes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import structlearn as sl
from structlearn.data import Dataset
from structlearn.data.columns import ContinuousColumn, DiscreteColumn
from structlearn.independence import (
    G2,
    GCM,
    KCI,
    Chi2,
    ConditionalGaussian,
    DistanceCorrelation,
    EffectiveZ,
    ExactT,
    FisherZ,
    MutualInformation,
    Permutation,
    ProjectionCorrelation,
    RCoT,
)
from structlearn.independence.registry import BY_NAME
from structlearn.statistics import from_dataset
from tests.statistics.test_missing import gapped_dataset, without_gaps

QUICK = Permutation(n_permutations=30)
PARTIAL = DistanceCorrelation(partial=True)
CASES = {
    "discrete": [G2(), G2(dof="full"), Chi2(), MutualInformation(), QUICK, ConditionalGaussian()],
    "continuous": [
        FisherZ(),
        ExactT(),
        EffectiveZ(),
        QUICK,
        ConditionalGaussian(),
        KCI(),
        RCoT(),
        GCM(),
        PARTIAL,
    ],
    "mixed": [ConditionalGaussian(), KCI(), RCoT(), GCM(), PARTIAL],
}
EVERY = [pytest.param(sort, test, id=f"{sort}-{test}") for sort, tests in CASES.items() for test in tests]
WITH_GAPS = [case for case in EVERY if not isinstance(case.values[1], EffectiveZ)]  # a gap breaks the order


def table(sort, seed, n=50):
    """Five dependent columns: discrete ones have labels of more than one kind of frequency."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(n, 5)) @ rng.normal(size=(5, 5))
    kinds = {"discrete": [3, 2, 2, 3, 2], "continuous": [0] * 5, "mixed": [2, 0, 3, 0, 2]}[sort]
    columns = []
    for j, n_levels in enumerate(kinds):
        if n_levels:
            codes = np.digitize(numbers[:, j], [-0.5, 1.0][: n_levels - 1]).astype(np.uint8)
            columns.append(DiscreteColumn(f"c{j}", codes, tuple(range(n_levels)), None))
        else:
            columns.append(ContinuousColumn(f"c{j}", numbers[:, j], None))
    return Dataset.from_columns(columns)


def test_no_test_of_the_registry_is_left_out():
    covered = {type(test) for tests in CASES.values() for test in tests}

    assert {type(make()) for make in BY_NAME.values()} == covered | {ProjectionCorrelation}  # of pairs alone


@pytest.mark.parametrize(("sort", "test"), EVERY)
@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_neither_the_order_of_x_and_y_nor_that_of_the_conditions_matters(sort, test, seed, data):
    statistics = from_dataset(table(sort, seed))
    x, y, *given_ = data.draw(st.permutations(range(5)))[: data.draw(st.integers(2, 5))]
    again = data.draw(st.permutations(given_))

    one, two = (test.many(statistics, np.array([q])) for q in ((x, y, *given_), (y, x, *again)))

    np.testing.assert_allclose(one.p_value, two.p_value, rtol=1e-7)
    np.testing.assert_allclose(one.statistic, two.statistic, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(one.dof, two.dof)


@pytest.mark.parametrize(("sort", "test"), EVERY)
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10**6), size=st.integers(2, 4))
def test_a_batch_is_answered_as_its_questions_alone(sort, test, seed, size):
    rng = np.random.default_rng(seed)
    statistics = from_dataset(table(sort, seed))
    questions = np.array([rng.permutation(5)[:size] for _ in range(5)])

    together = test.many(statistics, questions)
    alone = [test.many(statistics, question[None]) for question in questions]

    np.testing.assert_allclose(together.p_value, [answer.p_value[0] for answer in alone], rtol=1e-9)
    np.testing.assert_allclose(together.log_p, [answer.log_p[0] for answer in alone], rtol=1e-7, atol=1e-12)


@pytest.mark.parametrize(("sort", "test"), EVERY)
@pytest.mark.parametrize("n_rows", [1, 2, 3, 5, 12])
def test_p_values_are_never_nan_however_few_the_rows(sort, test, n_rows):
    statistics = from_dataset(table(sort, n_rows, n=n_rows))
    for size in range(2, 6):
        questions = np.array([np.roll(range(5), shift)[:size] for shift in range(5)])
        answers = test.many(statistics, questions)

        assert ((answers.p_value >= 0.0) & (answers.p_value <= 1.0)).all()
        assert (answers.log_p <= 0.0).all()
        np.testing.assert_allclose(np.exp(answers.log_p), answers.p_value, rtol=1e-9)


SORTS_OF_COLUMNS = {"discrete": range(5), "continuous": range(5, 8), "mixed": range(8)}


@pytest.mark.parametrize(("sort", "test"), WITH_GAPS)
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_with_gaps_a_question_is_answered_by_the_rows_that_can_answer_it(sort, test, seed, data):
    dataset = gapped_dataset(seed).select([gapped_dataset(0).names[j] for j in SORTS_OF_COLUMNS[sort]])
    n_columns = len(dataset.names)
    # In their order, because permutations are seeded by the places of the columns.
    question = sorted(data.draw(st.permutations(range(n_columns)))[: data.draw(st.integers(2, 3))])

    found = test.many(from_dataset(dataset, missing="testwise"), np.array([question]))
    expected = test.many(without_gaps(dataset, question), np.arange(len(question))[None])

    if isinstance(test, Permutation):
        expected = permuted_as(test, dataset, question)
    np.testing.assert_allclose(found.p_value, expected.p_value, rtol=1e-7)
    np.testing.assert_allclose(found.statistic, expected.statistic, rtol=1e-7, atol=1e-9)
    np.testing.assert_array_equal(found.dof, expected.dof)


def permuted_as(test, dataset, question):
    """The answer from the rows that are left, with all columns in their places."""
    keep = np.ones(dataset.n_rows, dtype=bool)
    for j in question:
        mask = dataset.columns[j].missing
        keep &= True if mask is None else ~mask
    columns = [dataset.columns[j].take(keep) for j in range(len(dataset.names))]
    whole = [replace(column, missing=None) for column in columns]
    return test.many(from_dataset(Dataset.from_columns(whole)), np.array([question]))


N_PAIRS = 2000


def null_table(x_kind, y_kind, z_kind, n_rows, seed, n_pairs=N_PAIRS, strength=0.0):
    """(statistics, questions): many pairs, each independent given the last column if strength is 0."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n_rows)
    d = (z > 0).astype(np.uint8)
    cause = z if z_kind == "continuous" else d.astype(float)
    columns = []
    for i in range(n_pairs):
        x = 0.7 * cause + rng.normal(size=n_rows)
        y = 0.7 * cause + strength * x + rng.normal(size=n_rows)
        columns += [column(f"x{i}", x, x_kind), column(f"y{i}", y, y_kind)]
    columns.append(
        column("z", z, "continuous") if z_kind == "continuous" else DiscreteColumn("z", d, (0, 1), None)
    )
    questions = np.array([(2 * i, 2 * i + 1, 2 * n_pairs) for i in range(n_pairs)])
    return from_dataset(Dataset.from_columns(columns)), questions


def column(name, values, kind):
    if kind == "continuous":
        return ContinuousColumn(name, values, None)
    return DiscreteColumn(name, (values > 0.3).astype(np.uint8), (0, 1), None)


D, C = "discrete", "continuous"
# Asymptotic tests need rows, and so do permuted tables, which tie in small ones; exact tests do not.
NULLS = [
    *(pytest.param(test, D, D, D, 600, id=str(test)) for test in (G2(), Chi2(), MutualInformation())),
    pytest.param(Permutation(n_permutations=199), D, D, D, 2000, id="permuted tables"),
    pytest.param(FisherZ(), C, C, C, 60, id="FisherZ"),
    pytest.param(ExactT(), C, C, C, 12, id="ExactT"),
    pytest.param(EffectiveZ(), C, C, C, 60, id="EffectiveZ"),
    pytest.param(Permutation(n_permutations=99), C, C, C, 60, id="permuted residuals"),
    pytest.param(ConditionalGaussian(), C, C, D, 300, id="two continuous"),
    pytest.param(ConditionalGaussian(), C, D, D, 300, id="continuous and discrete given discrete"),
    pytest.param(ConditionalGaussian(), D, C, C, 300, id="discrete and continuous given continuous"),
    pytest.param(ConditionalGaussian(), D, D, C, 250, id="two discrete"),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("test", "x", "y", "z", "n_rows"), NULLS)
def test_p_values_under_independence_are_uniform(test, x, y, z, n_rows):
    statistics, questions = null_table(x, y, z, n_rows, seed=11)

    p_values = test.many(statistics, questions).p_value

    assert stats.kstest(p_values, "uniform").pvalue > 0.001


@pytest.mark.compiled
@pytest.mark.parametrize(("test", "x", "y", "z"), [case.values[:4] for case in NULLS])
def test_power_grows_with_the_rows(test, x, y, z):
    found = []
    for n_rows in (40, 400):
        statistics, questions = null_table(x, y, z, n_rows, seed=5, n_pairs=60, strength=0.4)
        found.append((test.many(statistics, questions).p_value < 0.05).mean())

    assert found[0] < found[1]
    assert found[1] > 0.5


def test_the_same_seed_gives_the_same_permutations():
    data = sl.example("asia").sample(100, random_state=0)
    statistics = from_dataset(data)
    questions = np.array([(0, 1, 2), (3, 4, 5)])

    one, two = (QUICK.many(statistics, questions).p_value.tolist() for _ in range(2))

    assert one == two
