"""Methods and tests for curves and noise on tables that break things: one clear error, or a stated answer."""

import numpy as np
import pytest

import structlearn as sl

FOR_CURVES = {
    "DirectLiNGAM": sl.DirectLiNGAM,
    "ICALiNGAM": sl.ICALiNGAM,
    "ResidualOrdering": sl.ResidualOrdering,
    "NOTEARS": sl.NOTEARS,
    "DAGMA": sl.DAGMA,
    "kci": lambda: sl.PC(test="kci"),
    "rcot": lambda: sl.PC(test="rcot"),
    "gcm": lambda: sl.PC(test="gcm"),
}
EACH = pytest.mark.parametrize("make", FOR_CURVES.values(), ids=FOR_CURVES)
pytestmark = pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
N_ROWS = 80


def plain(n_rows=N_ROWS):
    """a → b → c, the second along a parabola, with uniform noise."""
    rng = np.random.default_rng(0)
    a, of_b, of_c = rng.uniform(-1, 1, (3, n_rows))
    b = a + 0.5 * of_b
    return {"a": a, "b": b, "c": np.square(b) + 0.3 * of_c}


def numbers(table):
    return sl.Dataset(table, kinds=dict.fromkeys(table, "continuous"))


PLAIN = plain()
SMALL = 1e-9 * np.random.default_rng(1).normal(size=N_ROWS)
IS_FOURTH = np.arange(N_ROWS) == 3
REFUSED = {
    "a column twice": (PLAIN | {"d": PLAIN["a"]}, "'a', 'd' are the same but for scale"),
    "a column nearly twice": (PLAIN | {"d": PLAIN["a"] + SMALL}, "'a', 'd' are the same but for scale"),
    "a sum": (PLAIN | {"d": PLAIN["a"] + PLAIN["b"]}, "'d' is a linear combination of columns 'a', 'b'"),
    "an infinite value": (PLAIN | {"b": np.where(IS_FOURTH, np.inf, PLAIN["b"])}, "1 infinite value"),
    "a gap": (PLAIN | {"b": np.where(IS_FOURTH, np.nan, PLAIN["b"])}, "needs complete data"),
    "gaps alone": (PLAIN | {"b": np.full(N_ROWS, np.nan)}, "'b' has no values"),
    "words": ({"v": ["x", "y"] * 40, "w": ["x", "y", "y", "x"] * 20}, "takes continuous"),
    "one row": (numbers({"a": [1.0], "b": [2.5]}), "the table has 1 row"),
}


@EACH
@pytest.mark.parametrize(("table", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_in_one_sentence(make, table, said):
    with pytest.raises(sl.DataError, match=said):
        make().fit(table)


UNITS = {
    "tiny": (1e-300, 1e-300, 1e-300),
    "below all digits": (1e-312, 1e-312, 1e-312),
    "huge": (1e300, 1e300, 1e300),
    "of all sizes": (1e-300, 1e300, 1.0),
}


@EACH
@pytest.mark.parametrize("units", UNITS.values(), ids=UNITS)
def test_units_of_any_size_change_nothing(make, units):
    scaled = {name: unit * column for (name, column), unit in zip(PLAIN.items(), units, strict=True)}

    assert make().fit(scaled).graph_ == make().fit(PLAIN).graph_


@EACH
@pytest.mark.parametrize("value", [3.0, 0.1, -1e-9])
def test_a_constant_column_is_alone_and_changes_nothing(make, value):
    found = make().fit(numbers(PLAIN | {"still": np.full(N_ROWS, value)})).graph_

    assert found.subgraph(list("abc")) == make().fit(PLAIN).graph_
    assert not found.neighbors("still")


@EACH
def test_constants_alone_have_no_edges(make):
    found = make().fit(numbers({"a": np.full(30, 0.1), "b": np.full(30, 2.0)}))

    assert not found.graph_.edges


@EACH
def test_noise_and_two_rows_have_no_more_edges_than_chance(make):
    noise = dict(zip("abcde", np.random.default_rng(0).normal(size=(5, N_ROWS)), strict=True))
    assert len(make().fit(noise).graph_.edges) <= 2

    if make is not sl.ICALiNGAM:  # which needs more rows than columns
        two = numbers({"a": [1.0, 2.0], "b": [2.5, 1.0], "c": [0.1, 0.2]})
        assert not make().fit(two).graph_.edges


@EACH
def test_more_columns_than_rows_have_few_edges_or_are_refused(make):
    rows = np.random.default_rng(0).normal(size=(12, 14))
    wide = {f"v{j}": column for j, column in enumerate(rows.T)}
    if make is sl.ICALiNGAM:
        with pytest.raises(
            sl.DataError, match="more different rows than columns, not 12 rows and 14 columns"
        ):
            make().fit(wide)
    else:
        assert len(make().fit(wide).graph_.edges) <= 10  # of 91 pairs, at a level of 0.05: once in a hundred


@EACH
def test_ties_and_outliers_have_an_answer(make):
    """Whole numbers still show that a and b are joined; beside one huge value nothing of its column shows."""
    whole = make().fit(numbers({name: np.round(3 * column) for name, column in PLAIN.items()}))
    assert whole.graph_.skeleton().edge("a", "b") is not None

    far = PLAIN | {"b": np.where(IS_FOURTH, 1e200, PLAIN["b"])}
    assert set(make().fit(far).graph_.nodes) == set("abc")
