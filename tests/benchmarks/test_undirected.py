"""The benchmark of undirected graphs: its problems, its judge and ours on tables that take no time."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.special import expit

from benchmarks.entries import ENTRIES
from benchmarks.entries.ours_undirected import best_intercepts
from benchmarks.judges import JUDGES
from benchmarks.objectives import lasso_quality, logistic_quality, precision_quality
from benchmarks.race import Course, Lap
from benchmarks.results_table import as_csv, markdown
from benchmarks.tables import Table
from benchmarks.worker import timed
from benchmarks.workloads import ising_chain, neighborhoods, precision

SMALL = (
    precision(12, 400, penalty=0.05),
    neighborhoods(12, 300, penalty=0.1),
    ising_chain(6, 400, penalty=0.05),
)
OURS = {entry.kinds[0]: entry for entry in ENTRIES if entry.is_ours and entry.task == "undirected"}
# Two columns with a correlation of exactly 0.5.
HALVES = Table(
    names=("a", "b"),
    values=np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]] + [[-1.0, -1.0]] * 3),
    labels=None,
    truth=[("b", "a")],
    alpha=0.01,
    penalty=0.2,
)


def quality_of(workload, estimate):
    """What the judge says about an estimate."""
    return JUDGES[workload.kind](workload.draw()).quality({"estimate": coo_array(estimate)})


@pytest.mark.parametrize("workload", SMALL, ids=lambda workload: workload.kind)
def test_ours_solves_each_problem(workload):
    table = workload.draw()

    runs, answer = timed(OURS[workload.kind], table, 2)
    quality = quality_of(workload, answer.estimate)

    assert len(runs) == 2
    assert 0.0 <= quality["gap"] < 1e-6
    assert quality["edges"] > 0


@pytest.mark.parametrize("workload", SMALL, ids=lambda workload: workload.kind)
def test_no_other_estimate_is_below_ours(workload):
    _, answer = timed(OURS[workload.kind], workload.draw(), 1)
    rng = np.random.default_rng(0)
    best = quality_of(workload, answer.estimate)["objective"]

    for _ in range(20):
        step = 0.01 * rng.normal(size=answer.estimate.shape) * (answer.estimate != 0.0)
        moved = quality_of(workload, answer.estimate + step)

        assert moved["objective"] > best
        assert moved["objective"] - moved["gap"] <= best + 1e-9


def test_the_graphical_lasso_of_two_columns_has_its_closed_form():
    covariance = np.array([[1.0, 0.3], [0.3, 1.0]])  # 0.5 less the penalty

    objective, gap = precision_quality(HALVES, np.linalg.inv(covariance))

    assert objective == pytest.approx(2.0 + np.log(1.0 - 0.3**2))
    assert gap == pytest.approx(0.0, abs=1e-12)


def test_the_lasso_of_two_columns_has_its_closed_form():
    objective, gap = lasso_quality(HALVES, np.array([[0.0, 0.3], [0.3, 0.0]]))

    assert objective == pytest.approx(0.5 * (1.0 - 2.0 * 0.3 * 0.5 + 0.3**2) + 0.2 * 0.3)
    assert gap == pytest.approx(0.0, abs=1e-12)


def test_the_logistic_regression_of_two_signs_has_its_closed_form():
    codes = (HALVES.values > 0).astype(np.uint8)
    table = Table(("a", "b"), codes, (("no", "yes"),) * 2, [], 0.01, 0.2)
    share = 0.75 - 0.2 / 2.0  # signs agree in 6 of 8 rows; half the penalty comes off
    weight = np.log(share / (1.0 - share))

    objective, gap = logistic_quality(table, np.array([[0.0, weight, 0.0], [weight, 0.0, 0.0]]))

    expected = -0.75 * np.log(share) - 0.25 * np.log(1.0 - share) + 0.1 * weight
    assert objective == pytest.approx(expected)
    assert gap == pytest.approx(0.0, abs=1e-12)


def test_a_matrix_that_is_not_definite_is_infinitely_bad():
    assert precision_quality(HALVES, np.array([[1.0, 2.0], [2.0, 1.0]])) == (np.inf, np.inf)


def test_an_edge_must_be_there_both_ways():
    judge = JUDGES["neighborhoods"](HALVES)

    both = judge.quality({"estimate": coo_array([[0.0, 0.1], [0.1, 0.0]])})
    one = judge.quality({"estimate": coo_array([[0.0, 0.1], [0.0, 0.0]])})

    assert (both["edges"], both["f1"]) == (1, 1.0)
    assert (one["edges"], one["f1"]) == (0, 0.0)


def test_intercepts_make_the_mean_chance_the_mean():
    linear = np.random.default_rng(0).normal(size=(50, 2))

    found = best_intercepts(linear, np.array([0.2, 0.7]))

    assert expit(linear + found).mean(axis=0) == pytest.approx([0.2, 0.7])


def test_neighbours_in_a_chain_agree_as_often_as_the_coupling_says():
    values = ising_chain(4, 20_000, penalty=0.1, coupling=0.5).draw().values

    assert (values[:, 1:] == values[:, :-1]).mean() == pytest.approx(expit(1.0), abs=0.01)
    assert values.mean(axis=0) == pytest.approx(0.5, abs=0.02)


def test_the_estimate_comes_back_from_the_process_in_full_precision(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # an empty cache would compile for ten seconds

    lap = Course(SMALL[0], tmp_path, 60).run_lap(OURS["precision"])

    assert lap.trouble == ""
    assert lap.quality["gap"] < 1e-6


def test_the_table_says_how_far_each_is_above_the_best():
    laps = [
        Lap(SMALL[0], OURS["precision"], cold_s=1.0, warm_s=1.0, quality={"objective": 3.0, "gap": 0.0}),
        Lap(SMALL[0], OURS["precision"], cold_s=1.0, warm_s=1.0, quality={"objective": 3.25, "gap": 0.5}),
        Lap(SMALL[0], OURS["precision"], trouble="> 9 s"),
    ]

    rows = [line.strip("| ").split(" | ") for line in markdown("undirected", laps).splitlines()]

    assert rows[3][8:11] == ["3.2500000", "2.5e-01", "5.0e-01"]
    assert "objective,gap,edges,f1" in as_csv(laps, "undirected")
