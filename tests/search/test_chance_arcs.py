"""How many wrong arcs are risked: one in noise, more where there is much to find and little to find it by."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import t

import structlearn as sl
from structlearn.run import Run
from structlearn.search.chance_arcs import _best_risk, _least_risk, arcs_to_risk
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import opened, statistics_of


def risked(table, **options):
    with Run("test", **options) as run:
        return arcs_to_risk(statistics_of(opened(table), list(table), owner="test"), run)


def pairs(n_rows, strength, n_pairs=20, seed=0):
    """Columns of which two and two depend on each other."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(n_pairs, n_rows))
    second = strength * first + np.sqrt(1 - strength**2) * rng.normal(size=first.shape)
    return {f"v{j:02}": column for j, column in enumerate(np.concatenate([first, second]))}


@pytest.mark.parametrize("n_rows", [10, 40])
def test_noise_is_worth_one_wrong_arc(n_rows):
    assert all(1.0 <= risked(pairs(n_rows, 0.0, seed=seed)) < 1.5 for seed in range(5))


def long_tails(rng, n_rows):
    return rng.exponential(size=n_rows)


def outliers(rng, n_rows):
    return rng.standard_cauchy(n_rows)


def rare(rng, n_rows):
    return np.where(rng.random(n_rows) < 0.15, "yes", "no")


@pytest.mark.parametrize("n_rows", [10, 20, 50])
@pytest.mark.parametrize("column", [long_tails, outliers, rare])
def test_noise_whose_small_p_values_are_too_many_is_worth_one_wrong_arc(column, n_rows):
    rng = np.random.default_rng(0)

    assert risked({f"v{j:03}": column(rng, n_rows) for j in range(150)}) < 1.5


@pytest.mark.parametrize(("n_rows", "n_columns"), [(20, 60), (60, 30), (100, 100)])
def test_where_outliers_look_like_dependence_less_is_risked_and_the_status_says_so(n_rows, n_columns):
    rows = np.random.default_rng(0).standard_cauchy((n_rows, n_columns))
    table = {f"v{j:02}": column for j, column in enumerate(rows.T)}
    learner = sl.HillClimbing().fit(table)

    assert risked(table) < 1e-3
    assert len(learner.graph_.edges) <= 2
    assert "Long tails or rare states look like dependence here" in learner.status_


def test_a_p_value_of_0_leaves_a_risk_above_0():
    assert _least_risk(np.zeros(1000), 10) > 0.0


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")  # of few rows per level
@pytest.mark.parametrize("levels", [3, 4])
@pytest.mark.parametrize(("n_rows", "n_columns"), [(10, 40), (20, 60), (50, 25)])
def test_noise_of_several_states_has_three_edges_at_most_on_average(levels, n_rows, n_columns):
    n_edges = 0
    for seed in range(3):
        codes = np.random.default_rng(seed).integers(0, levels, (n_columns, n_rows))
        table = {f"v{j:02}": np.char.add("s", column.astype(str)) for j, column in enumerate(codes)}
        n_edges += len(sl.HillClimbing().fit(table).graph_.edges)

    assert n_edges <= 3 * 3


@pytest.mark.parametrize(("share_of_chance", "is_worth_it"), [(0.3, True), (0.55, False)])
def test_nothing_is_risked_where_most_of_what_is_found_is_chance(share_of_chance, is_worth_it):
    n_found = np.arange(1.0, 1001.0)
    assert (_best_risk(share_of_chance * n_found, np.zeros((1, 1000)), n_columns=1000) > 1.0) == is_worth_it


def test_what_can_hardly_be_seen_is_worth_more_wrong_arcs_than_what_is_plain():
    plain, faint = risked(pairs(200, 0.9)), risked(pairs(12, 0.75))

    assert plain == 1.0
    assert 2.0 < faint <= 40.0  # never more than there are columns


def risks_of(columns):
    """Student's test of every pair of Gaussian columns: how many of all pairs are as extreme by chance."""
    n, r = len(columns[0]), np.abs(np.corrcoef(columns)[np.triu_indices(len(columns), k=1)])
    return np.sort(len(r) * 2 * t.sf(r * np.sqrt((n - 2) / (1 - r * r)), n - 2))


def best_risk(table):
    """Of all that one could risk, by Student's test and by shuffled columns, what makes F1 largest."""
    columns, p = list(table.values()), len(table)
    statistics = statistics_of(opened(table), list(table), owner="test")
    risks = risks_of(columns)
    by_chance = [
        risks_of(shuffled(statistics, np.random.default_rng(seed)).rows(range(p)).values.T)
        for seed in range(10)
    ]

    def f1(place):
        risk = risks[place]
        counts = [np.count_nonzero(others <= risk) for others in by_chance]
        wrong = max(risk, np.mean(counts))
        right = place + 1 - max(1.4 * risk, wrong) - 3.0 * sqrt(max(wrong, np.var(counts)))
        right = min(max(right, 0.0), p)
        return 2 * right / (right + wrong + p) if wrong <= (place + 1) / 2 else 0.0

    best = max((i for i, risk in enumerate(risks) if risk <= p), key=f1)
    return max(1.0, risks[best]) if f1(best) else 1.0


@pytest.mark.parametrize(("n_rows", "strength", "seed"), [(12, 0.75, 0), (10, 0.85, 6), (20, 0.65, 3)])
def test_what_is_risked_makes_f1_largest(n_rows, strength, seed):
    table = pairs(n_rows, strength, seed=seed)

    assert best_risk(table) > 1.0
    assert risked(table) == pytest.approx(best_risk(table), rel=1e-6)


@pytest.mark.parametrize("strength", [0.0, 0.6, 0.9])
def test_columns_of_one_cause_are_worth_no_more_arcs_than_columns(strength):
    rng = np.random.default_rng(0)
    cause = rng.normal(size=12)  # all 190 pairs depend on each other, or none does
    table = {f"v{j:02}": strength * cause + (1 - strength) * rng.normal(size=12) for j in range(20)}

    assert risked(table) == pytest.approx(best_risk(table), rel=1e-6)


def test_more_of_a_tree_is_found_in_few_rows():
    def f1(score, seed):
        rng = np.random.default_rng(seed)
        columns, truth = [rng.normal(size=10)], set()
        for j in range(1, 40):
            parent = int(rng.integers(0, j))
            columns.append(0.8 * columns[parent] + rng.normal(size=10))
            truth.add(frozenset((f"v{parent:02}", f"v{j:02}")))
        table = {f"v{j:02}": column for j, column in enumerate(columns)}
        found = {frozenset(edge) for edge in sl.HillClimbing(score=score).fit(table).graph_.directed}
        return 2 * len(found & truth) / (len(found) + len(truth))

    assert sum(f1(None, seed) - f1("ebic", seed) for seed in range(3)) > 0.15


def test_the_status_says_how_many_arcs_chance_makes():
    status = sl.HillClimbing().fit(pairs(12, 0.75)).status_

    assert f"so that chance makes about {risked(pairs(12, 0.75)):.0f} on average" in status


def test_a_run_that_must_stop_risks_nothing():
    assert risked(pairs(12, 0.75), time_limit_s=1e-9) == 1.0
    assert risked({"a": np.arange(3.0)}) == 1.0
