"""How many wrong arcs are risked: one in noise, more where there is much to find and little to find it by."""

from itertools import combinations
from math import atanh, sqrt

import numpy as np
import pytest
from scipy.stats import norm

import structlearn as sl
from structlearn.run import Run
from structlearn.search.chance_arcs import arcs_to_risk
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


def test_what_can_hardly_be_seen_is_worth_more_wrong_arcs_than_what_is_plain():
    plain, faint = risked(pairs(200, 0.9)), risked(pairs(12, 0.75))

    assert plain == 1.0
    assert 2.0 < faint <= 40.0  # never more than there are columns


def best_risk(table):
    """Fisher's test of every pair, and of all that one could risk what makes F1 largest."""
    columns = list(table.values())
    n_rows, p = len(columns[0]), len(columns)
    statistics = [sqrt(n_rows - 3) * atanh(abs(np.corrcoef(x, y)[0, 1])) for x, y in combinations(columns, 2)]
    risks = sorted(len(statistics) * 2 * norm.sf(z) for z in statistics)

    def f1(place):
        risk = risks[place]
        right = min(max(place + 1 - 1.4 * risk - 3.0 * sqrt(risk), 0.0), p)
        return 2 * right / (right + risk + p)

    return max(1.0, risks[max((i for i, risk in enumerate(risks) if risk <= p), key=f1)])


@pytest.mark.parametrize(("n_rows", "strength", "seed"), [(12, 0.75, 0), (10, 0.85, 6), (20, 0.6, 3)])
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


def test_a_run_that_must_stop_risks_nothing():
    assert risked(pairs(12, 0.75), time_limit_s=1e-9) == 1.0
    assert risked({"a": np.arange(3.0)}) == 1.0
