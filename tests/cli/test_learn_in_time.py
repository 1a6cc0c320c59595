"""structlearn learn with --time, --series and --lags."""

import numpy as np
import pytest
from typer.testing import CliRunner

from structlearn.cli import app

runner = CliRunner()


@pytest.fixture
def path(tmp_path):
    """y follows x two steps later, in four series, the rows in no order."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4, 60))
    y = np.concatenate([np.zeros((4, 2)), x[:, :-2]], axis=1) + 0.5 * rng.normal(size=(4, 60))
    rows = [f"{t},{'pqrs'[i]},{x[i, t]},{y[i, t]}" for i in range(4) for t in range(60)]
    written = tmp_path / "series.csv"
    written.write_text("\n".join(["day,place,x,y", *rng.permutation(rows)]))
    return written


@pytest.mark.parametrize("method", ["sparse-var", "pcmci", "var-lingam", "dynamic-network"])
@pytest.mark.parametrize("lags", ["2", "2,3"])
@pytest.mark.filterwarnings("ignore:.*may be Gaussian")
def test_a_series_is_learned_from_in_the_order_of_its_times(path, tmp_path, method, lags):
    page = tmp_path / "page.html"
    told = ["--time", "day", "--series", "place", "--lags", lags, "--report", str(page)]

    found = runner.invoke(app, ["learn", str(path), "--method", method, *told])

    assert found.exit_code == 0, found.output
    assert "x[t-2] → y[t]" in found.output
    assert "Summary over time" in page.read_text()


def test_a_method_for_samples_has_no_times(path):
    found = runner.invoke(app, ["learn", str(path), "--method", "pc", "--time", "day"])

    assert found.exit_code != 0
    assert "PC has no option 'time'" in found.output


def test_lags_that_are_none_are_refused(path):
    found = runner.invoke(app, ["learn", str(path), "--method", "pcmci", "--time", "day", "--lags", "many"])

    assert found.exit_code != 0
    assert "lags is how many steps back a cause may be" in found.output


@pytest.mark.filterwarnings("default:.*rows look as if they followed each other")
def test_a_walk_is_warned_of_in_words_that_the_terminal_knows(tmp_path):
    walks = np.cumsum(np.random.default_rng(0).normal(size=(300, 2)), axis=0)
    written = tmp_path / "walks.csv"
    written.write_text("\n".join(["a,b", *(f"{a},{b}" for a, b in walks)]))

    found = runner.invoke(app, ["learn", str(written), "--method", "pc"])

    assert found.exit_code == 0, found.output
    assert "learn from series, with --time and --series" in found.output
    assert "--set" not in found.output


def test_the_command_on_a_page_has_the_flags_of_time(path, tmp_path):
    page = tmp_path / "page.html"
    told = ["--time", "day", "--series", "place", "--lags", "2", "--report", str(page)]

    runner.invoke(app, ["learn", str(path), "--method", "pcmci", *told])

    assert "--lags 2" in page.read_text()
    assert "--time day" in page.read_text()
    assert "--series place" in page.read_text()


@pytest.mark.parametrize(
    "told",
    [
        ["--lags", "x=2,y=1"],
        ["--lags", "2", "--set", "no_own_past=x,y"],
        ["--lags", "2", "--set", "trend=true", "--set", "season=4"],
        ["--lags", "2", "--set", "equal_series=true"],
        ["--lags", "2", "--set", "method=hierarchical-lasso", "--set", "criterion=forward"],
    ],
    ids=str,
)
def test_options_of_series_are_typed(path, told):
    when = ["--time", "day", "--series", "place"]

    found = runner.invoke(app, ["learn", str(path), "--method", "sparse-var", *when, *told])

    assert found.exit_code == 0, found.output
    assert "x[t-2] → y[t]" in found.output
