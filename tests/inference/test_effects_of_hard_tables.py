"""Linear effects are those of least squares, in any unit, and tables that do not tell them are refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import structlearn as sl

DAG = sl.Graph("xyz", directed=["zx", "zy", "xy"])


def table(n_rows, seed=0):
    z, for_x, for_y = np.random.default_rng(seed).normal(size=(3, n_rows))
    x = z + for_x
    return {"x": x, "y": 2 * x - z + for_y, "z": z}


def by_least_squares(columns, level):
    """The coefficient of x, its standard error and interval, from the residuals of numpy's solution."""
    design = np.column_stack([columns["x"], columns["z"], np.ones(len(columns["x"]))])
    found, *_ = np.linalg.lstsq(design, columns["y"], rcond=None)
    residuals = columns["y"] - design @ found
    n_free = len(residuals) - 3
    error = np.sqrt(residuals @ residuals / n_free * np.linalg.inv(design.T @ design)[0, 0])
    reach = stats.t.ppf((1 + level) / 2, n_free) * error
    return found[0], error, (found[0] - reach, found[0] + reach)


@settings(deadline=None, max_examples=25)
@given(n_rows=st.integers(4, 30), seed=st.integers(0, 1000), level=st.floats(0.5, 0.999))
def test_an_effect_is_the_coefficient_of_least_squares(n_rows, seed, level):
    columns = table(n_rows, seed)

    (found,) = sl.effect(DAG, columns, "x", "y", level=level).values

    value, error, interval = by_least_squares(columns, level)
    assert found.value == pytest.approx(value, rel=1e-6)
    assert found.standard_error == pytest.approx(error, rel=1e-5)
    assert found.interval == pytest.approx(interval, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("unit", [1e-150, 1e-9, 1e9, 1e150])
@pytest.mark.parametrize("name", ["x", "y", "z"])
def test_a_unit_multiplies_the_effect_and_its_interval(name, unit):
    columns = table(40)
    factor = {"x": 1 / unit, "y": unit, "z": 1.0}[name]
    plain = sl.effect(DAG, columns, "x", "y").values[0]

    (found,) = sl.effect(DAG, columns | {name: columns[name] * unit}, "x", "y").values

    assert found.value / factor == pytest.approx(plain.value)
    assert found.standard_error / factor == pytest.approx(plain.standard_error)
    assert np.array(found.interval) / factor == pytest.approx(np.array(plain.interval))


def test_where_a_column_begins_makes_no_difference():
    columns = table(40)
    moved = {name: values + 1e6 for name, values in columns.items()}

    plain, found = (sl.effect(DAG, each, "x", "y").values[0] for each in (columns, moved))

    assert found.value == pytest.approx(plain.value, rel=1e-6)
    assert found.interval == pytest.approx(plain.interval, rel=1e-6)


def test_an_effect_without_noise_has_hardly_an_interval():
    columns = table(40)

    found = sl.effect(DAG, columns | {"y": 3 * columns["x"] + columns["z"]}, "x", "y")

    assert found.value == pytest.approx(3.0)
    assert found.interval == pytest.approx((3.0, 3.0), abs=1e-6)


def test_one_row_more_than_coefficients_is_enough_and_one_less_is_refused():
    sl.effect(DAG, table(4), "x", "y")  # x, z, a constant, and one free

    with pytest.raises(sl.DataError, match="3 rows are too few to adjust for 1 columns; at least 4"):
        sl.effect(DAG, table(3), "x", "y")


@pytest.mark.parametrize(
    "change",
    [
        lambda _: {"x": np.full(40, 2.0)},
        lambda columns: {"x": 5 * columns["z"] - 1},
        lambda columns: {"x": columns["z"] + 1e-9 * columns["y"]},
        lambda _: {"z": np.zeros(40)},
    ],
    ids=["constant cause", "cause that is what is adjusted for", "all but that", "constant adjustment"],
)
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_cause_that_does_not_vary_by_itself_is_refused(change):
    columns = table(40)

    with pytest.raises(sl.DataError, match="given z the cause does not vary by itself"):
        sl.effect(DAG, columns | change(columns), "x", "y")
