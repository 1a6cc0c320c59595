"""A trace is drawn column by column."""

import numpy as np
import pytest

from structlearn.errors import DataError
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
