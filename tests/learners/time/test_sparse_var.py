"""Sparse vector autoregression: least squares, Granger's tests, groups of lags."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.numerics.autoregression import LaggedRows, bic_of_order, least_squares, spectral_radius
from structlearn.numerics.grouped_targets import GroupedTargets
from structlearn.report import write_report
from tests.learners.time.series import W, autoregressive, named
from tests.oracles.autoregression import design, granger, group_objective

ROWS = np.column_stack([W["x"], W["y"]])


def past_of(rows, k):
    now, z = design(rows, k)
    return now, z[:, 1:].reshape(len(now), k, -1)


def standard_problem(k):
    rows = LaggedRows.of(*past_of(ROWS, k))
    return rows, GroupedTargets(
        rows.past.T @ rows.past / rows.n_rows, rows.past.T @ rows.now / rows.n_rows, 2
    )


def test_least_squares_of_a_small_series():
    rows = LaggedRows.of(*past_of(ROWS, 1))
    fitted = least_squares(rows)
    matrices, intercept = rows.in_units(fitted.coefficients)

    assert matrices[0] == pytest.approx(np.array([[0.3209453, 0.6430341], [0.9605489, -0.0137221]]), abs=1e-6)
    assert intercept == pytest.approx([2.1936345, -0.6295026], abs=1e-6)
    assert fitted.squares * rows.scales**2 == pytest.approx([12.4471126, 0.6689537], abs=1e-6)
    assert bic_of_order(*past_of(ROWS, 1)) == pytest.approx((-16.319018, -27.109547), abs=1e-6)
    assert spectral_radius(matrices, (1,)) == pytest.approx(0.9571452, abs=1e-6)


def test_the_coefficients_of_a_fit_are_in_the_units_of_the_table():
    wide = {"x": 1e6 * W["x"] + 3.0, "y": W["y"]}

    plain, scaled = (sl.SparseVAR(lags=1, penalty=1e-6).fit(table) for table in (W, wide))

    assert plain.coefficients_[0] == pytest.approx(
        np.array([[0.3209453, 0.6430341], [0.9605489, -0.0137221]]), abs=1e-6
    )
    assert plain.residual_covariance_ == pytest.approx(
        np.array([[1.1315557, -0.0467800], [-0.0467800, 0.0608140]]), abs=1e-6
    )
    assert scaled.coefficients_[0] == pytest.approx(
        np.array([[0.3209453, 0.6430341e6], [0.9605489e-6, -0.0137221]]), rel=1e-5
    )


def test_granger_tests_of_a_small_series():
    learner = sl.SparseVAR(method="granger", correction="none").fit(W)

    assert learner.f_[1, 0] == pytest.approx(216.56628, rel=1e-6)
    assert learner.p_values_[1, 0] == pytest.approx(4.46811e-7, rel=1e-5)
    assert learner.f_[0, 1] == pytest.approx(4.0379595, rel=1e-6)
    assert learner.p_values_[0, 1] == pytest.approx(0.0793437, rel=1e-5)
    assert sl.SparseVAR(method="granger").fit(W).graph_.directed == (("x[t-1]", "y[t]"),)


@pytest.mark.parametrize("scale", [1.0, 1e40])
def test_without_a_constant_regressions_and_tests_are_through_zero(scale):
    rng = np.random.default_rng(0)
    rows = 2.0 + autoregressive([np.array([[0.6, 0.0], [0.3, 0.4]])], 60, rng)
    now, past = rows[1:], rows[:-1]

    found = sl.SparseVAR(method="granger", correction="none", alpha=1.0, intercept=False).fit(
        named(scale * rows)
    )

    weights = np.linalg.lstsq(past, now)[0]
    assert found.coefficients_[0] == pytest.approx(weights.T)
    assert found.intercept_.tolist() == [0.0, 0.0]
    full, less = (
        np.square(now[:, 1] - z @ np.linalg.lstsq(z, now[:, 1])[0]).sum() for z in (past, past[:, 1:])
    )
    assert found.f_[1, 0] == pytest.approx((less - full) / (full / (59 - 2)))
    assert found.p_values_[1, 0] == pytest.approx(stats.f.sf(found.f_[1, 0], 1, 57))
    pairs = sl.SparseVAR(method="bivariate-granger", correction="none", intercept=False).fit(named(rows))
    for one, other in ((0, 1), (1, 0)):  # of two variables, all but the own past is the same
        assert pairs.p_values_[one, other] == pytest.approx(found.p_values_[one, other])


@pytest.mark.parametrize("method", ["group-lasso", "granger"])
def test_a_ridge_shrinks_what_is_kept_and_changes_none_of_it(method):
    rng = np.random.default_rng(1)
    rows = 5.0 + np.array([1.0, 10.0]) * autoregressive([np.array([[0.6, 0.0], [0.6, 0.4]])], 100, rng)
    plain = sl.SparseVAR(method=method, own_lags_free=True).fit(named(rows))

    found = sl.SparseVAR(method=method, own_lags_free=True, ridge=0.5).fit(named(rows))

    assert found.graph_.directed == plain.graph_.directed
    y, z = rows[1:, 1], rows[:-1]
    centre, scale = z.mean(axis=0), z.std(axis=0)
    standard, left = (z - centre) / scale, y - y.mean()
    by_hand = np.linalg.solve(standard.T @ standard / 99 + 0.5 * np.eye(2), standard.T @ left / 99) / scale
    assert found.coefficients_[0, 1] == pytest.approx(by_hand)
    assert found.intercept_[1] == pytest.approx(y.mean() - centre @ by_hand)


def test_granger_tests_are_two_regressions_each():
    rows = autoregressive(
        [np.array([[0.5, 0, 0], [0.4, 0.3, 0], [0, 0.4, 0.2]])], 60, np.random.default_rng(0)
    )
    learner = sl.SparseVAR(method="granger", lags=2, correction="none").fit(named(rows))

    for source in range(3):
        for target in range(3):
            f, p_value = granger(rows, 2, source, target)
            assert learner.f_[target, source] == pytest.approx(f, rel=1e-8)
            assert learner.p_values_[target, source] == pytest.approx(p_value, rel=1e-6)


def test_the_largest_penalties_of_a_small_series():
    _, problem = standard_problem(2)

    assert problem.norms(problem.cross) / np.sqrt(2.0) == pytest.approx(
        np.array([[0.8551102, 0.9352839], [0.8943262, 0.8740123]]), abs=1e-6
    )
    assert (problem.minimum(np.full((2, 2), 1.33), np.zeros((4, 2))) == 0.0).all()  # .9353 √2 = 1.3227


def test_groups_of_lags_at_a_penalty_of_a_small_series():
    rows, problem = standard_problem(2)
    found = problem.minimum(np.full((2, 2), 0.2 * np.sqrt(2.0)), np.zeros((4, 2)), tolerance=1e-10)

    assert found[:, 0] == pytest.approx([0.0, 0.3552599, 0.0, 0.3992799], abs=1e-6)
    assert found[:, 1] == pytest.approx([0.5047099, 0.0, 0.2884490, 0.0], abs=1e-6)
    groups = np.array([0, 1, 0, 1])
    for target, value in ((0, 0.2378949), (1, 0.2049949)):
        objective = group_objective(rows.now[:, target], rows.past, found[:, target], groups, 0.2)
        assert objective == pytest.approx(value, abs=1e-6)


@pytest.mark.filterwarnings("ignore:.*the system is not stable")
def test_a_penalty_keeps_all_lags_of_a_source_and_the_lasso_each_by_itself():
    kept = sl.SparseVAR(lags=2, penalty=0.2).fit(W).graph_

    assert set(kept.directed) == {(f"{a}[t-{lag}]", f"{b}[t]") for a, b in ("xy", "yx") for lag in (1, 2)}
    rows = np.random.default_rng(0).normal(size=(300, 1))
    table = {"x": rows[:, 0], "y": np.roll(rows[:, 0], 2) + 0.3 * np.random.default_rng(1).normal(size=300)}
    assert sl.SparseVAR(lags=3, method="lasso").fit(table).graph_.directed == (("x[t-2]", "y[t]"),)


def test_no_other_point_has_a_smaller_objective():
    rows, problem = standard_problem(2)
    found = problem.minimum(np.full((2, 2), 0.1 * np.sqrt(2.0)), np.zeros((4, 2)), tolerance=1e-10)
    groups, rng = np.array([0, 1, 0, 1]), np.random.default_rng(0)

    for target in range(2):
        y = rows.now[:, target]
        least = group_objective(y, rows.past, found[:, target], groups, 0.1)
        for size in (1e-1, 1e-3, 1e-5):
            other = found[:, target] + size * rng.normal(size=4)
            assert group_objective(y, rows.past, other, groups, 0.1) > least


def test_own_lags_can_be_free_and_knowledge_is_kept():
    rows = named(np.random.default_rng(0).normal(size=(200, 3)))
    known = sl.Knowledge(required=[("v2", "v0")])

    graph = sl.SparseVAR(lags=2, method="lasso", own_lags_free=True, knowledge=known).fit(rows).graph_

    own = {(f"v{j}[t-{lag}]", f"v{j}[t]") for j in range(3) for lag in (1, 2)}
    assert set(graph.directed) == own | {("v2[t-1]", "v0[t]")}


def test_a_slower_sampling_makes_an_arrow_that_is_no_direct_cause():
    system = np.array([[0.6, 0, 0], [0.5, 0.6, 0], [0, 0.5, 0.6]])
    assert (system @ system)[[1, 2, 2], [0, 1, 0]] == pytest.approx([0.6, 0.6, 0.25])
    rows = autoregressive([system], 4000, np.random.default_rng(0))

    direct, slow = (sl.SparseVAR(method="granger").fit(named(part)) for part in (rows, rows[::2]))

    assert direct.graph_.edge("v0[t-1]", "v2[t]") is None
    assert slow.coefficients_[0][2, 0] == pytest.approx(0.25, abs=0.08)


def chain_of_six():
    return 0.5 * np.eye(6) + 0.3 * np.eye(6, k=-1)


def false_and_found(learner, seeds):
    """The mean share of false arrows among those found between variables, and of true ones found."""
    truth = {(f"v{j}", f"v{j + 1}") for j in range(5)}
    false, power = [], []
    for seed in seeds:
        rows = autoregressive([chain_of_six()], 200, np.random.default_rng(seed))
        found = {pair for pair in learner.fit(named(rows)).graph_.summary().directed if pair[0] != pair[1]}
        false.append(len(found - truth) / max(len(found), 1))
        power.append(len(found & truth) / len(truth))
    return np.mean(false), np.mean(power)


def test_false_discoveries_are_as_rare_as_asked():
    false, power = false_and_found(sl.SparseVAR(method="granger", lags=2), range(40))

    assert false <= 0.07
    assert power >= 0.9
    assert false_and_found(sl.SparseVAR(method="granger", lags=2, correction="none"), range(40))[0] > 0.12


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*levels of many columns change")  # by chance, in one of many runs
def test_false_discoveries_are_as_rare_as_asked_in_two_hundred_runs():
    false, power = false_and_found(sl.SparseVAR(method="granger", lags=2), range(200))

    assert false <= 0.07
    assert power >= 0.93


def test_tests_need_more_rows_than_lagged_columns_and_a_perfect_fit_is_said():
    few = named(np.random.default_rng(0).normal(size=(12, 6)))
    with pytest.raises(sl.DataError, match=r"11 rows .* 12 lagged|10 rows .* 12 lagged"):
        sl.SparseVAR(method="granger", lags=2).fit(few)
    x = np.random.default_rng(0).normal(size=50)
    with pytest.warns(sl.DataWarning, match="without any error"):
        learner = sl.SparseVAR(method="granger").fit({"x": x, "y": np.roll(x, 1)})
    assert learner.p_values_[1, 0] == 0.0


@pytest.mark.filterwarnings("ignore:.*nothing seems to pull back")
def test_a_series_that_wanders_is_warned_of():
    walk = np.cumsum(np.random.default_rng(2).normal(size=(300, 1)), axis=0)
    growing = {"v0": 1.01 ** np.arange(300.0) + 0.01 * walk[:, 0]}

    with pytest.warns(sl.DataWarning, match="the system is not stable"):
        sl.SparseVAR().fit(growing)


def test_pairs_are_tested_with_fewer_rows_than_columns_and_what_goes_through_others_is_warned_of():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 50))
    for t in range(1, 40):
        rows[t, 1:3] += 2.0 * rows[t - 1, :2]

    with pytest.warns(sl.DataWarning, match="what acts through others, or on both, makes arrows too"):
        found = sl.SparseVAR(method="bivariate-granger", lags=2).fit(named(rows))

    assert {("v0[t-1]", "v1[t]"), ("v1[t-1]", "v2[t]"), ("v0[t-2]", "v2[t]")} <= set(found.graph_.directed)
    assert len(found.graph_.summary().directed) <= 8
    small = sl.SparseVAR(method="bivariate-granger", correction="none").fit(W)
    assert small.f_[1, 0] == pytest.approx(216.56628, rel=1e-6)  # of two variables both tests are the same
    with pytest.raises(
        sl.DataError, match="3 rows with all lags are too few for the 2 lags of two variables"
    ):
        sl.SparseVAR(method="bivariate-granger", lags=2).fit({name: column[:5] for name, column in W.items()})


def test_several_series_are_learned_from_together_and_never_joined():
    rng = np.random.default_rng(0)
    parts = [
        autoregressive([np.array([[0.5, 0.0], [0.6, 0.3]])], 40, rng) + shift for shift in (0.0, 0.0, 0.0)
    ]
    table = named(np.concatenate(parts)) | {
        "id": np.repeat(list("abc"), 40),
        "t": np.tile(np.arange(40.0), 3),
    }

    learner = sl.SparseVAR(time="t", series="id").fit(table)

    assert learner.n_lagged_rows_ == 3 * 39
    assert learner.step_ == 1.0
    assert learner.graph_.edge("v0[t-1]", "v1[t]") is not None


@pytest.mark.filterwarnings("ignore:.*nothing seems to pull back")
@pytest.mark.filterwarnings("ignore:.*the system is not stable")
@pytest.mark.parametrize(("slope", "verdict"), [(0.6, "is stable"), (1.02, "is not stable")])
def test_the_page_judges_a_system_in_steps_by_the_circle_of_unit_radius(tmp_path, slope, verdict):
    rng = np.random.default_rng(0)
    x = [1.0]
    for _ in range(200):
        x.append(slope * x[-1] + 0.1 * rng.normal())
    learner = sl.SparseVAR().fit({"x": np.array(x), "y": rng.normal(size=201)})

    page = write_report(tmp_path / "page.html", learner).read_text()

    assert f"has modulus {learner.stability_:.4g}: it {verdict}." in page
    assert "Stability" in page
    assert "Trajectories" not in page


def treated_series(n_series=6, n_steps=40, seed=1):
    """Each second series is treated, which raises y; x acts on y a step later."""
    rng, parts = np.random.default_rng(seed), []
    for i in range(n_series):
        x, y = np.zeros((2, n_steps))
        for t in range(1, n_steps):
            x[t] = 0.5 * x[t - 1] + rng.normal()
            y[t] = 0.5 * y[t - 1] + 0.4 * x[t - 1] + i % 2 + rng.normal()
        parts.append([np.arange(n_steps), np.full(n_steps, i), np.full(n_steps, i % 2), x, y])
    return dict(zip(["t", "s", "treated", "x", "y"], np.concatenate(parts, axis=1), strict=True))


@pytest.mark.filterwarnings("error::structlearn.DataWarning")
@pytest.mark.parametrize("method", ["group-lasso", "lasso", "hierarchical-lasso", "granger"])
@pytest.mark.parametrize("lags", [1, 2])
def test_what_never_changes_within_a_series_may_act_and_follows_from_nothing(method, lags):
    found = sl.SparseVAR(time="t", series="s", method=method, lags=lags).fit(treated_series())

    assert {source for source, target in found.graph_.directed if target == "treated[t]"} == set()
    # Its lags are all the same, so that one of them says all.
    assert [pair for pair in found.graph_.directed if "treated" in pair[0]] == [("treated[t-1]", "y[t]")]
    largest = np.abs(np.linalg.eigvals(found.coefficients_[0][1:, 1:])).max()
    assert found.stability_ < 1.0
    assert lags == 2 or found.stability_ == pytest.approx(largest)


def test_a_regression_beside_context_is_that_of_ordinary_least_squares():
    table = treated_series()
    found = sl.SparseVAR(time="t", series="s", method="granger", correction="none").fit(table)

    now = table["t"] > 0
    before = np.flatnonzero(now) - 1
    columns = [np.ones(now.sum()), *(table[name][before] for name in ("treated", "x", "y"))]
    by_hand = np.linalg.lstsq(np.column_stack(columns), table["y"][now])[0]
    np.testing.assert_allclose(found.coefficients_[0, 2], by_hand[1:], rtol=1e-8)
    assert found.intercept_[2] == pytest.approx(by_hand[0])
    assert found.p_values_[0].tolist() == [1.0, 1.0, 1.0]
