"""Every learner of lagged networks, on series that would break it: one clear error, or a stated answer."""

import re

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.time.options import Lagged
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


def treated(kind, n_series=40, n_steps=8):
    """Series of a treatment that stays as it is and acts on `y` at each step, on `x` not at all."""
    rng = np.random.default_rng(0)
    arm = np.repeat(rng.integers(0, 2, n_series), n_steps)
    noise = rng.normal(size=(2, n_series * n_steps))
    table = {"x": noise[0], "y": 1.5 * arm + noise[1]}
    if kind == "discrete":
        table = {name: np.where(column > 0.7, "high", "low") for name, column in table.items()}
    return table | {
        "arm": np.array(["a", "b"])[arm] if kind == "discrete" else arm + 0.5,
        "id": np.repeat(np.arange(n_series), n_steps),
    }


@pytest.mark.parametrize("options", [{}, {"lags": [2, 3]}, {"contemporaneous": True}], ids=str)
def test_what_never_changes_within_a_series_acts_unless_that_is_forbidden(method, learner, kind, options):
    if not set(options) <= set(method.load().options):
        return
    learner.set_params(series="id", **options)

    arrows = learner.fit(treated(kind)).graph_.directed

    acted_on = {target for source, target in arrows if source.startswith("arm[")}
    assert acted_on == {"y[t]"}
    assert len([pair for pair in arrows if pair[0].startswith("arm[")]) == 1  # it is the same at all lags
    assert not [pair for pair in arrows if pair[1].startswith("arm[")]
    learner.set_params(knowledge=sl.Knowledge(forbidden=[("arm", "y")])).fit(treated(kind))
    assert not [pair for pair in learner.graph_.directed if "arm[" in "".join(pair)]


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


@pytest.mark.filterwarnings("default::structlearn.DataWarning")
def test_columns_that_say_when_a_row_was_are_no_variables_to_warn_of(learner, kind, recwarn):
    places = {"when": np.tile(np.arange(15.0), N_ROWS // 15), "which": np.repeat(np.arange(N_ROWS // 15), 15)}

    learner.set_params(time="when", series="which").fit(series(kind) | places)

    said = [str(each.message) for each in recwarn]
    assert not [words for words in said if "'when'" in words or "'which'" in words]


OF_OPTIONS = {  # by option of all methods in time, values that are not the usual one
    "time": [{"time": "t"}],
    "series": [{"series": "id"}],
    "equal_series": [{"series": "id", "equal_series": True}],
    "lags": [{"lags": 2}, {"lags": [1, 3]}, {"lags": {"v0": 2}}, {"lags": "bic"}],
    "max_lags": [{"lags": "bic", "max_lags": 2}],
    "no_own_past": [{"no_own_past": True}, {"no_own_past": ["v0"]}],
    "step": [{"time": "t", "step": 1.0}],
    "mask": [{"mask": "m"}],
    "resample": [{"time": "t", "resample": True, "step": 2.0}],
    "difference": [{"difference": True}, {"difference": True, "time": "t", "missing": "drop"}],
    "trend": [{"trend": True}, {"trend": True, "time": "t", "missing": "drop"}],
    "season": [{"season": 2}, {"season": 4, "trend": True, "difference": True}],
}
OF_METHODS = {  # by option that some have
    "contemporaneous": [{"contemporaneous": True}],
    "own_past": [{"own_past": True}],
    "robust": [{"method": "granger", "robust": True}],
    "method": [
        {"method": "lasso", "lags": 2},
        {"method": "sparse-group-lasso"},
        {"method": "hierarchical-lasso"},
    ],
    "criterion": [{"criterion": "forward"}],
    "alpha_pc": [{"alpha_pc": None}],
}


def hostile(name):
    """A table of few rows that has something to break a method with, and when its rows were."""
    rng = np.random.default_rng(0)
    n, p = {"noise": (20, 30), "five rows": (5, 3), "one row a series": (24, 3)}.get(name, (24, 4))
    rows, t = rng.normal(size=(n, p)), np.arange(float(n))
    table = {f"v{j}": rows[:, j] for j in range(p)}
    if name == "near copies":
        table["v1"] = table["v0"] + 1e-4 * rows[:, 1]
    elif name == "levels":
        table["v1"] = np.array([f"word {i}" for i in rng.permutation(n)])
    elif name == "gaps":
        table["v1"][[3, 10]] = np.nan
        t = np.delete(np.arange(n + 2.0), [5, 6])
    elif name == "text":
        table["v1"] = np.array([f"{value:.2f} " for value in rows[:, 1]])
    elif name == "constants":
        table |= {
            "v1": np.full(n, 2.5),
            "v2": np.repeat([0.0, 1.0], n // 2),
            "v3": np.r_[np.zeros(n - 1), 1.0],
        }
    ids = np.arange(n) if name == "one row a series" else np.arange(n) * 2 // n
    return table, {"time": t, "series": ids, "mask": np.arange(n) % 3 != 0}


HOSTILE = ("noise", "near copies", "levels", "gaps", "text", "constants", "five rows", "one row a series")
OPTIONS = [options for each in (OF_OPTIONS | OF_METHODS).values() for options in each]


def test_every_option_that_methods_in_time_share_is_tried():
    assert set(OF_OPTIONS) == set(Lagged.options)


FEW = [{}, {"lags": {"v0": 2}}, {"season": 4, "trend": True, "difference": True}]


@pytest.mark.parametrize("options", FEW, ids=str)
def test_small_tables_that_would_break_a_method_have_an_answer_or_one_clear_error(method, options):
    for name in HOSTILE[1:]:
        answer_or_one_clear_error(method, options, name)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, *OPTIONS], ids=str)
def test_tables_that_would_break_a_method_have_an_answer_or_one_clear_error(method, options):
    if set(options) <= set(method.load().options):
        for name in HOSTILE:
            answer_or_one_clear_error(method, options, name)


def answer_or_one_clear_error(method, options, name):
    table, about = hostile(name)
    roles = {options[role]: column for role, column in about.items() if role in options}
    learner = method.load()(**options)
    try:
        learner.fit(table | roles)
    except (sl.DataError, sl.OptionError) as error:
        words = str(error)
        assert "\n" not in words, (name, words)
        assert 20 < len(words) < 500, (name, words)
        return
    assert {facts["variable"] for facts in learner.graph_.facts.values()} == set(table), name
    weights = [edge.weight for edge in learner.graph_.edges if edge.weight is not None]
    assert np.isfinite(weights).all(), name
    assert learner.n_lagged_rows_ >= 2, name
    if options.get("no_own_past") is True:
        own = [a for a, b in learner.graph_.directed if a.split("[")[0] == b.split("[")[0]]
        assert not own, name
