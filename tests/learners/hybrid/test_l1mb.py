"""L1-regularised blankets: conditions of the optimum, refits, published blankets, searches among them."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

import structlearn as sl
from structlearn.learners.hybrid.l1.coded_rows import CodedRows
from structlearn.learners.hybrid.l1.families import L1Families
from structlearn.learners.hybrid.l1.gaussian_paths import GaussianPaths
from structlearn.learners.hybrid.l1.group_path import GroupPath
from structlearn.learners.hybrid.l1.group_paths import GroupPaths
from structlearn.learners.hybrid.l1.order_search import L1OrderSearch
from structlearn.learners.hybrid.l1.penalties import Penalties
from structlearn.learners.hybrid.l1mb import L1MB
from structlearn.numerics.descent import lasso_path
from structlearn.numerics.logit_loss import least_logit_loss
from structlearn.run import Run
from structlearn.search.limits import Limits
from structlearn.statistics import from_dataset
from tests.learners.hybrid.reference_tables import bnlearn_table
from tests.learners.score.candidate_tables import random_normals, random_table

# From docs/references/hybrid.md#l1mb: the Markov blankets of gaussian.test, which the refitted paths find.
BLANKETS = {"A": "BCDEFG", "B": "ACD", "C": "AB", "D": "ABEFG", "E": "ADFG", "F": "ADEG", "G": "ADEF"}
OPTIMUM = -53221.345687


def gaussian_test():
    return bnlearn_table("gaussian.test.csv", kind="continuous")


@pytest.mark.compiled
def test_published_blankets_whichever_the_rule():
    for rule in ("or", "and"):
        learner = L1MB(search=None, rule=rule).fit(gaussian_test())
        assert learner.blankets_ == {name: tuple(members) for name, members in BLANKETS.items()}
        assert learner.one_sided_ == learner.blankets_
        assert len(learner.graph_.undirected) == 14


@pytest.mark.compiled
@pytest.mark.parametrize("search", ["hill-climbing", "order"])
def test_both_searches_find_the_optimum_of_gaussian_test(search):
    learner = L1MB(search=search).fit(gaussian_test())

    assert learner.score_ == pytest.approx(OPTIMUM, abs=1e-5)
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, gaussian_test(), score="bic"))


def families(data, regressions=GaussianPaths):
    """The families of a table without knowledge."""
    statistics = from_dataset(data)
    price = 0.5 * np.log(statistics.size)
    paths = regressions(statistics, Penalties(price, n_penalties=60, smallest_share=1e-3))
    return L1Families(paths, Limits.of(data.names, sl.Knowledge()), Run("test"))


def test_the_published_order_has_the_published_length():
    # From docs/references/hybrid.md#l1mb: 53221.345687 along A, B, E, G, C, D, F.
    search = L1OrderSearch(families(gaussian_test()))

    assert search.cost(tuple("ABCDEFG".index(name) for name in "ABEGCDF")) == pytest.approx(
        -OPTIMUM, abs=1e-5
    )


@pytest.mark.compiled
def test_swaps_lead_from_a_bad_order_to_the_optimum():
    search = L1OrderSearch(families(gaussian_test()))
    order = tuple(reversed(range(7)))

    best = search.improve(order, tabu=10, patience=15)

    assert search.cost(order) > 50 - OPTIMUM
    assert search.cost(best) == pytest.approx(-OPTIMUM, abs=1e-5)
    assert -search.cost(best) == pytest.approx(max(search.trace))


def test_at_the_largest_penalty_nothing_is_used_and_an_orthogonal_design_is_soft_thresholded():
    rng = np.random.default_rng(0)
    columns, _ = np.linalg.qr(rng.normal(size=(50, 4)))
    target = columns.T @ rng.normal(size=50)
    penalties = np.abs(target).max() * np.array([1.0, 0.6, 0.2])

    path = lasso_path(np.eye(4), target, penalties=penalties)

    expected = np.sign(target) * np.maximum(np.abs(target) - penalties[:, None], 0.0)
    assert path.coefficients == pytest.approx(expected, abs=1e-9)
    assert not path.coefficients[0].any()


def test_the_lasso_path_meets_the_conditions_of_the_optimum():
    statistics = from_dataset(random_normals(0, n_columns=6, n_rows=80))
    gram = statistics.moments().correlation
    weights = np.array([np.inf, 1, 1, 1, 1, 1])
    penalties = np.abs(gram[0, 1:]).max() * np.geomspace(1, 1e-3, 20)

    path = lasso_path(gram, gram[0], penalties=penalties, weights=weights, total=1.0)

    for penalty, found in zip(path.penalties, path.coefficients, strict=True):
        slope = (gram[0] - gram @ found)[1:]
        used = found[1:] != 0.0
        assert slope[used] == pytest.approx(penalty * np.sign(found[1:][used]), abs=1e-6)
        assert np.abs(slope[~used]).max(initial=0.0) <= penalty + 1e-6


@pytest.mark.parametrize("child", range(3))
def test_the_path_of_discrete_columns_meets_the_conditions_of_the_optimum(child):
    data = random_table(child, n_columns=4, n_rows=150)
    table = CodedRows(from_dataset(data))
    bars = np.where(np.arange(4) == child, np.inf, 1.0)
    path = GroupPath(table, child, bars)
    largest = path.largest_penalty()

    for penalty in largest * np.geomspace(1.0, 0.01, 8):
        path.move_to(penalty)
        pulls = path.pulls()
        for column in set(range(4)) - {child}:
            assert pulls[column] <= penalty * 1.002
            if path.is_active[column]:
                assert pulls[column] >= penalty * 0.998
        assert path.is_active.any() == (penalty < largest)


def direct_logit_loss(design, counts):
    """Minus the largest log-likelihood by a general optimiser."""
    n_columns, n_levels = design.shape[1], counts.shape[1]

    def loss(flat):
        linear = design @ flat.reshape(n_columns, n_levels)
        return -(counts * (linear - logsumexp(linear, axis=1, keepdims=True))).sum()

    return minimize(loss, np.zeros(n_columns * n_levels), options={"gtol": 1e-8}).fun


@pytest.mark.parametrize("n_levels", [2, 3])
def test_a_refit_reaches_the_largest_likelihood(n_levels):
    rng = np.random.default_rng(n_levels)
    design = np.column_stack([np.ones(12), rng.integers(0, 2, (12, 2))]).astype(float)
    counts = rng.integers(1, 9, (12, n_levels)).astype(float)

    assert least_logit_loss(design, counts) == pytest.approx(direct_logit_loss(design, counts), rel=1e-6)


def test_a_refit_of_separable_cells_ends_at_no_loss():
    design = np.array([[1.0, 0.0], [1.0, 1.0]])

    assert least_logit_loss(design, np.diag([30.0, 50.0])) == pytest.approx(0.0, abs=1e-3)
    assert least_logit_loss(design, np.array([[30.0, 0.0], [50.0, 0.0]])) == 0.0  # one state only


def test_a_description_is_the_likelihood_and_half_a_logarithm_per_parameter():
    data = random_table(1, n_columns=4, n_rows=120)
    codes = np.column_stack([data.column(name).codes for name in data.names])
    design = np.column_stack([np.ones(120), *(codes[:, [1, 3]] == 1).T, *(codes[:, [1, 3]] == 2).T])
    outcome = np.eye(3)[codes[:, 0]]

    cost = families(data, GroupPaths).cost(0, (1, 3))

    n_parameters = 2 * (1 + 2 + 2)
    expected = direct_logit_loss(design.astype(float), outcome) + 0.5 * n_parameters * np.log(120)
    assert cost == pytest.approx(expected, rel=1e-6)


@pytest.mark.compiled
def test_linear_regressions_cost_the_same_with_groups_as_without():
    data = random_normals(2, n_columns=5, n_rows=150)
    lasso, groups = families(data), families(data, GroupPaths)

    for child in range(5):
        rest = tuple(v for v in range(5) if v != child)
        assert groups.cost(child, rest) == pytest.approx(lasso.cost(child, rest))
        everything = np.ones(5, dtype=np.bool_)
        assert groups.best(child, everything).members == lasso.best(child, everything).members


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_what_is_chosen_is_never_worse_than_nothing(seed):
    chosen = families(random_table(seed, n_columns=5, n_rows=60), GroupPaths)

    for child in range(5):
        best = chosen.best(child, np.ones(5, dtype=np.bool_))
        assert best.cost <= chosen.cost(child, ())
        assert child not in best.members


@pytest.mark.compiled
def test_the_blankets_of_asia_lead_to_its_optimum():
    # From docs/references/search.md#hill-climbing: no DAG of asia has a larger BIC.
    assert L1MB().fit(bnlearn_table("asia.csv")).score_ == pytest.approx(-11107.293309, abs=1e-5)


@pytest.mark.compiled
@pytest.mark.parametrize("search", ["hill-climbing", "order", None])
def test_knowledge_and_the_number_of_parents_are_honoured(search):
    data = random_normals(1, n_columns=5, n_rows=200)
    knowledge = sl.Knowledge(required=[("v4", "v0")], forbidden=[("v1", "v2"), ("v2", "v1")])

    graph = L1MB(search=search, knowledge=knowledge, max_parents=2).fit(data).graph_

    assert knowledge.violations(graph) == []
    if search:
        assert max(len(graph.parents(name)) for name in data.names) <= 2


@pytest.mark.compiled
def test_an_order_search_scores_by_its_regressions():
    data = random_table(4, n_columns=4, n_rows=200)
    learner = L1MB(search="order", n_penalties=25).fit(data)
    costs = families(data, GroupPaths)

    place = data.names.index
    total = sum(
        costs.cost(place(name), tuple(sorted(map(place, learner.graph_.parents(name)))))
        for name in data.names
    )
    assert learner.score_ == pytest.approx(-total)


def test_columns_of_both_kinds_and_constant_ones_are_taken():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 300)
    data = {"a": a, "b": a + rng.normal(size=300), "c": np.zeros(300, dtype=int)}

    with pytest.warns(sl.DataWarning, match="single value"):
        learner = L1MB(search=None).fit(sl.Dataset(data, kinds={"c": "discrete"}))

    assert learner.blankets_ == {"a": ("b",), "b": ("a",), "c": ()}
