"""Ising neighbourhoods: closed forms, exact recovery at the paper's scale, and columns of all kinds."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.ising_neighborhoods import IsingNeighborhoods
from structlearn.numerics.logistic_descent import logistic
from tests.oracles import regression as oracle


def table(spins):
    """Columns whose names sort as they stand; whole numbers of two values are discrete."""
    return {f"x{j:02}": column for j, column in enumerate(spins.T)}


def two_spins(m_agree=80, n=100):
    x = np.repeat([1, -1], n // 2)
    y = x.copy()
    y[: (n - m_agree) // 2] *= -1
    y[n // 2 : n // 2 + (n - m_agree) // 2] *= -1
    return table(np.column_stack([x, y]))


def recovery_rate(p, control, *, n_runs, first_seed=0):
    """How often a chain is found exactly at n = 10·control·d·log p rows, d = 2."""
    n_rows = int(np.ceil(10 * control * 2 * np.log(p)))
    truth = sl.Graph(
        [f"x{j:02}" for j in range(p)], undirected=[(f"x{j:02}", f"x{j + 1:02}") for j in range(p - 1)]
    )
    learner = IsingNeighborhoods(field=False)
    found = 0
    for seed in range(first_seed, first_seed + n_runs):
        spins = oracle.ising_chain_rows(p, n_rows, 0.5, np.random.default_rng(seed))
        found += learner.fit(table(spins)).graph_ == truth
    return found / n_runs


def test_two_spins_without_field_have_the_closed_form():
    """From docs/references/regression.md#ising-neighborhoods: m = .6 and λ = .05 give atanh(.55)."""
    learner = IsingNeighborhoods(penalty=0.05, field=False).fit(two_spins())

    assert learner.coefficients_ == pytest.approx(np.array([[0, 0.6183813136], [0.6183813136, 0]]), abs=1e-8)
    assert learner.graph_.edge("x00", "x01").weight == pytest.approx(0.6183813136, abs=1e-8)


def test_zeros_and_ones_have_the_closed_form_of_the_logistic_regression():
    # From docs/references/regression.md#logistic-regression: counts 45, 15, 10, 30; the regression of y on
    # x.
    x = np.repeat([1, 0, 1, 0], [45, 15, 10, 30])
    y = np.repeat([1, 0], [60, 40])

    learner = IsingNeighborhoods(penalty=0.05, coding="zero-one").fit({"x": x, "y": y})

    assert learner.coefficients_[1, 0] == pytest.approx(1.2039728043, abs=1e-8)


def test_zeros_and_ones_are_signs_on_another_scale():
    spins = oracle.ising_chain_rows(6, 300, 0.6, np.random.default_rng(0))

    signs = IsingNeighborhoods(penalty=0.1).fit(table(spins))
    zero_one = IsingNeighborhoods(penalty=0.1 / 4, coding="zero-one").fit(table(spins))

    assert zero_one.coefficients_ == pytest.approx(4 * signs.coefficients_, abs=1e-6)
    theory = [IsingNeighborhoods(coding=coding).fit(table(spins)).graph_ for coding in ("signs", "zero-one")]
    assert theory[0] == theory[1]


def test_each_regression_is_the_one_it_says():
    spins = oracle.ising_chain_rows(8, 200, 0.5, np.random.default_rng(1))
    learner = IsingNeighborhoods(penalty=0.08).fit(table(spins))

    for node in range(8):
        others = np.delete(2.0 * spins, node, axis=1)
        fit = logistic(others, spins[:, node] > 0, penalty=0.08, tolerance=1e-12)
        assert np.delete(learner.coefficients_[node], node) == pytest.approx(fit.coefficients, abs=1e-6)
    assert learner.gap_ < 1e-7


@pytest.mark.compiled
@pytest.mark.parametrize("p", [16, 32])
def test_chains_are_found_at_six_times_the_scale_and_not_at_two(p):
    """From docs/references/regression.md#ising-neighborhoods: rates 1.0 at B = 6 and 0 at B = 2."""
    assert recovery_rate(p, 6, n_runs=10) >= 0.9
    assert recovery_rate(p, 2, n_runs=10) <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize(("p", "n_runs"), [(16, 50), (32, 50), (64, 25)])
def test_the_curves_of_different_sizes_lie_on_each_other(p, n_runs):
    # From docs/references/regression.md#ising-neighborhoods: at most .2 at B = 2, at least .7 at B = 4 and
    # .95 at B = 6.
    assert recovery_rate(p, 2, n_runs=n_runs) <= 0.2
    assert recovery_rate(p, 4, n_runs=n_runs) >= 0.7
    assert recovery_rate(p, 6, n_runs=n_runs) >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(("n_rows", "expected"), [(499, 0.0), (1996, 1.0), (2662, 1.0)])
def test_a_grid_with_random_signs_is_found_with_enough_rows(n_rows, expected):
    """From docs/references/regression.md#ising-neighborhoods: an 8×8 grid, λ = 3.5·√(log p / n), 20 runs."""
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        couplings = oracle.grid_couplings(8, 0.5, rng)
        learner = IsingNeighborhoods(penalty=3.5 * np.sqrt(np.log(64) / n_rows))
        rows = oracle.ising_rows(couplings, n_rows, rng, blocks=oracle.chessboard(8))
        adjacency = learner.fit(table(rows)).graph_.adjacency()
        found.append((adjacency == (couplings != 0)).all())

    assert np.mean(found) == pytest.approx(expected, abs=0.1)


def test_couplings_have_the_signs_of_the_truth():
    rng = np.random.default_rng(2)
    couplings = np.zeros((4, 4))
    couplings[0, 1] = couplings[1, 0] = 0.8
    couplings[2, 3] = couplings[3, 2] = -0.8

    learner = IsingNeighborhoods().fit(table(oracle.ising_rows(couplings, 500, rng, n_sweeps=20)))

    assert (np.sign(learner.coefficients_) == np.sign(couplings)).all()


@pytest.mark.compiled
@pytest.mark.parametrize("penalty", ["ebic", "stars", "cv-1se"])
def test_a_chain_is_found_by_every_rule(penalty):
    # In a smaller table half the chain coming and going at once is too unstable for stars.
    spins = oracle.ising_chain_rows(30, 1000, 0.6, np.random.default_rng(3))

    learner = IsingNeighborhoods(penalty=penalty, random_state=0, smallest_share=0.02, n_penalties=12)
    learner.fit(table(spins))

    truth = sl.Graph(learner.graph_.nodes, undirected=[(f"x{j:02}", f"x{j + 1:02}") for j in range(29)])
    found = learner.graph_.compare(truth)
    assert found.skeleton_recall == 1.0
    assert found.skeleton_precision >= (0.9 if penalty == "ebic" else 0.6)


@pytest.mark.compiled
def test_the_extended_bic_finds_that_two_diseases_explain_a_test_away():
    """Asia: either = tub or lung, so all three are joined in the moral graph."""
    data = sl.example("asia").sample(5000, random_state=0)

    graph = IsingNeighborhoods(penalty="ebic", smallest_share=0.005).fit(data).graph_

    assert {"tub", "lung"} <= set(graph.neighbors("either"))
    assert graph.neighbors("xray") == ("either",)
    assert "smoke" in graph.neighbors("bronc")


def test_binary_columns_in_a_mixed_table_are_penalised_as_in_a_binary_one():
    """A logit of 2·J·x has the weights (−J, J) in a softmax, whose norm is √2·J."""
    spins = np.tile([[1, 1], [1, 1], [1, 1], [1, -1], [-1, -1], [-1, -1], [-1, -1], [-1, 1]], (50, 1))
    noise = np.random.default_rng(4).normal(size=400)

    binary = IsingNeighborhoods(penalty=0.1).fit(table(spins))
    mixed = IsingNeighborhoods(penalty=0.1).fit(table(spins) | {"z": noise - noise.mean()})

    assert mixed.coefficients_[0, 1] == pytest.approx(np.sqrt(2) * binary.coefficients_[0, 1], rel=1e-4)


def chain_of_states(n_rows, n_levels, seed, length=5):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, n_levels, n_rows)]
    for _ in range(length - 1):
        keeps = rng.random(n_rows) < 0.7
        columns.append(np.where(keeps, columns[-1], rng.integers(0, n_levels, n_rows)))
    return np.column_stack(columns)


@pytest.mark.compiled
@pytest.mark.parametrize("penalty", ["theory", "ebic"])
def test_a_chain_of_columns_with_four_states_is_found(penalty):
    learner = IsingNeighborhoods(penalty=penalty, n_penalties=10)
    learner.fit(table(chain_of_states(600, 4, seed=5)))

    assert learner.graph_.undirected == tuple((f"x{j:02}", f"x{j + 1:02}") for j in range(4))
    assert (learner.coefficients_ >= 0).all()
    assert learner.gap_ < 1e-6


def test_relabelling_states_changes_nothing():
    states = chain_of_states(300, 3, seed=6, length=3)
    plain = IsingNeighborhoods().fit(table(states))

    relabelled = IsingNeighborhoods().fit(table(np.array([2, 0, 1])[states]))

    assert relabelled.coefficients_ == pytest.approx(plain.coefficients_, abs=1e-5)


def test_columns_of_three_kinds_form_one_graph():
    rng = np.random.default_rng(7)
    states = rng.integers(0, 3, 500)
    measured = states + 0.7 * rng.normal(size=500)
    flag = rng.random(500) < 1 / (1 + np.exp(-3 * (measured - 1)))
    lone = rng.normal(size=500)

    learner = IsingNeighborhoods().fit({"s": states.astype(str), "m": measured, "f": flag, "z": lone})

    assert set(learner.graph_.undirected) == {("s", "m"), ("m", "f")}


def test_rows_may_be_given_once_with_their_number():
    spins = oracle.ising_chain_rows(4, 80, 0.5, np.random.default_rng(8))
    repeats = np.random.default_rng(9).integers(1, 4, 80)

    repeated = IsingNeighborhoods().fit(table(np.repeat(spins, repeats, axis=0)))
    weighted = IsingNeighborhoods().fit(sl.Dataset(table(spins), weights=repeats.astype(float)))

    assert weighted.coefficients_ == pytest.approx(repeated.coefficients_, abs=1e-7)


def test_a_constant_column_stays_alone_and_a_renamed_one_is_chosen():
    spins = oracle.ising_chain_rows(3, 200, 0.5, np.random.default_rng(10))
    columns = table(spins) | {
        "same": np.where(spins[:, 0] > 0, "yes", "no"),
        "still": np.ones(200, dtype=int),
    }

    with pytest.warns(sl.DataWarning, match=r"single value|same under different labels"):
        learner = IsingNeighborhoods(field=False).fit(columns)

    assert learner.graph_.adjacent("still") == ()
    assert learner.graph_.adjacent("same") == ("x00",)


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore:.*smallest_share")
def test_adaptive_weights_leave_out_more():
    spins = oracle.ising_chain_rows(10, 600, 0.6, np.random.default_rng(11))
    plain, adaptive = (
        IsingNeighborhoods(penalty="cv", adaptive=on, random_state=0, smallest_share=0.001).fit(table(spins))
        for on in (False, True)
    )

    assert 9 <= len(adaptive.graph_.edges) < len(plain.graph_.edges)
