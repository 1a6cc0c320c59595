"""The graphical lasso: the optimum it promises, the penalty by every rule, simulations."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.learners.regression.graphical_lasso import GraphicalLasso
from structlearn.numerics.blas_threads import threads_for
from tests.oracles import precision as oracle
from tests.oracles.precision import everywhere, off_diagonal


@pytest.fixture(autouse=True)
def one_thread():
    with threads_for(1):
        yield


def chain(p=6, strength=0.4):
    return np.eye(p) + strength * (np.eye(p, k=1) + np.eye(p, k=-1))


def hubs(p=50):
    precision = np.eye(p)
    for hub in range(0, p, 10):
        precision[hub, hub + 1 : hub + 10] = precision[hub + 1 : hub + 10, hub] = 0.25
    return precision


def scattered(seed, p=50):
    joined = np.triu(np.random.default_rng(seed).random((p, p)) < 0.05, k=1).astype(float)
    weights = 0.3 * (joined + joined.T)
    return weights + (0.2 - np.linalg.eigvalsh(weights)[0]) * np.eye(p)


def test_the_result_is_the_optimum_in_the_order_of_the_columns():
    rows = oracle.draw(chain(), 300, seed=0) * [1.0, 5.0, 1.0, 0.1, 1.0, 1.0] + 3.0
    names = ["delta", "alpha", "zeta", "beta", "gamma", "eta"]
    learner = GraphicalLasso(penalty=0.1).fit(dict(zip(names, rows.T, strict=True)))
    correlation = np.corrcoef(rows, rowvar=False)

    assert learner.graph_.nodes == tuple(names)
    assert oracle.optimality_residual(correlation, off_diagonal(0.1, 6), learner.precision_) < 1e-3
    assert learner.objective_ == pytest.approx(
        oracle.objective(correlation, off_diagonal(0.1, 6), learner.precision_), abs=1e-9
    )
    assert (learner.graph_.adjacency() != 0).tolist() == (
        (learner.precision_ != 0.0) & ~np.eye(6, dtype=bool)
    ).tolist()
    partial = -learner.precision_[0, 1] / np.sqrt(learner.precision_[0, 0] * learner.precision_[1, 1])
    assert learner.graph_.edge("delta", "alpha").weight == pytest.approx(partial)
    assert learner.penalty_ == 0.1
    assert 0.0 <= learner.gap_ <= 6e-8


def test_covariances_and_the_diagonal_can_be_penalised():
    rows = oracle.draw(chain(), 300, seed=1) * [1.0, 3.0, 1.0, 0.5, 1.0, 1.0]
    learner = GraphicalLasso(penalty=0.2, standardise=False, penalise_diagonal=True, tolerance=1e-12).fit(
        rows
    )

    covariance = np.cov(rows, rowvar=False, bias=True)
    assert oracle.optimality_residual(covariance, everywhere(0.2, 6), learner.precision_) < 1e-5


# From docs/references/regression.md#choosing-a-penalty: the mean F1 of 50 columns, and how near a mean of
# five seeds must come.
SIMULATIONS = {
    "chain, 200 rows": (lambda _: chain(50), 200, {"ebic": 0.992, "penalised": 0.851, "stars": 0.791}),
    "chain, 500 rows": (lambda _: chain(50), 500, {"ebic": 1.0, "penalised": 0.764, "stars": 0.875}),
    "hubs, 500 rows": (lambda _: hubs(), 500, {"ebic": 0.995, "penalised": 0.836, "stars": 0.926}),
    "scattered, 300 rows": (scattered, 300, {"ebic": 0.950, "penalised": 0.873, "stars": 0.936}),
}


def f1(precision, truth):
    found, right = (np.triu(matrix, k=1) != 0.0 for matrix in (precision, truth))
    return 2.0 * (found & right).sum() / (found.sum() + right.sum())


def mean_f1(truth_of, n_rows, **options):
    found = []
    for seed in range(5):
        truth = truth_of(seed)
        learner = GraphicalLasso(random_state=0, **options).fit(oracle.draw(truth, n_rows, seed))
        found.append(f1(learner.precision_, truth))
    return np.mean(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATIONS)
def test_the_extended_bic_finds_what_other_simulations_find(name):
    truth_of, n_rows, expected = SIMULATIONS[name]
    refitted = mean_f1(truth_of, n_rows)
    shrunken = mean_f1(truth_of, n_rows, refit=False)

    assert refitted == pytest.approx(expected["ebic"], abs=0.04)
    assert shrunken == pytest.approx(expected["penalised"], abs=0.1)
    assert refitted > shrunken


def test_the_extended_bic_finds_a_chain_and_without_a_refit_more():
    rows = oracle.draw(chain(12), 200, seed=0)
    refitted, shrunken = (GraphicalLasso(refit=refit).fit(rows) for refit in (True, False))

    assert f1(refitted.precision_, chain(12)) == 1.0
    assert len(shrunken.graph_.edges) > 11


@pytest.mark.filterwarnings("ignore:.*the smallest penalty of the path was chosen")
def test_the_extended_bic_is_that_of_the_definition():
    # Foygel and Drton (2010): -2 log-likelihood + |E| log n + 4 γ |E| log p, up to a constant.
    rows = oracle.draw(chain(), 150, seed=3)
    correlation = np.corrcoef(rows, rowvar=False)
    for gamma in (0.0, 0.5):
        learner = GraphicalLasso(refit=False, gamma=gamma, n_penalties=6, smallest_share=0.3).fit(rows)
        for point in learner.path_:
            precision = point.precision.toarray()
            log_likelihood = 75 * (np.linalg.slogdet(precision)[1] - np.trace(correlation @ precision))
            price = point.n_edges * (np.log(150) + 4 * gamma * np.log(6))
            assert point.criterion == pytest.approx(-2 * log_likelihood + price)


@pytest.mark.filterwarnings("ignore:.*the smallest penalty of the path was chosen")
def test_with_few_rows_an_edge_costs_what_chance_rarely_brings():
    # A pair gains -n log(1 - r²), which passes the price as often as a χ² of one degree that of the paper.
    rows = np.random.default_rng(0).normal(size=(12, 15))
    rows[:, 1] += 5 * rows[:, 0]
    correlation = np.corrcoef(rows[:, :2], rowvar=False)[0, 1]
    without, with_one = GraphicalLasso(n_penalties=2, smallest_share=0.9).fit(rows).path_
    price = with_one.criterion - without.criterion - 12 * np.log1p(-(correlation**2))

    assert with_one.n_edges == 1
    level = 2 * stats.t.sf(np.sqrt(10 * np.expm1(price / 12)), 10)
    assert level == pytest.approx(stats.chi2.sf(np.log(12) + 2 * np.log(15), 1), rel=1e-6)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(8, 100), (20, 400)])
def test_a_path_with_few_rows_ends_where_edges_are_those_of_chance(n_rows, n_columns):
    learner = GraphicalLasso().fit(np.random.default_rng(1).normal(size=(n_rows, n_columns)))

    assert len(learner.graph_.edges) <= 3 + n_columns / 20
    assert np.isfinite(learner.trace_["criterion"][:-1]).all()
    assert learner.trace_["edges"][-1] <= 3 * n_columns


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATIONS)
def test_stability_finds_what_other_simulations_find(name):
    truth_of, n_rows, expected = SIMULATIONS[name]

    assert mean_f1(truth_of, n_rows, penalty="stars") == pytest.approx(expected["stars"], abs=0.1)


def test_stability_keeps_the_edges_and_does_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    rows = oracle.draw(chain(12), 300, seed=0)

    one, two = (GraphicalLasso(penalty="stars", random_state=0, n_jobs=n).fit(rows) for n in (1, 2))

    assert (np.diag(one.precision_, k=1) != 0.0).all()
    assert one.evidence_ == two.evidence_
    assert one.trace_["criterion"][:-1].max() <= 0.05 < one.trace_["criterion"][-1]


def test_cross_validation_takes_the_least_loss_of_held_out_rows():
    rows = oracle.draw(chain(), 60, seed=0)
    best = GraphicalLasso(penalty="cv", random_state=0).fit(rows)
    sparser = GraphicalLasso(penalty="cv-1se", random_state=0).fit(rows)

    assert best.penalty_ == best.trace_["penalty"][best.trace_["criterion"].argmin()]
    assert sparser.penalty_ > best.penalty_
    assert len(sparser.graph_.edges) <= len(best.graph_.edges)


def test_the_path_has_every_penalty_with_its_optimum():
    rows = oracle.draw(chain(), 100, seed=0)
    learner = GraphicalLasso(tolerance=1e-12).fit(rows)
    correlation = np.corrcoef(rows, rowvar=False)

    assert (np.diff(learner.trace_["penalty"]) < 0).all()
    assert learner.trace_["edges"][0] == 0
    objectives = []
    for point in learner.path_:
        found, penalties = point.precision.toarray(), off_diagonal(point.penalty, 6)
        assert oracle.optimality_residual(correlation, penalties, found) < 1e-5
        objectives.append(oracle.objective(correlation, penalties, found))
    assert (np.diff(objectives) < 0).all()  # a smaller penalty costs less


def test_the_rule_by_level_rarely_joins_unconnected_columns():
    joined = [
        len(GraphicalLasso(penalty="theory", alpha=0.05).fit(oracle.draw(np.eye(10), 100, seed)).graph_.edges)
        for seed in range(40)
    ]
    assert np.mean([n > 0 for n in joined]) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 40)


def test_more_columns_than_rows_and_constant_columns_are_fine():
    rows = oracle.draw(chain(30), 20, seed=0)
    rows[:, 4] = 7.0

    with pytest.warns(sl.DataWarning, match="'x4' has a single value"):
        learner = GraphicalLasso(penalty=0.4).fit(rows)

    assert learner.precision_[4, 4] == 1.0
    assert np.count_nonzero(learner.precision_[4]) == 1
    assert learner.gap_ <= 30e-8
    assert len(learner.graph_.edges) > 0


def test_collinear_columns_are_fine_with_a_penalty_and_refused_without():
    rows = oracle.draw(chain(), 50, seed=0)
    with_a_sum = np.column_stack([rows, rows[:, 0] + rows[:, 1]])
    covariance = np.corrcoef(with_a_sum, rowvar=False)

    learner = GraphicalLasso(penalty=0.1, tolerance=1e-12).fit(with_a_sum)

    penalties = off_diagonal(0.1, len(covariance))
    assert oracle.optimality_residual(covariance, penalties, learner.precision_) < 1e-5
    with pytest.raises(sl.DataError, match="none of them a linear combination of others"):
        GraphicalLasso(penalty=0).fit(with_a_sum)


def test_a_gap_that_is_not_reached_is_said():
    rows = np.random.default_rng(0).normal(size=(4, 6))
    free = dict.fromkeys(combinations([f"x{j}" for j in range(5)], 2), 0.0)  # five of rank 3: no optimum

    with pytest.warns(sl.DataWarning, match="ended at a duality gap of"):
        learner = GraphicalLasso(penalty=0.2, weights=free).fit(rows)

    assert learner.status_.startswith("The solver ended before the accuracy asked for")
    assert learner.gap_ > 1e-6


def test_pairs_can_be_forbidden_and_freed():
    rows = oracle.draw(chain(), 200, seed=0)
    both = sl.Knowledge(forbidden=[("x0", "x1"), ("x1", "x0")])

    assert GraphicalLasso(penalty=0.05, knowledge=both).fit(rows).precision_[0, 1] == 0.0
    assert GraphicalLasso(penalty=0.9, weights={("x4", "x1"): 0.0}).fit(rows).graph_.undirected == (
        ("x1", "x4"),
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": {("x0", "y"): 1.0}}, "there is no column 'y'"),
        ({"weights": {("x0", "x1"): -1.0}}, "a number from 0 to infinity"),
        ({"weights": {("x0", "x1"): 0.0}, "solver": "nesterov"}, "no forbidden and no free pairs"),
        ({"penalty": "bic"}, "penalty is what an absolute unit of precision costs"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(sl.OptionError, match=message):
        GraphicalLasso(**options).fit(oracle.draw(chain(), 50, seed=0))


def test_what_data_cannot_answer_is_refused():
    few = oracle.draw(chain(), 5, seed=0)
    with pytest.raises(sl.DataError, match="takes no case weights"):
        GraphicalLasso(penalty="stars").fit(sl.Dataset(few, weights=np.ones(5)))
    with pytest.raises(sl.DataError, match="2 rows are too few"):
        GraphicalLasso(penalty="theory").fit(few[:2])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n_rows", [3, 5, 6])
def test_a_singular_covariance_is_refused_however_it_is_rounded(n_rows, seed):
    with pytest.raises(sl.DataError, match=f"more rows than columns, not {n_rows} and 6"):
        GraphicalLasso(penalty=0).fit(oracle.draw(chain(), n_rows, seed=seed))


def test_without_a_penalty_it_is_the_inverse():
    rows = oracle.draw(chain(), 50, seed=0)
    learner = GraphicalLasso(penalty=0, tolerance=1e-14).fit(rows)

    expected = np.linalg.inv(np.corrcoef(rows, rowvar=False))
    np.testing.assert_allclose(learner.precision_, expected, atol=1e-6)


def test_an_end_before_the_gap_is_reached_is_warned_of():
    # Ten columns that are all joined for free, and five rows: the likelihood has no maximum.
    rows = oracle.draw(np.eye(10), 5, seed=0)
    free = {(f"x{i}", f"x{j}"): 0.0 for i in range(10) for j in range(i)}

    with pytest.warns(sl.DataWarning, match="ended at a duality gap"):
        GraphicalLasso(penalty=0.1, weights=free).fit(rows)
