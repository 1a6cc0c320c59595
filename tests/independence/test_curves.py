"""Tests of independence for curves: their formulas, their level, and what they see beside Fisher's z."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import structlearn as sl
from structlearn.data import Dataset
from structlearn.independence import GCM, KCI, FisherZ, RCoT
from structlearn.independence.by_rows import Standardised, gamma_tail
from structlearn.independence.gaussian_kernels import agreement, centred, gaussian_kernel
from structlearn.independence.gcm import _Left, _Products
from structlearn.independence.tuned_widths import tuned_widths
from structlearn.statistics import from_dataset
from tests.oracles.reference_data import T3

OF_CURVES = {"kci": KCI(), "rcot": RCoT(), "gcm": GCM()}
ROWS = np.column_stack([column.values for column in T3.columns])


def standard(values):
    return (values - values.mean(axis=0)) / values.std(axis=0)


@pytest.mark.parametrize(
    ("n_given", "expected"),
    [
        (0, (2.5267670, 1.1819081, 0.7729204, 0.0804013)),
        (1, (0.0645204, 0.0202932, 0.00081374, 0.0740809)),
    ],
)
def test_kernels_of_six_rows_have_the_moments_of_the_page(n_given, expected):
    # docs/references/independence.md, Tests for curves
    x, y, z = standard(ROWS).T
    columns, test = Standardised.continuous(x, y, np.column_stack([z])[:, :n_given]), KCI(width=1.0)

    statistic, mean, variance, _ = test.moments(columns, test.regression(columns) if n_given else None)

    found = (statistic, mean, variance, gamma_tail(statistic, mean, variance))
    assert found == pytest.approx(expected, rel=2e-6)


def test_the_sums_over_products_of_eigenfunctions_are_those_of_the_kernels():
    """As the paper has it: w_t = vec(ψ(t) φ(t)ᵀ), M = Σ w_t w_tᵀ, mean tr M and variance 2 tr M²."""
    rng = np.random.default_rng(0)
    columns = Standardised.continuous(
        *standard(rng.normal(size=(12, 2))).T, standard(rng.normal(size=(12, 1)))
    )
    test = KCI(width=1.0)
    _, mean, variance, kernels = test.moments(columns, test.regression(columns))

    features = []
    for kernel in kernels:
        values, vectors = np.linalg.eigh((kernel + kernel.T) / 2)
        features.append(vectors * np.sqrt(np.maximum(values, 0.0)))
    products = np.einsum("ti,tj->tij", *features).reshape(12, -1)
    gram = products.T @ products
    assert mean == pytest.approx(np.trace(gram), rel=1e-6)
    assert variance == pytest.approx(2 * np.trace(gram @ gram), rel=1e-6)


def test_products_of_linear_residuals_of_six_rows_by_hand():
    x, y, z = ROWS.T
    basis = np.linalg.qr(np.column_stack([np.ones(6), z]))[0]
    left = [_Left.of(column[:, None], basis, is_curved=True) for column in (x, y)]

    assert _Products.of(*left).statistics() == pytest.approx(2.5780141, abs=1e-7)


def null_answers(test, n_rows, n_given, how, n_runs, seed=5):
    """P-values of independent x and y given z, which acts on both in lines or curves."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_runs):
        z, e = rng.normal(size=(n_rows, n_given)), rng.normal(size=(2, n_rows))
        if how == "lines":
            x, y = 0.7 * z.sum(axis=1) + e[0], 0.7 * z.sum(axis=1) + e[1]
        else:
            x, y = np.tanh(z).sum(axis=1) + 0.5 * e[0], np.square(z).sum(axis=1) / 2 + 0.5 * e[1]
        found.append(asked(test, x, y, z))
    return np.array(found)


def asked(test, x, y, z):
    columns = {"x": x, "y": y} | {f"z{j}": column for j, column in enumerate(z.T)}
    question = np.arange(len(columns))[None]
    return float(test.many(from_dataset(Dataset(columns)), question).p_value[0])


@pytest.mark.parametrize("test", OF_CURVES.values(), ids=OF_CURVES)
@pytest.mark.parametrize(("n_given", "how"), [(0, "lines"), (1, "lines"), (1, "curves")])
def test_few_of_a_hundred_independent_tables_are_rejected(test, n_given, how):
    p_values = null_answers(test, 100, n_given, how, 100)

    assert (p_values <= 0.05).sum() <= 13  # of 100 with a probability of 0.08, once in twenty
    assert (p_values <= 0.5).sum() >= 30


@pytest.mark.parametrize("name", ["kci", "rcot"])
@pytest.mark.parametrize("how", ["lines", "curves"])
def test_the_level_is_held_given_three_conditions_in_lines_and_curves(name, how):
    assert (null_answers(OF_CURVES[name], 100, 3, how, 100) <= 0.05).sum() <= 13  # as above


BY_OPTION = {
    "kci, median": KCI(width="median"),
    "kci, tuned": KCI(width="tuned"),
    "rcot, lpb": RCoT(null="lpb"),
}


@pytest.mark.parametrize("name", BY_OPTION)
@pytest.mark.parametrize(
    ("n_given", "how"), [(1, "curves"), pytest.param(3, "lines", marks=pytest.mark.slow)]
)
def test_every_width_and_null_holds_the_level(name, n_given, how):
    p_values = null_answers(BY_OPTION[name], 100, n_given, how, 30)

    assert (p_values <= 0.05).sum() <= 6  # of 30 with a probability of 0.08, once in fifty
    assert (p_values <= 0.5).sum() >= 6


def test_widths_by_name_are_those_by_number():
    rng = np.random.default_rng(5)
    z, *e = rng.normal(size=(3, 60))
    x, y = z + e[0], z + e[1]
    columns, nothing = standard(np.column_stack([x, y, z])), np.zeros((60, 0))
    kernels = [centred(gaussian_kernel(columns[:, [j]], np.median(pdist(columns[:, [j]])))) for j in (0, 1)]

    assert asked(KCI(width="median"), x, y, nothing) == pytest.approx(gamma_tail(*agreement(*kernels)))
    assert asked(KCI(width="tuned"), x, y, nothing) == asked(KCI(), x, y, nothing)


def test_a_width_or_null_that_there_is_not_is_refused():
    with pytest.raises(sl.OptionError, match=r"KCI.*width"):
        KCI(width="mean")
    with pytest.raises(sl.OptionError, match=r"RCoT.*null"):
        RCoT(null="normal")


def test_conditions_are_as_wide_as_the_curves_of_x_and_y_along_them():
    rng = np.random.default_rng(6)
    x, y, z = standard(rng.normal(size=(60, 3))).T
    columns = Standardised.continuous(x, y, z[:, None])
    leading = []
    for column in (x, y):
        kernel = np.exp(-np.square(column[:, None] - column) / (2 * 0.8**2))
        leading.append(np.linalg.eigh(centred(kernel))[1][:, -3:])

    widths = tuned_widths(np.hstack(leading), z[:, None], np.ones((60, 1)))
    assert KCI(width="tuned")._scaled(columns) == pytest.approx(0.8 * z[:, None] / widths, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_CURVES)
@pytest.mark.parametrize("n_rows", [100, 300])
@pytest.mark.parametrize("n_given", [0, 1, 3])
@pytest.mark.parametrize("how", ["lines", "curves"])
def test_the_level_holds_in_a_thousand_tables(name, n_rows, n_given, how):
    p_values = null_answers(OF_CURVES[name], n_rows, n_given, how, 1000)

    assert 0.02 <= (p_values <= 0.05).mean() <= 0.08
    assert (p_values <= 0.01).mean() <= 0.025


def rejections(test, n_runs, strength):
    """y = z²/2 + strength · x² + noise, x = tanh z + noise: shares of p-values up to 0.05."""
    rng = np.random.default_rng(3)
    n_rejected = 0
    for _ in range(n_runs):
        z, *e = rng.normal(size=(3, 200))
        x = np.tanh(z) + 0.5 * e[0]
        y = z**2 / 2 + 0.5 * e[1] + strength * x**2
        n_rejected += asked(test, x, y, z[:, None]) <= 0.05
    return n_rejected / n_runs


def test_curves_are_seen_by_kernels_and_not_by_products_of_residuals():
    # docs/references/independence.md: measured 0.98, 0.87 and 0.07.
    assert rejections(KCI(), 30, 0.4) >= 0.8
    assert rejections(RCoT(), 30, 0.4) >= 0.6
    assert rejections(GCM(), 30, 0.4) <= 0.3


def test_lines_through_curved_causes_mislead_fisher_z_more_often():
    assert rejections(FisherZ(), 200, 0.0) > 0.08
    assert rejections(GCM(), 200, 0.0) <= 0.1


def test_a_parabola_is_seen_by_kernels_and_not_by_correlations():
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 150)
    table = {"x": x, "y": x**2 + 0.1 * rng.normal(size=150)}

    found = {name: sl.test_independence(table, "x", "y", test=name).p_value for name in OF_CURVES}

    assert found["kci"] < 1e-6
    assert found["rcot"] < 1e-6
    assert found["gcm"] > 0.01
    assert sl.test_independence(table, "x", "y", test="fisher-z").p_value > 0.01


@pytest.fixture(scope="module")
def curved_chain():
    rng = np.random.default_rng(0)
    a = rng.uniform(-2, 2, 250)
    b = a**2 + 0.3 * rng.normal(size=250)
    return {"a": a, "b": b, "c": np.sqrt(np.abs(b)) + 0.4 * rng.normal(size=250)}


@pytest.mark.parametrize(
    "learner",
    [sl.PC, sl.FCI, sl.RFCI, sl.GrowShrink, sl.MMPC, sl.SGS, sl.LowOrderGraph],
    ids=lambda kind: kind.__name__,
)
def test_every_method_that_asks_finds_a_curved_chain(learner, curved_chain):
    found = learner(test="kci", alpha=0.01).fit(curved_chain).graph_.skeleton()

    assert set(found.undirected) == {("a", "b"), ("b", "c")}


@pytest.mark.parametrize("name", OF_CURVES)
def test_a_chain_of_bends_is_found_by_each_of_them(name):
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    b = a + np.sin(a) + 0.8 * rng.normal(size=400)
    c = np.tanh(b) + 0.4 * rng.normal(size=400)

    found = sl.PC(test=name, alpha=0.01).fit({"a": a, "b": b, "c": c}).graph_.skeleton()

    assert set(found.undirected) == {("a", "b"), ("b", "c")}


def test_the_order_of_the_rows_does_not_matter(curved_chain):
    order = np.random.default_rng(1).permutation(250)
    shuffled = {name: column[order] for name, column in curved_chain.items()}

    for name in OF_CURVES:
        one, other = (
            sl.test_independence(table, "a", "c", ["b"], test=name).p_value
            for table in (curved_chain, shuffled)
        )
        assert one == pytest.approx(other, rel=1e-9)


def test_another_seed_draws_other_features(curved_chain):
    statistics = from_dataset(Dataset(curved_chain))
    found = [RCoT(seed=seed).many(statistics, np.array([[0, 2, 1]])).p_value[0] for seed in (0, 0, 1)]

    assert found[0] == found[1] != found[2]


def test_what_kernels_cannot_do_is_refused_with_what_can(curved_chain):
    many = dict(zip("ab", np.random.default_rng(0).normal(size=(2, 3001)), strict=True))
    with pytest.raises(sl.DataError, match=r"3,001 rows are more than the 3,000 .* test='rcot'"):
        sl.test_independence(many, "a", "b", test="kci")
    for name in OF_CURVES:
        with pytest.raises(sl.DataError, match="takes continuous or mixed columns, and these are discrete"):
            sl.PC(test=name).fit({"d": ["x", "y"] * 125, "e": ["u", "v", "v", "u", "u"] * 50})
        with pytest.raises(sl.DataError, match="takes no weights of rows"):
            sl.PC(test=name).fit(sl.Dataset(curved_chain, weights=np.tile([1.0, 2.0], 125)))


def test_few_rows_are_permuted_and_conditions_then_allow_no_answer():
    rng = np.random.default_rng(0)
    x = rng.normal(size=15)
    table = {"x": x, "y": x**3, "z": rng.normal(size=15)}

    for name in ("kci", "rcot"):
        assert sl.test_independence(table, "x", "y", test=name).p_value <= 0.05
        found = sl.test_independence(table, "x", "y", ["z"], test=name)
        assert (found.p_value, found.reliable) == (1.0, False)


def test_a_constant_column_is_independent_of_all():
    table = {"x": np.full(30, 2.5), "y": np.random.default_rng(0).normal(size=30)}
    statistics = from_dataset(Dataset(table, kinds={"x": "continuous"}))

    for test in OF_CURVES.values():
        assert test.many(statistics, np.array([[0, 1]])).p_value.tolist() == [1.0]
