"""The parts of tests that look at rows: moments, widths, permutations, features and polynomial terms."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.distance import pdist

from structlearn.data import Dataset
from structlearn.independence import GCM, KCI, RCoT
from structlearn.independence.by_rows import (
    Answer,
    Standardised,
    answer_by_rows,
    gamma_tail,
    median_distance,
    permuted_share,
)
from structlearn.independence.gaussian_kernels import agreement, centred, gaussian_kernel, usual_kernel
from structlearn.independence.gcm import _terms
from structlearn.statistics import from_dataset

RNG = np.random.default_rng(0)
TABLE = Dataset({name: RNG.gamma(2.0, size=30) for name in "abc"})


def columns_asked(question, table=TABLE):
    """What a test is shown of a question."""
    seen = []

    def answer(columns):
        seen.append(columns)
        return Answer(1.0, 0.5)

    answer_by_rows("Here", from_dataset(table), np.array([question]), answer)
    return seen[0]


def test_columns_are_standardised_in_the_order_of_the_table_and_rows_are_sorted():
    one, other = columns_asked((2, 0, 1)), columns_asked((0, 2, 1))

    for ours, theirs in zip(one, other, strict=True):
        assert ours.tolist() == theirs.tolist()
    for column in (one.x[:, 0], one.y[:, 0], one.given[:, 0]):
        assert column.mean() == pytest.approx(0.0, abs=1e-12)
        assert column.std() == pytest.approx(1.0)
    values = TABLE.to_dict()
    expected = stats.zscore(values["a"])
    assert sorted(one.x[:, 0].tolist()) == pytest.approx(sorted(expected))


def test_a_condition_that_is_constant_is_left_out():
    table = Dataset(
        {"a": RNG.normal(size=30), "b": RNG.normal(size=30), "c": np.full(30, 0.5)}, kinds={"c": "continuous"}
    )

    assert columns_asked((0, 1, 2), table).given.shape == (30, 0)


def test_units_do_not_matter_however_extreme():
    values = TABLE.to_dict()
    other = Dataset({"a": 1e150 * values["a"], "b": 1e-150 * values["b"], "c": 3.0 - 2.0 * values["c"]})

    for test in (KCI(), RCoT(), GCM()):
        for question in ((0, 1), (0, 1, 2)):
            one, two = (
                test.many(from_dataset(table), np.array([question])).p_value[0] for table in (TABLE, other)
            )
            if not isinstance(test, RCoT) or len(question) == 2:  # whose features are not even
                assert one == pytest.approx(two, rel=1e-6)


@pytest.mark.parametrize(("mean", "variance"), [(2.0, 3.0), (0.5, 0.01)])
def test_the_tail_is_that_of_the_gamma_distribution_with_these_moments(mean, variance):
    law = stats.gamma(a=mean**2 / variance, scale=variance / mean)

    assert law.mean() == pytest.approx(mean)
    assert law.var() == pytest.approx(variance)
    assert gamma_tail(1.3, mean, variance) == pytest.approx(law.sf(1.3), rel=1e-9)


def test_without_spread_nothing_is_rejected():
    assert gamma_tail(5.0, 0.0, 0.0) == gamma_tail(5.0, 1.0, 0.0) == 1.0


def test_the_width_is_the_median_distance_and_never_nothing():
    rows = RNG.normal(size=(40, 3))

    assert median_distance(rows) == pytest.approx(np.median(pdist(rows)))
    assert median_distance(np.zeros((10, 2))) == 1.0
    long = np.sort(RNG.normal(size=2000))[:, None]
    assert median_distance(long) == pytest.approx(np.median(pdist(long)), rel=0.02)


def test_kernels_are_those_of_their_formulas():
    rows = RNG.normal(size=(7, 2))
    apart = ((rows[:, None] - rows) ** 2).sum(axis=2)
    centring = np.eye(7) - 1 / 7

    kernel = gaussian_kernel(rows, 0.7)

    assert kernel == pytest.approx(np.exp(-apart / (2 * 0.49)))
    assert centred(kernel) == pytest.approx(centring @ kernel @ centring)
    assert usual_kernel(rows) == pytest.approx(
        centring @ gaussian_kernel(rows, median_distance(rows)) @ centring
    )


def test_the_agreement_of_two_kernels_has_the_moments_of_permuted_rows():
    """Over all permutations the mean of tr KL is tr K tr L / (n − 1), which the formula has but for 1/n."""
    one, other = (usual_kernel(RNG.normal(size=(60, 1))) for _ in range(2))
    rng = np.random.default_rng(1)
    orders = [rng.permutation(60) for _ in range(2000)]
    drawn = [float((one * other[np.ix_(order, order)]).sum()) for order in orders]

    _, mean, variance = agreement(one, other)

    assert mean == pytest.approx(np.mean(drawn), rel=0.05)
    assert variance == pytest.approx(np.var(drawn), rel=0.35)


def test_permuted_shares_are_never_0_and_small_for_rows_that_agree():
    kernel = usual_kernel(RNG.normal(size=(12, 1)))
    other = usual_kernel(RNG.normal(size=(12, 1)))

    assert permuted_share(kernel, kernel, 0) == pytest.approx(1 / 200)
    assert permuted_share(kernel, other, 0) > 0.02
    assert permuted_share(kernel, other, 0) == permuted_share(kernel, other, 0)


def test_terms_are_powers_and_products_lower_ones_first():
    given = RNG.normal(size=(10, 2))
    z, w = given.T

    found = _terms(given, 3, 100)

    assert found == pytest.approx(np.column_stack([z, w, z**2, w**2, z * w, z**3, w**3]))
    assert _terms(given, 3, 4) == pytest.approx(found[:, :4])
    assert _terms(given[:, :0], 4, 5).shape == (10, 0)


def test_linear_residuals_give_the_statistic_of_a_regression():
    rng = np.random.default_rng(4)
    z = rng.normal(size=300)
    x, y = z + rng.normal(size=300), z + rng.normal(size=300)
    design = np.column_stack([np.ones(300), z])
    left = [column - design @ np.linalg.lstsq(design, column, rcond=None)[0] for column in (x, y)]
    products = left[0] * left[1]
    expected = np.sqrt(300) * products.mean() / products.std() * np.sqrt(298 / 300)

    found = GCM(degree=1).many(from_dataset(Dataset({"x": x, "y": y, "z": z})), np.array([[0, 1, 2]]))

    assert found.statistic[0] == pytest.approx(expected, rel=1e-9)
    assert found.p_value[0] == pytest.approx(2 * stats.norm.sf(abs(expected)), rel=1e-9)


def test_random_features_are_standardised_and_belong_to_a_role():
    test, columns = RCoT(seed=3), RNG.normal(size=(50, 1))

    as_x, again, as_y = (test._features(columns, 5, role) for role in (0, 0, 1))

    assert as_x.tolist() == again.tolist()
    assert not np.allclose(as_x, as_y)
    assert as_x.mean(axis=0) == pytest.approx(np.zeros(5), abs=1e-12)
    assert as_x.std(axis=0) == pytest.approx(np.ones(5))


def test_two_columns_of_features_give_the_statistic_of_their_covariances():
    test = RCoT()
    x, y = stats.zscore(RNG.normal(size=(2, 80)), axis=1)
    features = [test._features(column[:, None], 5, role) for role, column in enumerate((x, y))]
    covariances = features[0].T @ features[1] / 80
    products = np.einsum("ni,nj->nij", *features).reshape(80, -1) * 80 / 79
    spread = np.cov(products.T, bias=True) * 79 / 80
    statistic = 80 * np.square(covariances).sum()

    found = test._answer(Standardised.continuous(x, y, np.empty((80, 0))))

    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    law = stats.gamma(
        np.trace(spread) ** 2 / (2 * (spread**2).sum()), scale=2 * (spread**2).sum() / np.trace(spread)
    )
    assert found.p_value == pytest.approx(law.sf(statistic), rel=1e-6)


def test_few_rows_for_many_conditions_are_said_to_be_unreliable():
    rng = np.random.default_rng(0)
    columns = Standardised.continuous(*rng.normal(size=(2, 60)), rng.normal(size=(60, 3)))

    assert not KCI()._answer(columns).is_reliable
    assert not RCoT()._answer(columns).is_reliable
    assert GCM()._answer(columns).is_reliable
    assert (
        not GCM()
        ._answer(Standardised.continuous(*rng.normal(size=(2, 21)), rng.normal(size=(21, 14))))
        .is_reliable
    )
