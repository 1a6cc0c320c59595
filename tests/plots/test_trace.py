"""A trace is drawn column by column."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge
from structlearn.plots import plot_trace


def test_each_column_of_numbers_has_a_panel_with_its_values():
    trace = {"score": [-3.0, -2.0, -1.5], "n_edges": np.array([0, 1, 2]), "move": ["a → b", "b → c", "c → d"]}

    figure = plot_trace(trace)

    panels = figure.axes
    assert [panel.get_ylabel() for panel in panels] == ["score", "n edges"]
    assert panels[0].lines[0].get_ydata().tolist() == [-3.0, -2.0, -1.5]
    assert panels[1].lines[0].get_xdata().tolist() == [0, 1, 2]
    assert panels[-1].get_xlabel() == "step"


def test_a_trace_can_be_saved(tmp_path):
    plot_trace({"score": np.linspace(0, 1, 500)}).savefig(tmp_path / "trace.png")

    assert (tmp_path / "trace.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("trace", [{}, {"move": ["a", "b"]}])
def test_a_trace_without_numbers_is_refused(trace):
    with pytest.raises(DataError, match="no column of numbers"):
        plot_trace(trace)


def test_an_empty_trace_has_an_empty_panel():
    assert plot_trace({"score": np.array([])}).axes[0].lines[0].get_ydata().size == 0


@pytest.mark.parametrize("trace", [None, {"a": [[1], [2, 3]]}])
def test_what_is_no_trace_is_refused(trace):
    with pytest.raises(DataError, match="a trace maps names to columns"):
        plot_trace(trace)


def test_a_column_of_several_numbers_a_step_is_left_out():
    with pytest.raises(DataError, match="no column of numbers"):
        plot_trace({"a": [[1.0, 2.0], [3.0, 4.0]]})


def test_steps_are_named_where_they_are_few_and_runs_are_told_apart():
    trace = {
        "move": ["add", "add", "turn"],
        "source": ["a", "b", "c"],
        "target": ["b", "c", "a"],
        "score": [1.0, 2.0, 3.0],
        "climb": [0, 0, 1],
        "same": [4, 4, 4],
        "same but for rounding": [0.1 + 0.2, 0.3, 0.3],
    }

    (panel,) = plot_trace(trace, title="HillClimbing: 3 steps").axes

    assert [word.get_text() for word in panel.get_xticklabels()] == ["add a, b", "add b, c", "turn c, a"]
    assert [line.get_xdata()[0] for line in panel.lines[1:]] == [1.5]
    assert panel.get_title() == "HillClimbing: 3 steps"


def test_a_path_of_penalties_is_drawn_along_them():
    (panel,) = plot_trace({"penalty": [1.0, 0.1, 0.01], "edges": [0, 2, 5]}).axes

    assert (panel.get_xlabel(), panel.get_xscale()) == ("penalty", "log")
    assert panel.lines[0].get_xdata().tolist() == [1.0, 0.1, 0.01]


@pytest.fixture(scope="module")
def without_steps():
    learner = sl.K2().fit(sl.example("cancer").sample(500, random_state=0))
    learner.trace_ = {}
    return learner


def bars(learner):
    (panel,) = learner.plot_trace().axes
    names = [label.get_text() for label in panel.get_yticklabels()]
    return dict(zip(names, (bar.get_width() for bar in panel.patches), strict=True)), panel


def test_without_steps_the_edges_are_shown_strongest_first_by_what_tells_them_apart(without_steps):
    without_steps.graph_ = sl.Graph.from_edges(
        ["a$", "b", "c"],
        [Edge("a$", "b", weight=1.0, confidence=1.0), Edge("b", "c", weight=-2.0, confidence=1.0)],
    )

    found, panel = bars(without_steps)

    assert found == {"b → c": -2.0, r"a\$ → b": 1.0}
    assert panel.get_xlabel() == "score gain"
    assert panel.get_title() == "K2: no steps; its edges"


def test_p_values_are_shown_by_their_logarithm_and_only_the_strongest_edges(without_steps):
    edges = [Edge("hub", f"x{i}", p_value=10.0 ** (-7 * i)) for i in range(40)]
    without_steps.graph_ = sl.Graph.from_edges(["hub", *(f"x{i}" for i in range(40))], edges)

    found, panel = bars(without_steps)

    assert found == pytest.approx({f"hub → x{i}": 7.0 * i for i in range(39, 9, -1)})
    assert panel.get_title() == "K2: no steps; 30 strongest of 40 edges"


@pytest.mark.parametrize(
    ("edges", "title", "label"),
    [
        ([], "K2: no steps, and no edges", "nothing is known about the edges"),
        ([Edge("a", "b")], "K2: no steps; its edges", "nothing is known about the edges"),
        ([Edge("a", "b", confidence=0.5)], "K2: no steps; its edges", "confidence"),
    ],
)
def test_a_graph_of_which_little_is_known_says_so(without_steps, edges, title, label):
    without_steps.graph_ = sl.Graph.from_edges("ab", edges)

    _, panel = bars(without_steps)

    assert (panel.get_title(), panel.get_xlabel()) == (title, label)


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_picture_of_a_learner_is_saved_whole(without_steps, tmp_path, ending, start):
    without_steps.plot_trace(tmp_path / f"trace.{ending}")

    assert (tmp_path / f"trace.{ending}").read_bytes().startswith(start)


def test_a_learner_that_was_not_fitted_and_another_ending_are_refused(without_steps, tmp_path):
    with pytest.raises(DataError, match="this PC has learned nothing yet; call fit first"):
        sl.PC().plot_trace()
    with pytest.raises(OptionError, match=r"plot_trace: '.*trace\.gif' must end in \.svg"):
        without_steps.plot_trace(tmp_path / "trace.gif")
