"""Trajectories are drawn node by node, dots beside lines."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots import plot_trajectories
from structlearn.report import write_report

TIMES = np.linspace(0, 4, 25)
TABLE = {
    "id": np.repeat(["one", "two"], 25),
    "t": np.tile(TIMES, 2),
    "a": np.concatenate([np.exp(-TIMES), -np.exp(-TIMES)]),
    "b": np.concatenate([TIMES * np.exp(-TIMES), (1 - TIMES) * np.exp(-TIMES)]),
}


@pytest.fixture(scope="module")
def learner():
    return sl.SystemIdentification(time="t", series="id").fit(TABLE)


def test_each_node_has_a_panel_with_dots_and_a_line_for_each_course(learner):
    figure = plot_trajectories(learner.trajectories_)

    assert [panel.get_title() for panel in figure.axes] == ["a", "b"]
    dots, line, *_ = figure.axes[1].lines
    assert dots.get_ydata() == pytest.approx(TABLE["b"][:25])
    assert line.get_ydata() == pytest.approx(TABLE["b"][:25], abs=0.01)
    assert len(figure.axes[1].lines) == 4


def test_some_nodes_can_be_chosen_and_others_are_refused(learner):
    assert len(plot_trajectories(learner.trajectories_, ["b"]).axes) == 1
    with pytest.raises(sl.DataError, match="no node 'z'"):
        plot_trajectories(learner.trajectories_, ["z"])
    with pytest.raises(sl.DataError, match="steady states have none"):
        plot_trajectories(())


def test_a_line_that_runs_away_does_not_flatten_the_dots():
    table = {"t": TIMES, "a": np.exp(-TIMES) + 1e-2 * np.cos(9 * TIMES)}
    figure = plot_trajectories(sl.SystemIdentification(time="t").fit(table).trajectories_)

    low, high = figure.axes[0].get_ylim()
    assert high - low == pytest.approx(1.4 * np.ptp(table["a"]))


def test_the_report_shows_the_courses_and_says_whether_the_system_is_stable(learner, tmp_path):
    with pytest.warns(sl.DataWarning, match="'t' rises from row to row"):
        data = sl.Dataset(TABLE)
    page = write_report(tmp_path / "page.html", learner, data).read_text(encoding="utf-8")

    assert "Trajectories" in page
    assert "a: 2 courses, measured and fitted" in page
    assert "it is stable." in page
    assert page.count("<circle") >= 100  # 25 times, two courses, two nodes


@pytest.mark.filterwarnings("ignore:.*the table has 3 rows")
def test_a_report_of_steady_states_has_the_stability_and_no_courses(tmp_path):
    matrix = np.array([[-1.0, 0.0, 0.5], [0.4, -1.0, 0.0], [0.0, -0.6, -1.0]])
    states = dict(zip("abc", (-np.linalg.inv(matrix)), strict=True))
    pushes = dict(zip("abc", np.eye(3), strict=True))
    learner = sl.SystemIdentification(method="nir", perturbations=pushes, max_regulators=2).fit(states)

    page = write_report(tmp_path / "page.html", learner, sl.Dataset(states)).read_text(encoding="utf-8")

    assert "it is stable." in page
    assert "measured and fitted" not in page
