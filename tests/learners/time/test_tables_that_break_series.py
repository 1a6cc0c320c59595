"""Methods in time on tables that would break them: gaps, two rows a series, constants, huge scales."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.time.learner import KnownInTime
from structlearn.options.configured import copy_of
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import beginnings, lagged_table, runs_of_steps

LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "granger": sl.SparseVAR(method="granger"),
    "pcmci": sl.PCMCI(alpha=0.001),
    "pcmci plus": sl.PCMCI(contemporaneous=True, alpha=0.001),
    "lingam": sl.VARLiNGAM(),
    "dynamic": sl.DynamicNetwork(),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())
FOLLOWS = {("x[t-1]", "y[t]")}


def shifted(n=150, seed=0):
    """y is x a step ago, with some noise that is not Gaussian."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, n)
    return {"x": x, "y": np.concatenate([[0.0], x[:-1]]) + 0.2 * rng.uniform(-1, 1, n)}


def arrows(learner, table, **options):
    return set(fitted(learner, table, **options).graph_.directed)


def fitted(learner, table, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        return copy_of(learner).set_params(**options).fit(table)


@every_learner
def test_a_row_left_out_for_a_missing_value_is_a_gap_and_needs_a_time(learner):
    table = shifted() | {"t": np.arange(150.0)}
    table["x"][70] = np.nan
    reach = 2 if isinstance(learner, sl.PCMCI) else 1  # steps before a row that its tests look at

    found = fitted(learner, table, missing="drop", time="t")

    assert found.n_lagged_rows_ == 150 - reach - (1 + reach)
    assert set(found.graph_.directed) == FOLLOWS
    with pytest.raises(sl.DataError, match="Name a column with the times as time="):
        fitted(learner, {name: table[name] for name in "xy"}, missing="drop")


@every_learner
def test_a_constant_has_no_links_and_changes_none(learner):
    assert arrows(learner, shifted() | {"c": np.full(150, 2.5)}) == FOLLOWS


@every_learner
def test_a_single_variable_has_its_own_past_or_nothing(learner):
    noise = np.random.default_rng(0).uniform(-1, 1, 200)
    course = noise.copy()
    for t in range(1, 200):
        course[t] += 0.9 * course[t - 1]

    assert arrows(learner, {"x": course}) == {("x[t-1]", "x[t]")}
    assert arrows(learner, {"x": noise}) == set()


@every_learner
@pytest.mark.parametrize(("of_x", "of_y"), [(1e150, 1e-150), (1e-200, 1.0)])
def test_scales_change_no_arrow(learner, of_x, of_y):
    table = shifted()

    assert arrows(learner, {"x": of_x * table["x"], "y": of_y * table["y"]}) == FOLLOWS


@every_learner
def test_two_rows_a_series_are_enough_for_one_step_back(learner):
    rng = np.random.default_rng(0)
    first, second = rng.uniform(-1, 1, (2, 80))
    table = {
        "id": np.repeat(rng.permutation(80), 2),  # names that are numbers, in no order
        "x": np.column_stack([first, second]).ravel(),
        "y": np.column_stack([rng.uniform(-1, 1, 80), first + 0.2 * rng.uniform(-1, 1, 80)]).ravel(),
    }
    if isinstance(learner, sl.PCMCI):
        with pytest.raises(
            sl.DataError, match=r"up to 2 steps.*longest run without a gap has 2 steps, too few"
        ):
            fitted(learner, table, series="id")
        return

    found = fitted(learner, table, series="id")

    assert found.n_lagged_rows_ == 80
    assert set(found.graph_.directed) == FOLLOWS


@every_learner
def test_time_that_runs_backwards_turns_the_arrow(learner):
    backwards = shifted() | {"t": -np.arange(150.0)}

    assert arrows(learner, backwards, time="t") == {("y[t-1]", "x[t]")}


@every_learner
def test_the_order_of_columns_and_rows_and_the_names_of_series_do_not_matter(learner):
    plain = shifted(160) | {"t": np.tile(np.arange(40.0), 4), "id": np.repeat([3, 1, 20, 100], 40)}
    rows = np.random.default_rng(1).permutation(160)
    mixed = {name: np.asarray(plain[name])[rows] for name in ("id", "y", "t", "x")}
    mixed["id"] = np.array([f"s{name}" for name in mixed["id"]])

    one, other = (fitted(learner, table, time="t", series="id") for table in (plain, mixed))

    assert set(one.graph_.directed) == set(other.graph_.directed) == FOLLOWS
    assert one.n_lagged_rows_ == other.n_lagged_rows_
    assert other.graph_.nodes[-2:] == ("y[t]", "x[t]")


@every_learner
def test_what_is_forbidden_is_so_at_all_lags_and_what_is_required_is_at_the_smallest(learner):
    known = sl.Knowledge(forbidden=[("x", "y")], required=[("y", "x")])

    found = arrows(learner, shifted(), knowledge=known, lags=[1, 2])
    later = arrows(learner, shifted(), knowledge=known, lags=[2, 3])

    assert ("y[t-1]", "x[t]") in found
    assert ("y[t-2]", "x[t]") in later
    assert not {arrow for arrow in found | later if arrow[0][0] == "x" and arrow[1] == "y[t]"}


@pytest.mark.parametrize("learner", [sl.DynamicNetwork(lags=2), sl.VARLiNGAM(lags=2)], ids=str)
@pytest.mark.filterwarnings("ignore:.*may be Gaussian")
def test_a_column_that_is_another_some_steps_ago_is_named(learner):
    x, z = np.random.default_rng(0).uniform(-1, 1, size=(2, 60))
    echo = {"x": x[2:], "z": z[2:], "y": 5.0 - 2.0 * x[:-2]}

    with pytest.warns(sl.DataWarning, match=r"'y\[t\]' is 'x\[t-2\]' but for scale.*no score here"):
        learner.fit(echo)
    assert arrows(sl.PCMCI(lags=2), echo) == {("x[t-2]", "y[t]")}


def test_a_source_is_found_among_more_columns_than_rows():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(30, 40))
    rows[1:, 1] = 2.0 * rows[:-1, 0] + 0.2 * rng.normal(size=29)
    table = {f"v{j}": column for j, column in enumerate(rows.T)}

    found = fitted(sl.SparseVAR(), table)

    assert found.graph_.edge("v0[t-1]", "v1[t]").weight == pytest.approx(2.0, abs=0.2)
    assert len(found.graph_.edges) <= 4
    with pytest.raises(sl.DataError, match=r"29 rows with all lags are too few for 40 .*42 are needed"):
        sl.SparseVAR(method="granger").fit(table)


@every_learner
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"time": "when"}, "there is no column 'when'"),
        ({"time": "t", "series": "t"}, "one column cannot be both"),
        ({"step": 0.0, "time": "t"}, "step"),
    ],
)
def test_columns_and_steps_that_make_no_sense_are_refused(learner, options, said):
    with pytest.raises(sl.OptionError, match=said):
        fitted(learner, shifted() | {"t": np.arange(150.0)}, **options)


GAPS = {
    "id": list("aaaabbbcc"),
    "t": [0.0, 1, 2, 4, 0, 2, 3, 5, 6],
    "x": [0.5, 1.5, 2.5, 4.5, 10.5, 12.5, 13.5, 25.5, 26.5],
    "u": ["no", "yes", "no", "no", "yes", "no", "yes", "yes", "no"],
    "site": [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 1.0, 1.0],
    "one": [4.5] * 9,
}


def gaps():
    return lagged_table("Somebody", from_dataset(sl.Dataset(GAPS)), (1,), time="t", series="id")


def test_beginnings_are_the_first_steps_of_series_that_have_them_without_a_gap():
    two, three = beginnings(gaps(), 2), beginnings(gaps(), 3)

    assert two.column("x[0]").values.tolist() == [0.5, 25.5]
    assert two.column("x[1]").values.tolist() == [1.5, 26.5]
    assert [two.column("u[1]").labels[code] for code in two.column("u[1]").codes] == ["yes", "no"]
    assert [three.column(f"x[{t}]").values.tolist() for t in range(3)] == [[0.5], [1.5], [2.5]]
    assert beginnings(gaps(), 4) is None


def test_runs_of_steps_begin_anywhere_in_a_series():
    found = runs_of_steps(gaps(), 2)

    assert found.column("x[0]").values.tolist() == [0.5, 1.5, 12.5, 25.5]
    assert found.column("x[1]").values.tolist() == [1.5, 2.5, 13.5, 26.5]


def test_context_varies_between_series_and_a_constant_does_not():
    table = gaps()

    assert dict(zip(table.variables, table.is_context.tolist(), strict=True)) == {
        "x": False,
        "u": False,
        "site": True,
        "one": False,
    }
    assert [table.place(j, lag) for lag in (0, 1) for j in range(4)] == list(range(8))


def test_a_search_may_only_make_arrows_into_the_present():
    table = gaps()  # x, u, site, one; then the same a step ago
    known = KnownInTime.of(sl.Knowledge(forbidden=[("x", "u")], tiers=[["u"], ["x"]]), table.variables)

    within, past = (known.limits(table, within_step=w, own_past=not w, max_parents=2) for w in (True, False))

    assert within.closed[4:].sum() == 4 * 7  # nothing has an arrow into the past; a column never has itself
    assert within.closed[1, [0, 4]].all()  # x → u is forbidden within the step and before
    assert not within.closed[0, [1, 5]].any()
    assert past.closed[0, 1]
    assert within.closed[2, [0, 1, 3, 4, 5, 6, 7]].all()  # what never changes follows from nothing
    assert not within.closed[0, 2]
    assert within.closed[0, 6]
    assert np.argwhere(past.frozen).tolist() == [[0, 4], [1, 5], [3, 7]]


@pytest.mark.parametrize("option", [{"time": "t"}, {"series": "s"}, {"lags": 2}], ids=str)
def test_methods_for_samples_name_those_for_series_where_one_is_asked_of_them(option):
    with pytest.raises(TypeError, match=r"PC has no option .*are for PCMCI, SparseVAR, VARLiNGAM and"):
        sl.PC(**option)
