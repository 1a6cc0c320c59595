"""Series that a terminal names: numbers for names, gaps, lags in a list, and what is refused in its words."""

import numpy as np
import pytest
from typer.testing import CliRunner

from structlearn.cli import app
from structlearn.cli.settings import parsed_lags


@pytest.fixture
def path(tmp_path):
    """Two series with numbers for names, three steps missing from one; y is nearly x three steps ago."""
    x, noise = np.random.default_rng(0).normal(size=(2, 2, 80))
    rows = [
        f"{t},{name},{x[i, t]},{noise[i, t] / 5 + (x[i, t - 3] if t >= 3 else 0.0)}"
        for i, name in enumerate((10, 9))
        for t in range(80)
        if i or t not in {20, 21, 22}
    ]
    written = tmp_path / "series.csv"
    written.write_text("\n".join(["hour,run,x,y", *rows]))
    return str(written)


def said(*words):
    found = CliRunner().invoke(app, ["learn", *words, "--method", "dynamic-network"])
    return found.exit_code, " ".join(found.output.split())


@pytest.mark.parametrize("lags", ["3", "1, 3"])
def test_names_that_are_numbers_and_lags_in_a_list_are_read(path, lags):
    code, output = said(path, "--time", "hour", "--series", "run", "--lags", lags)

    assert code == 0
    assert "x[t-3] → y[t]" in output
    n_nodes = 8 if lags == "3" else 6  # x and y now and at each lag
    assert f"{n_nodes} nodes, 1 edge" in output


def test_lags_are_chosen_and_arrows_are_as_sure_as_blocks_of_rows_say(path):
    code, output = said(path, "--time", "hour", "--series", "run", "--lags", "bic", "--set", "max_lags=4")
    sure = said(path, "--time", "hour", "--series", "run", "--lags", "3", "--confidence", "3", "--seed", "1")

    assert (code, sure[0]) == (0, 0)
    assert "8 nodes, 1 edge" in output  # x and y now and at lags 1 to 3
    assert "x[t-3] → y[t] ██████████ confidence 100.0%" in sure[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--time", "hour"], "is there twice. Name the column that tells the series apart as --series"),
        (["--time", "day"], "there is no column 'day'"),
        (["--series", "run", "--lags", "80"], "none of 157 rows has its lags, up to 80 steps"),
        (["--lags", "1,0"], "lags is how many steps back a cause may be"),
        (["--lags", "1,,2"], "lags is how many steps back a cause may be"),
        (["--lags", "1.5"], "lags is how many steps back a cause may be"),
    ],
)
def test_what_makes_no_series_is_refused_in_one_line(path, words, message):
    code, output = said(path, *words)

    assert code != 0
    assert message in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("text", "lags"), [(None, None), ("4", 4), ("4,", [4, ""]), (" 2 , 5 ", [2, 5]), ("x", "x")]
)
def test_lags_are_read_as_written(text, lags):
    assert parsed_lags(text) == lags
