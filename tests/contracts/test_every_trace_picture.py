"""`plot_trace` of every method says something: what changed from step to step, or how strong edges are."""

import numpy as np

from tests.contracts.conftest import KINDS, fitted


def test_the_picture_has_steps_that_differ_or_a_bar_for_each_edge(method):
    learner = fitted(method, next(kind for kind in KINDS if kind in method.takes))

    figure = learner.plot_trace()

    panels = figure.axes
    assert panels[0].get_title().startswith(f"{type(learner).__name__}: ")
    if "no steps" in panels[0].get_title():
        bars = [bar.get_width() for bar in panels[0].patches]
        assert len(bars) == len(learner.graph_.edges) > 0
        assert any(bars)
        assert all(label.get_text() for label in panels[0].get_yticklabels())
        assert panels[0].get_xlabel()
        return
    for panel in panels:
        drawn = np.asarray(panel.lines[0].get_ydata(), dtype=float)
        assert len(set(drawn[np.isfinite(drawn)])) > 1
        assert panel.get_ylabel()
