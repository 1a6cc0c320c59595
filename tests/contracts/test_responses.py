"""`sl.response` on tables of every kind: numbers that are finite, or a refusal in words."""

import numpy as np
import pytest

import structlearn as sl

RNG = np.random.default_rng(0)
X, NOISE, Z = RNG.normal(size=(3, 120))
CHAIN = sl.Graph("xyz", directed=["zx", "zy", "xy"])
CURVE = np.square(X) + 0.3 * NOISE
TABLES = {
    "noise": {"x": X, "y": NOISE, "z": Z},
    "nearly equal columns": {"x": X, "y": X + 1e-9 * NOISE, "z": Z},
    "an adjustment nearly equal to the cause": {"x": X, "y": CURVE, "z": X + 1e-9 * NOISE},
    "an adjustment equal to the cause": {"x": X, "y": CURVE, "z": X},
    "an effect that never changes": {"x": X, "y": np.full(120, 3.0), "z": Z},
    "an adjustment that never changes": {"x": X, "y": CURVE, "z": np.full(120, 3.0)},
    "many levels": {"x": np.arange(120) % 40, "y": np.arange(120) % 37, "z": Z},
    "two levels": {"x": np.arange(120) % 2, "y": CURVE, "z": Z},
    "numbers in writing": {"x": [f"{value:.3f}" for value in X], "y": CURVE, "z": Z},
    "large units": {"x": 1e12 * X, "y": 1e-12 * CURVE, "z": 1e6 * Z},
    "one row far away": {"x": np.append(X[1:], 1e6), "y": CURVE, "z": Z},
}


@pytest.mark.filterwarnings("ignore:column 'x' is text that is read as numbers")
@pytest.mark.parametrize("name", TABLES)
def test_means_and_intervals_are_numbers(name):
    found = sl.response(CHAIN, TABLES[name], "x", "y")
    ends = np.array(found.intervals)

    assert np.isfinite(found.means).all()
    assert np.isfinite(ends).all()
    assert (ends[:, 0] <= found.means).all()
    assert (found.means <= ends[:, 1]).all()
    assert str(found)


def test_three_hundred_levels_are_numbers():
    table = {"x": np.arange(900) % 300, "y": np.arange(900) // 3 % 300, "z": np.resize(Z, 900)}

    assert np.isfinite(sl.response(CHAIN, table, "x", "y", at=[10, 150, 290]).means).all()


def test_noise_has_no_curve():
    found = sl.response(CHAIN, TABLES["noise"], "x", "y", at=[-1.0, 1.0])
    _, (low, high) = found.change(-1.0, 1.0)

    assert low < 0.0 < high


def test_gaps_are_refused_or_left_out():
    holes = {**TABLES["noise"], "x": np.where(np.arange(120) % 7 == 0, np.nan, X)}
    with pytest.raises(sl.DataError, match="missing"):
        sl.response(CHAIN, holes, "x", "y")

    whole = {name: column[~np.isnan(holes["x"])] for name, column in holes.items()}
    left = sl.response(CHAIN, holes, "x", "y", missing="drop")
    assert left.means == sl.response(CHAIN, whole, "x", "y").means


def test_who_is_no_cause_changes_nothing():
    found = sl.response(CHAIN, TABLES["noise"], "y", "x", at=[-1.0, 1.0])

    assert found.means == (pytest.approx(X.mean()),) * 2
    assert "not a cause" in str(found)


@pytest.mark.parametrize(
    ("table", "x", "y", "message"),
    [
        ({name: column[:5] for name, column in TABLES["noise"].items()}, "x", "y", "too few"),
        ({**TABLES["noise"], "x": np.full(120, 1.0)}, "x", "y", "does not vary"),
        (TABLES["noise"], "x", "x", "response: 'x' is both"),
        ({**TABLES["noise"], "z": 1e200 * Z}, "x", "y", "too far from 1"),
        (TABLES["noise"], "x", "w", "no node 'w'"),
        ({**TABLES["noise"], "x": np.where(X > 0, "high", "low")}, "x", "y", "continuous"),
        ({"x": X, "y": CURVE}, "x", "y", "'z'"),
    ],
)
def test_what_has_no_curve_is_refused_in_words(table, x, y, message):
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        sl.response(CHAIN, table, x, y)
