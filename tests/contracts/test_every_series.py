"""Every learner of lagged networks, on series that would break it: one clear error, or a stated answer."""

import re

import numpy as np
import pytest

import structlearn as sl
from tests.contracts.conftest import chain_in_steps

pytestmark = [
    pytest.mark.methods_that(lambda method: method.nodes == "lags"),
    pytest.mark.filterwarnings("ignore::structlearn.DataWarning"),
]
CHAIN = {("d[t-1]", "b[t]"), ("b[t-1]", "a[t]"), ("a[t-1]", "c[t]")}
N_ROWS = 120


def series(kind, n_rows=N_ROWS):
    table = chain_in_steps(kind, n_rows)
    labels = np.array(["low", "middle", "high"])
    return {name: labels[states] for name, states in table.items()} if kind == "discrete" else table


def steps_back(learner):
    """How far back the rows look that a learner of one lag uses."""
    return learner.lags_of_table((1,))[-1]


def uneven():
    return np.cumsum(np.random.default_rng(0).uniform(0.5, 1.5, N_ROWS))


TIMES = {
    "there twice": (np.arange(N_ROWS) // 2, "time 0 is there twice.*series="),
    "uneven": (uneven(), "times are uneven.*step="),
    "words": ([f"on {i}" for i in range(N_ROWS)], "a time is a number, and column 't' holds 'on 0'"),
    "missing": (np.r_[np.nan, np.arange(N_ROWS - 1.0)], "needs complete data.*in 't'"),
}


@pytest.mark.parametrize(("times", "said"), TIMES.values(), ids=TIMES.keys())
def test_times_that_tell_no_steps_are_refused(learner, kind, times, said):
    with pytest.raises(sl.DataError, match=said):
        learner.set_params(time="t").fit(series(kind) | {"t": times})


@pytest.mark.parametrize("n_rows", [1, 2])
def test_one_or_two_rows_are_refused(learner, kind, n_rows):
    with pytest.raises(sl.DataError, match=r"dependence shows only in several|has its lags"):
        learner.fit({name: column[:n_rows] for name, column in series(kind).items()})


def test_lags_that_no_row_has_are_refused_with_the_most_that_there_may_be(learner, kind):
    short = {name: column[:9] for name, column in series(kind).items()}
    most = 8 // steps_back(learner)

    with pytest.raises(sl.DataError, match=rf"none of 9 rows has its lags.*so that lags go up to {most}\."):
        learner.set_params(lags=9).fit(short)


def test_series_of_one_row_each_are_refused(learner, kind):
    with pytest.raises(sl.DataError, match=f"none of {N_ROWS} rows has its lags.*too few for any lag"):
        learner.set_params(series="id").fit(series(kind) | {"id": np.arange(N_ROWS)})


def test_series_that_are_too_short_are_left_out_and_told(learner, kind):
    ids = np.array(["long"] * (N_ROWS - 4) + ["p", "q", "r", "s"])

    learner.set_params(series="id").fit(series(kind) | {"id": ids})

    assert learner.n_lagged_rows_ == N_ROWS - 4 - steps_back(learner)
    assert "4 of 5 series are too short for a row with all lags." in learner.status_
    assert set(learner.graph_.directed) >= CHAIN


def test_a_gap_in_the_middle_is_not_looked_over_and_the_order_of_rows_does_not_matter(learner, kind):
    rows = np.random.default_rng(0).permutation(np.delete(np.arange(N_ROWS), [40, 41]))
    table = series(kind) | {"t": np.arange(N_ROWS) / 4}

    learner.set_params(time="t").fit({name: column[rows] for name, column in table.items()})

    assert learner.n_lagged_rows_ == N_ROWS - 2 - 2 * steps_back(learner)
    assert learner.step_ == 0.25
    assert set(learner.graph_.directed) >= CHAIN


@pytest.mark.parametrize("n_levels", [3, 300])
def test_words_are_states_or_refused_by_name_however_many_there_are(method, learner, kind, n_levels):
    words = np.array([f"word {i}" for i in np.random.default_rng(0).integers(0, n_levels, N_ROWS)])
    table = series(kind) | {"w": words}
    if "discrete" not in method.takes:
        with pytest.raises(sl.DataError, match="takes continuous columns only, and 'w' is not"):
            learner.fit(table)
        return

    learner.fit(table)

    assert set(learner.graph_.directed) >= CHAIN
    assert not [edge for edge in learner.graph_.directed if re.match(r"w\[", edge[1]) and n_levels == 300]


def test_series_without_any_order_have_hardly_an_arrow(learner, kind):
    rng = np.random.default_rng(0)
    noise = {name: rng.permutation(column) for name, column in series(kind).items()}

    learner.fit(noise)

    assert len(learner.graph_.directed) <= 3  # of 16
