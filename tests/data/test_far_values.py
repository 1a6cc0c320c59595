"""Numbers far outside the rest are pointed out where they look like codes or share a row, and only there."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.errors import DataWarning

RNG = np.random.default_rng(0)
MEASURED = RNG.gamma(3.0, 2.0, 100)
HUGE = 1e200 * MEASURED + np.where(np.arange(100) == 3, 1e203, 0.0)


def said_of(table, **options):
    """What a reader is warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sl.Dataset(table, **options)
    return [str(each.message) for each in caught if "far outside" in str(each.message)]


def with_some(values, *far):
    found = np.array(values, dtype=np.float64)
    found[3 : 3 + len(far)] = far
    return found


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(with_some(MEASURED, -9999), id="nines, once"),
        pytest.param(with_some(MEASURED, 999, 999), id="nines above"),
        pytest.param(with_some(MEASURED, -9999, -8888, -8888, -9999), id="two codes, each repeated"),
        pytest.param(with_some(MEASURED, -77.5, -77.5), id="another number, repeated"),
        pytest.param(with_some(MEASURED, 1e30), id="a fill value"),
        pytest.param(with_some(MEASURED, 2**31 - 1), id="the limit of an integer"),
        pytest.param([1, 2, 3, 4, 5] * 8 + [99] * 4, id="a level of nines"),
        pytest.param([1, 2, 3, 4, 5] * 8 + [-9] * 4, id="minus nine among ratings"),
        pytest.param([0, 1] * 20 + [-99, -98] * 2, id="levels, of which one is a usual code"),
        pytest.param(with_some(np.arange(100) % 47, -999), id="whole numbers that are measured"),
    ],
)
def test_codes_for_missing_values_are_pointed_out_until_something_is_said_of_them(values):
    [said] = said_of({"x": values})
    codes = said.split(" far outside")[0].removeprefix("column 'x' has ").split(", ")

    assert said_of({"x": values}, na=codes) == [], "they are missing"
    assert (
        sl.Dataset({"x": values}, na=codes).missing["x"]
        == np.isin(values, [float(code) for code in codes]).sum()
    )
    assert said_of({"x": values}, kinds={"x": "continuous"}) == [], "they are numbers"


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(MEASURED, id="none is far"),
        pytest.param(with_some(MEASURED, 1e6), id="one outlier"),
        pytest.param([-1, 0, 1] * 30, id="down, level and up"),
        pytest.param([1, 2, 3, 4, 9] * 30, id="a level that may be one"),
        pytest.param([0, 1, 2] * 10 + [*range(100, 140)], id="few numbers, and many larger ones"),
        pytest.param([0, 99] * 30, id="two levels"),
        pytest.param([0.5, 99.5] * 30, id="two measurements"),
        pytest.param(np.where(RNG.random(300) < 0.8, 0.0, RNG.normal(30.0, 1.0, 300)), id="mostly zero"),
        pytest.param([90, 91, 95, 99] * 30, id="nines among others"),
        pytest.param(with_some(MEASURED, -9999)[:15], id="few rows"),
        pytest.param(["-9999", "a", "b"] * 30, id="words"),
        pytest.param(
            1e200 * MEASURED + np.where(np.arange(100) == 3, 1e203, 0.0), id="an outlier of huge numbers"
        ),
        pytest.param(2**62 + RNG.integers(0, 90, 100), id="whole numbers that floats cannot tell apart"),
    ],
)
def test_what_may_be_meant_is_left_alone(values):
    assert said_of({"x": values}) == []


def test_columns_with_the_same_codes_are_listed_together():
    table = {name: with_some(RNG.permutation(MEASURED), -999, -999) for name in "abc"}

    [said] = said_of(table)

    assert said == (
        "columns 'a', 'b', 'c' have -999 far outside the other numbers. If that means a missing value, pass "
        "na='-999'; pass kinds={…} if it is a number like the others."
    )


@pytest.mark.parametrize("missing", [False, True])
def test_a_row_of_totals_is_pointed_out(missing):
    table = pd.DataFrame(RNG.gamma(3.0, 2.0, (40, 4)), columns=list("abcd"))
    table.loc[40] = table.sum()
    if missing:
        table.loc[7, ["a", "c"]] = np.nan

    [said] = said_of(table)

    assert said.startswith("row 40, counted from 0, is far outside the others in 4 of 4 measured columns")
    assert said_of(table[:40]) == []


def test_outliers_of_each_column_s_own_are_no_row_of_totals():
    tables = [np.random.default_rng(seed).standard_cauchy((30, 6)) for seed in range(200)]

    assert [said for table in tables for said in said_of(table)] == []


def is_far(values, codes):
    """By the definition: each code is farther from every other value than any two of these are apart."""
    rest = sorted(set(values) - set(codes))
    apart = min(abs(code - other) for code in codes for other in rest)
    return apart > rest[-1] - rest[0] > 0 and (min(codes) > rest[-1] or max(codes) < rest[0])


@settings(deadline=None, max_examples=200)
@given(
    rest=st.lists(st.integers(-60, 60), min_size=40, max_size=60),
    code=st.sampled_from([-99, 99, -9, 999]),
    n=st.integers(1, 4),
)
def test_a_usual_code_is_pointed_out_exactly_where_it_is_far(rest, code, n):
    values = [*rest, *[code] * n]

    assert bool(said_of({"x": [value + 0.0 for value in values]})) == is_far(values, {code})


def test_rows_of_weight_0_are_not_looked_at():
    weights = np.where(np.arange(100) == 3, 0.0, 1.0)

    assert said_of({"x": with_some(MEASURED, -9999)}, weights=weights) == []


def test_the_command_line_says_it_in_flags(tmp_path):
    path = tmp_path / "t.csv"
    pd.DataFrame({"x": with_some(MEASURED, -999), "y": RNG.normal(size=100)}).to_csv(path, index=False)

    said = " ".join(CliRunner().invoke(app, ["describe", str(path)]).stderr.split())

    assert "pass --na -999; pass --kind x=continuous if it is a number" in said


def test_warnings_are_of_the_data():
    with pytest.warns(DataWarning, match="far outside"):
        sl.Dataset({"x": with_some(MEASURED, -9999)})
