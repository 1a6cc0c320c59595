"""Rows that are copies of others are pointed out where measurements show that they are."""

import warnings

import numpy as np
import pytest

import structlearn as sl

RNG = np.random.default_rng(0)
MEASURED = RNG.normal(size=(40, 3))
MOSTLY_ZEROS = np.where(RNG.random((300, 1)) < 0.6, 0.0, RNG.normal(size=(300, 3)))


def said_of(table, **options):
    """What a reader is warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sl.Dataset(table, **options)
    return [str(each.message) for each in caught if "copies" in str(each.message)]


@pytest.mark.parametrize("n_copies", [2, 10])
def test_a_table_that_was_read_several_times_is_pointed_out(n_copies):
    [said] = said_of(np.tile(MEASURED, (n_copies, 1)))

    n_rows = 40 * n_copies
    assert said.startswith(f"{n_rows - 40} of {n_rows} rows are copies of others in all measured columns")


def test_chance_looks_like_dependence_in_copies():
    noise = np.random.default_rng(1).normal(size=(30, 6))

    with pytest.warns(sl.DataWarning, match="copies"):
        copies = sl.Dataset(np.tile(noise, (20, 1)))

    assert len(sl.BOSS().fit(copies).graph_.edges) > 5 > len(sl.BOSS().fit(noise).graph_.edges)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(MEASURED, id="no copies"),
        pytest.param(np.vstack([MEASURED, MEASURED[:2]]), id="two copies"),
        pytest.param(np.tile(MEASURED[:, :1], (5, 1)), id="one column"),
        pytest.param(np.round(RNG.normal(size=(400, 2)), 1), id="rounded measurements"),
        pytest.param(np.tile(RNG.integers(0, 5, (20, 3)), (5, 1)), id="categories"),
        pytest.param(
            np.where(RNG.random((300, 1)) < 0.6, 0.0, RNG.normal(size=(300, 3))), id="rows of zeros"
        ),
        pytest.param(np.tile(MEASURED[:15], (3, 1)), id="few rows"),
        pytest.param(MEASURED[RNG.integers(0, 40, 2000)], id="a row for each of some states"),
    ],
)
def test_what_repeats_by_itself_is_left_alone(table):
    assert said_of(table) == []


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"weights": np.ones(80)}, id="weights say how often a row counts"),
        pytest.param({"rows": "independent"}, id="rows are cases of their own"),
        pytest.param({"kinds": dict.fromkeys(["x0", "x1", "x2"], "continuous")}, id="all kinds are known"),
    ],
)
def test_who_has_said_something_of_the_rows_is_not_told(options):
    assert said_of(np.tile(MEASURED, (2, 1)), **options) == []
