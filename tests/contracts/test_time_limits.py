"""A time limit ends a learner at once: late by a tenth of it, or by 0.3 seconds.

The clock is the CPU time of the process, without that of the compiler: what else the machine does is none
of a learner's business, nor is how long it takes to write down a large graph or matrix. A table is as large
as a method takes, and grows until its time is too short for it.
"""

import gc
import re
from contextlib import suppress

import pytest
from threadpoolctl import threadpool_limits

import structlearn as sl
from benchmarks.interrupts import chain_of, cpu_clock
from tests.contracts.conftest import have_option
from tests.relational.databases import UNIVERSITY_KEYS, sampled_university

SMALLER, LARGER = (100, 50, 25, 18), (200, 400)  # columns
MOST_LATE = 0.3
TO_WRITE_A_PAIR = 1e-7  # some results are matrices of all pairs of nodes, and each of several chains has one
# Neighbours on the same processor take of its CPU seconds too: a method that is late is so each time.
TRIES = 3
TO_WRITE_AN_EDGE = 2e-5  # a graph that is stopped while it is full has ten thousands of them


def is_stopped(learner, data, limit):
    """Whether a fit ends at its limit and not at its end; either is in time, once in `TRIES`."""
    learner.set_params(time_limit=limit)
    least = min_until(max(0.1 * limit, MOST_LATE), lambda: late_by(learner, data, limit))

    assert least <= max(0.1 * limit, MOST_LATE)
    return learner.status_.startswith("Stopped at time_limit")


def late_by(learner, data, limit):
    gc.collect()  # what other tests have left takes a quarter of a second
    started = cpu_clock()
    learner.fit(data)
    late = cpu_clock() - started - limit
    graph, n_matrices = learner.graph_, getattr(learner, "chains", 1)
    to_write = TO_WRITE_AN_EDGE * len(graph.edges) + TO_WRITE_A_PAIR * n_matrices * len(graph.nodes) ** 2
    return late - to_write


def min_until(enough, measured):
    """The least of up to `TRIES` measurements, the last of them where one is enough."""
    least = measured()
    for _ in range(TRIES - 1):
        if least <= enough:
            break
        least = min(least, measured())
    return least


def check_limit(learner, kind, limit, larger, monkeypatch):
    """Try the largest table that the method takes, and larger ones as long as it comes to its end."""
    monkeypatch.setattr("structlearn.run._clock", cpu_clock)
    learner.set_params(time_limit=0.05).fit(chain_of(kind, 6))  # loads what is loaded at first use
    sizes = [*SMALLER]
    while sizes:
        try:
            stopped = is_stopped(learner, sl.Dataset(chain_of(kind, sizes[0])), limit)
        except (sl.DataError, sl.OptionError):  # too many for what the method does
            sizes.pop(0)
            continue
        sizes = [] if stopped or sizes[0] < SMALLER[0] else [n for n in larger if n > sizes[0]]


@pytest.mark.slow
@have_option("time_limit")
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_time_limit_is_kept(learner, kind, monkeypatch):
    check_limit(learner, kind, 3.0, LARGER, monkeypatch)


def check_width(learner, kind, limit, table, monkeypatch):
    """Try a wide table once; threads that wait for each other would use the clock."""
    monkeypatch.setattr("structlearn.run._clock", cpu_clock)
    learner.set_params(time_limit=3.0).fit(chain_of(kind, 6))  # loads what is loaded at first use, to its end
    with threadpool_limits(1, "blas"), suppress(sl.DataError, sl.OptionError):
        is_stopped(learner, sl.Dataset(table), limit)


def chain_with_more_rows(kind, n_columns):
    return chain_of(kind, n_columns, n_rows=n_columns + 100)


def noise_of_few_rows(kind, n_columns):
    """Columns that hardly any other helps to predict."""
    [noise, _] = chain_of(kind, 2, n_rows=60 * n_columns).values()
    return {f"v{j}": column for j, column in enumerate(noise.reshape(n_columns, 60))}


@pytest.mark.slow
@have_option("time_limit")
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("table_of", [chain_with_more_rows, noise_of_few_rows])
def test_a_time_limit_is_kept_on_two_thousand_columns(learner, kind, table_of, monkeypatch):
    check_width(learner, kind, 3.0, table_of(kind, 2000), monkeypatch)


# A single step of theirs takes longer than others' limits: they work with matrices of all columns.
OF_MATRICES = {"dagma", "notears", "ica-lingam", "residual-ordering"}


@pytest.mark.methods_that(lambda method: method.name in OF_MATRICES)
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_short_time_limit_is_kept_on_hundreds_of_columns(learner, kind, monkeypatch):
    check_width(learner, kind, 0.3, chain_with_more_rows(kind, 210), monkeypatch)


# Between them they work in batches of moves, regressions, pairs and trees.
CHEAP = {"hill-climbing", "ising-neighborhoods", "similarity-network", "dependency-network"}


@pytest.mark.methods_that(lambda method: method.name in CHEAP)
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_short_time_limit_is_kept(learner, kind, monkeypatch):
    learner.set_params(time_limit=1.0).fit(chain_of(kind, SMALLER[0]))  # an interpreted kernel takes its time
    check_limit(learner, kind, 0.2, (), monkeypatch)


def check_wide_series(learner, kind, n_columns, limit, monkeypatch):
    """Stopped with fewer rows than columns; what it has not come to is told."""
    monkeypatch.setattr("structlearn.run._clock", cpu_clock)
    learner.set_params(time_limit=0.05).fit(chain_of(kind, 6))

    if is_stopped(learner, sl.Dataset(chain_of(kind, n_columns, n_rows=100)), limit):
        assert re.search(rf"\d of {n_columns:,} variables|\d of [\d,]+ links|No link", learner.status_)


@pytest.mark.slow
@pytest.mark.methods_that(lambda method: method.nodes == "lags")
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_time_limit_is_kept_by_two_thousand_series(learner, kind, monkeypatch):
    check_wide_series(learner, kind, 2000, 3.0, monkeypatch)


@pytest.mark.methods_that(lambda method: method.nodes == "lags")
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_short_time_limit_is_kept_by_wide_series(learner, kind, monkeypatch):
    check_wide_series(learner, kind, 600, 0.2, monkeypatch)


@pytest.mark.slow
@pytest.mark.any_source
@pytest.mark.methods_that(lambda method: method.takes == ("database",))
def test_a_time_limit_is_kept_on_a_database(learner, monkeypatch):
    monkeypatch.setattr("structlearn.run._clock", cpu_clock)
    learner.set_params(keys=UNIVERSITY_KEYS, max_chain=4)
    is_stopped(learner, sampled_university(500, seed=0), 0.05)

    assert is_stopped(learner, sampled_university(100_000, seed=0, n_courses=500), 1.0)
