"""Neighbourhood selection: the paper's penalty, scikit-learn node by node, and known graphs."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

import structlearn as sl
from structlearn.learners.regression.neighborhood_selection import NeighborhoodSelection
from structlearn.learners.regression.penalties.theory import component_penalty
from tests.oracles import regression as oracle


def rows_of(precision, n_rows, seed):
    return oracle.gaussian_rows(precision, n_rows, np.random.default_rng(seed))


def f1_of(learner, precision, n_rows, seed):
    return oracle.f1(learner.fit(rows_of(precision, n_rows, seed)).graph_.adjacency(), precision)


@pytest.mark.parametrize("penalty", ["theory", 0.1])
def test_each_regression_is_that_of_scikit_learn(penalty):
    rows = rows_of(oracle.chain_precision(12), 80, seed=0)
    learner = NeighborhoodSelection(penalty=penalty).fit(rows)
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)

    if penalty == "theory":
        assert learner.penalty_ == component_penalty(80, 12, 0.05) / 2
    for node in range(12):
        others = np.delete(standard, node, axis=1)
        theirs = (
            Lasso(alpha=learner.penalty_, tol=1e-12, max_iter=100_000).fit(others, standard[:, node]).coef_
        )
        ours = np.delete(learner.coefficients_[node], node)
        loss = [((standard[:, node] - others @ w) ** 2).mean() / 2 for w in (ours, theirs)]
        paid = [learner.penalty_ * np.abs(w).sum() for w in (ours, theirs)]
        assert loss[0] + paid[0] == pytest.approx(loss[1] + paid[1], abs=1e-6)
        assert ours == pytest.approx(theirs, abs=1e-3)
    assert 0 <= learner.gap_ <= 1e-7


@pytest.mark.compiled
@pytest.mark.parametrize("penalty", ["theory", "ebic", "cv-1se"])
def test_a_chain_of_fifty_is_found(penalty):
    # From docs/references/regression.md#choosing-a-penalty, first row: .998 by the extended BIC and .997 by
    # theory in the mean over seeds.
    learner = NeighborhoodSelection(penalty=penalty, random_state=0)

    found = np.mean([f1_of(learner, oracle.chain_precision(50), 200, seed) for seed in range(5)])

    assert found > (0.9 if penalty == "cv-1se" else 0.957)


@pytest.mark.compiled
def test_stability_selection_misses_nothing_of_a_chain():
    # From docs/references/regression.md#choosing-a-penalty: recall .97 at least; it takes too many by
    # design.
    precision = oracle.chain_precision(50)
    learner = NeighborhoodSelection(penalty="stars", random_state=0).fit(rows_of(precision, 200, seed=0))

    truth = np.triu(precision != 0, k=1)
    assert (np.triu(learner.graph_.adjacency()) != 0)[truth].mean() >= 0.97
    unstable = np.maximum.accumulate(learner.path_["criterion"])
    chosen = int(np.flatnonzero(learner.path_["penalty"] == learner.penalty_)[0])
    assert unstable[chosen] <= 0.05 < unstable[chosen + 1]


TABLE = {
    "chain, 200": (lambda _: oracle.chain_precision(50), 200, 0.998, 0.997, 0.997),
    "chain, 500": (lambda _: oracle.chain_precision(50), 500, 0.998, 0.999, 0.999),
    "hubs, 500": (lambda _: oracle.hub_precision(), 500, 0.990, 0.989, 0.998),
    "random, 300": (lambda rng: oracle.random_precision(50, rng), 300, 0.982, 0.927, 0.953),
}


@pytest.mark.slow
@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE.keys())
def test_the_table_of_reference_runs(row):
    # From docs/references/regression.md#choosing-a-penalty: node EBIC (and), theory (and), theory (or),
    # within .04 in the mean over seeds.
    precision_of, n_rows, *expected = row
    learners = [
        NeighborhoodSelection(penalty="ebic"),
        NeighborhoodSelection(),
        NeighborhoodSelection(rule="or"),
    ]
    found = [
        [f1_of(learner, precision_of(np.random.default_rng(seed)), n_rows, seed) for learner in learners]
        for seed in range(10)
    ]

    assert np.mean(found, axis=0) == pytest.approx(expected, abs=0.04)


@pytest.mark.compiled
@pytest.mark.parametrize("n_runs", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_unconnected_parts_are_seldom_joined(n_runs):
    # From docs/references/regression.md#neighborhood-selection: in at most a share alpha of runs, and three
    # standard errors.
    block = 0.5 * np.eye(10) + 0.5
    precision = np.linalg.inv(np.kron(np.eye(5), block))
    part = np.repeat(np.arange(5), 10)
    joined = 0
    for seed in range(n_runs):
        edges = NeighborhoodSelection(alpha=0.05).fit(rows_of(precision, 300, seed)).graph_.adjacency()
        joined += bool((edges * (part[:, None] != part)).any())

    assert joined / n_runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_runs)


def test_one_choice_is_enough_for_or_and_both_are_needed_for_and():
    rows = rows_of(oracle.hub_precision(2, 6), 60, seed=1)
    both, either = (NeighborhoodSelection(penalty=0.12, rule=rule).fit(rows) for rule in ("and", "or"))

    chosen = both.coefficients_ != 0
    assert (both.graph_.adjacency() == (chosen & chosen.T)).all()
    assert (either.graph_.adjacency() == (chosen | chosen.T)).all()
    assert (chosen != chosen.T).any()
    for edge in either.graph_.edges:
        a, b = (either.graph_.nodes.index(name) for name in (edge.source, edge.target))
        ends = [w for w in (both.coefficients_[a, b], both.coefficients_[b, a]) if w]
        assert edge.weight == pytest.approx(np.mean(ends))


def test_coefficients_follow_the_columns_whatever_their_names():
    rows = rows_of(oracle.chain_precision(4), 200, seed=2)

    plain = NeighborhoodSelection(penalty="ebic").fit(dict(zip("abcd", rows.T, strict=True)))
    turned = NeighborhoodSelection(penalty="ebic").fit(dict(zip("dcba", rows.T, strict=True)))

    assert turned.coefficients_ == pytest.approx(plain.coefficients_, abs=1e-4)  # up to the gap
    assert turned.penalty_ == pytest.approx(plain.penalty_)


def test_scales_and_shifts_of_columns_do_not_matter():
    rows = rows_of(oracle.chain_precision(6), 100, seed=3)

    plain = NeighborhoodSelection().fit(rows).coefficients_

    assert NeighborhoodSelection().fit(rows * 10.0 ** np.arange(6) + 5).coefficients_ == pytest.approx(plain)


def test_rows_may_be_given_once_with_their_number():
    rows = rows_of(oracle.chain_precision(5), 60, seed=4)
    repeats = np.random.default_rng(0).integers(1, 4, 60)

    repeated = NeighborhoodSelection().fit(np.repeat(rows, repeats, axis=0))
    weighted = NeighborhoodSelection().fit(sl.Dataset(rows, weights=repeats.astype(float)))

    assert weighted.coefficients_ == pytest.approx(repeated.coefficients_, abs=1e-9)


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore:.*smallest_share")
def test_adaptive_weights_leave_out_more_and_shrink_less():
    precision = oracle.chain_precision(20)
    rows = rows_of(precision, 400, seed=5)
    plain, adaptive = (
        NeighborhoodSelection(penalty="cv", adaptive=on, random_state=0, smallest_share=1e-3).fit(rows)
        for on in (False, True)
    )

    truth = precision != 0
    assert (adaptive.coefficients_[~truth] != 0).sum() < (plain.coefficients_[~truth] != 0).sum()
    assert np.abs(adaptive.coefficients_[truth]).mean() > np.abs(plain.coefficients_[truth]).mean()


def test_adaptive_weights_need_a_penalty_from_the_data():
    with pytest.raises(sl.OptionError, match=r"adaptive=True\).*penalty='ebic'"):
        NeighborhoodSelection(adaptive=True).fit(rows_of(np.eye(3), 20, seed=0))


def test_an_elastic_net_keeps_columns_that_are_much_alike_together():
    rng = np.random.default_rng(6)
    shared = rng.normal(size=300)
    rows = np.column_stack([shared + 0.1 * rng.normal(size=300) for _ in range(3)])

    lasso, net = (NeighborhoodSelection(penalty=0.3, l1_share=share).fit(rows) for share in (1.0, 0.5))

    def spread(learner):
        return np.abs(learner.coefficients_[0, 1] - learner.coefficients_[0, 2])

    assert spread(net) < 0.3 * spread(lasso)


def test_one_penalty_for_all_is_one_number():
    rows = rows_of(oracle.chain_precision(6), 300, seed=7)

    each = NeighborhoodSelection(penalty="ebic").fit(rows)
    shared = NeighborhoodSelection(penalty="ebic", one_penalty=True).fit(rows)

    assert each.penalty_.shape == (6,)
    best = shared.path_["criterion"].argmin()
    assert shared.penalty_ == shared.path_["penalty"][best]
    assert shared.path_["n_edges"][best] == len(shared.graph_.edges)


def test_the_path_has_more_edges_the_smaller_the_penalty():
    path = NeighborhoodSelection(penalty="ebic").fit(rows_of(oracle.chain_precision(10), 200, seed=8)).path_

    assert path["n_edges"][0] == 0
    assert (np.diff(path["penalty"]) < 0).all()
    assert (np.diff(path["n_edges"]) >= 0).mean() > 0.8


@pytest.mark.compiled
def test_a_path_that_is_too_short_is_warned_of():
    rows = rows_of(oracle.chain_precision(5), 500, seed=9)

    with pytest.warns(sl.DataWarning, match="smaller smallest_share"):
        NeighborhoodSelection(penalty="cv", smallest_share=0.5, random_state=0).fit(rows)


def test_a_forbidden_edge_is_explained_by_others():
    rows = rows_of(oracle.chain_precision(4), 400, seed=10)
    names = [f"x{j}" for j in range(4)]
    known = sl.Knowledge(forbidden=[("x0", "x1"), ("x1", "x0")])

    learner = NeighborhoodSelection(penalty=0.05, knowledge=known).fit(dict(zip(names, rows.T, strict=True)))

    assert learner.coefficients_[0, 1] == learner.coefficients_[1, 0] == 0.0
    assert learner.coefficients_[0, 2] != 0.0


@pytest.mark.compiled
def test_more_columns_than_rows_and_too_many_neighbours_leave_the_criterion_undefined_not_wrong():
    rows = rows_of(np.eye(30), 12, seed=11)

    learner = NeighborhoodSelection(penalty="ebic", smallest_share=1e-3).fit(rows)

    assert np.count_nonzero(learner.coefficients_, axis=1).max() < 11
    assert np.isinf(learner.path_["criterion"][-1])


def test_a_regression_that_did_not_converge_is_said(monkeypatch):
    # Those that truly do not, with hardly a penalty and more columns than rows, take minutes.
    monkeypatch.setattr("structlearn.learners.regression.nodewise.learner.LARGEST_GAP", 1e-30)
    rows = rows_of(np.eye(4) + 0.3 * np.eye(4, k=1) + 0.3 * np.eye(4, k=-1), 50, seed=0)

    with pytest.warns(sl.DataWarning, match="a regression ended at a duality gap of"):
        learner = NeighborhoodSelection(penalty=0.1).fit(rows)

    assert learner.status_.startswith("The solver ended before the accuracy asked for")
