"""VAR-LiNGAM: the order within a step from noise, and effects that plain autoregression mixes up."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.numerics.autoregression import reduced_form
from tests.learners.time.series import autoregressive, named


def noise_of(kind, rng):
    return {
        "uniform": lambda shape: rng.uniform(-1, 1, shape),
        "laplace": lambda shape: rng.laplace(size=shape),
    }.get(kind, lambda shape: rng.normal(size=shape))


def simulated(kind, n_rows, seed, n=3):
    """Rows of a full order within a step, effects from .4 to .9, and the order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    within = np.zeros((n, n))
    for later in range(n):
        for sooner in range(later):
            within[order[later], order[sooner]] = rng.uniform(0.4, 0.9) * rng.choice([-1, 1])
    mixing = np.linalg.inv(np.eye(n) - within)
    past = mixing @ np.diag(rng.uniform(0.2, 0.5, n))
    draw = noise_of(kind, rng)
    rows = autoregressive([past], n_rows, rng, noise=lambda shape: draw(shape) @ mixing.T)
    return named(rows), tuple(f"v{j}" for j in order)


def share_of_right_orders(kind, n_rows, seeds):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        found = [
            sl.VARLiNGAM().fit(table).order_ == order
            for table, order in (simulated(kind, n_rows, seed) for seed in seeds)
        ]
    return np.mean(found)


@pytest.mark.parametrize("kind", ["uniform", "laplace"])
def test_noise_that_is_not_gaussian_tells_the_order(kind):
    assert share_of_right_orders(kind, 300, range(20)) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("n_rows", [300, 1000])
def test_noise_tells_the_order_in_forty_runs_unless_it_is_gaussian(n_rows):
    for kind in ("uniform", "laplace"):
        assert share_of_right_orders(kind, n_rows, range(40)) >= 0.9
    assert share_of_right_orders("normal", n_rows, range(40)) <= 0.5  # by chance a sixth


def test_gaussian_noise_is_warned_of():
    table, _ = simulated("normal", 300, 0)

    with pytest.warns(sl.DataWarning, match="may be Gaussian"):
        learner = sl.VARLiNGAM().fit(table)

    assert (learner.normality_ > 0.05).sum() >= 2


WITHIN, PAST = np.array([[0.0, 0], [0.5, 0]]), np.array([[0.6, 0], [-0.1, 0.3]])


def test_what_acts_within_a_step_turns_the_sign_of_a_lagged_arrow():
    assert reduced_form(WITHIN, PAST[None])[0] == pytest.approx(np.array([[0.6, 0], [0.2, 0.3]]))
    rng = np.random.default_rng(0)
    mixing = np.linalg.inv(np.eye(2) - WITHIN)
    rows = autoregressive(
        [mixing @ PAST], 4000, rng, noise=lambda shape: rng.uniform(-1, 1, shape) @ mixing.T
    )

    learner = sl.VARLiNGAM().fit(named(rows))

    assert learner.coefficients_[0] == pytest.approx(WITHIN, abs=0.05)
    assert learner.coefficients_[1] == pytest.approx(PAST, abs=0.06)
    assert learner.reduced_[0] == pytest.approx(np.array([[0.6, 0], [0.2, 0.3]]), abs=0.06)
    assert learner.graph_.edge("v0[t]", "v1[t]").weight == learner.coefficients_[0][1, 0]


def test_coefficients_are_in_the_units_and_the_order_of_the_table():
    table, order = simulated("uniform", 500, 3)
    other = {name: 10.0**power * table[name] for power, name in enumerate(reversed(table))}

    plain, scaled = sl.VARLiNGAM().fit(table), sl.VARLiNGAM().fit(other)

    assert plain.order_ == scaled.order_ == order
    units = np.array([1.0, 10.0, 100.0])
    turned = plain.coefficients_[:, ::-1, ::-1] * units[:, None] / units
    assert scaled.coefficients_ == pytest.approx(turned)


def test_tiers_order_what_is_within_a_step_and_required_arrows_stay():
    table, order = simulated("uniform", 300, 1)
    known = sl.Knowledge(tiers=[[order[2]], list(order[:2])], required=[(order[2], order[0])])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        learner = sl.VARLiNGAM(knowledge=known).fit(table)

    assert learner.order_[0] == order[2]
    assert learner.graph_.edge(f"{order[2]}[t-1]", f"{order[0]}[t]") is not None


@pytest.mark.filterwarnings("error::structlearn.DataWarning", "error::RuntimeWarning")
def test_what_never_changes_within_a_series_comes_first_and_has_no_noise():
    rng, parts = np.random.default_rng(1), []
    for i in range(6):
        x, y = np.zeros((2, 80))
        for t in range(1, 80):
            x[t] = 0.5 * x[t - 1] + rng.uniform(-1, 1)
            y[t] = 0.5 * y[t - 1] + 0.4 * x[t] + i % 2 + rng.uniform(-1, 1)
        parts.append([np.arange(80), np.full(80, i), np.full(80, i % 2), x, y])
    table = dict(zip(["t", "s", "treated", "x", "y"], np.concatenate(parts, axis=1), strict=True))

    found = sl.VARLiNGAM(time="t", series="s").fit(table)

    assert found.order_ == ("treated", "x", "y")
    assert set(found.graph_.directed) == {
        ("x[t-1]", "x[t]"),
        ("y[t-1]", "y[t]"),
        ("x[t]", "y[t]"),
        ("treated[t]", "y[t]"),
    }
    assert found.normality_[0] == 1.0
