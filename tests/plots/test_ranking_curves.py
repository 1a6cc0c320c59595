"""Curves of a ranking show what its figures say."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots import plot_ranking

TRUTH = sl.Graph("abc", directed=["ab", "bc"])
# Of the six ordered pairs, in this order: true, false, true, and three without an edge.
LEARNED = sl.Graph(
    "abc",
    edges=[sl.Edge("a", "b", weight=3.0), sl.Edge("a", "c", weight=-2.0), sl.Edge("b", "c", weight=1.0)],
)


def test_the_panels_have_the_curves_and_their_areas():
    rates, precisions = plot_ranking(LEARNED.compare_ranking(TRUTH)).axes
    assert rates.lines[0].get_xydata().tolist() == [[0, 0], [0, 0.5], [0.25, 0.5], [0.25, 1], [1, 1]]
    recall, precision = precisions.lines[0].get_data()
    assert precision[recall == 0.5].max() == 1.0
    assert precision[recall == 1.0].tolist()[0] == pytest.approx(2 / 3)
    assert rates.get_legend().get_texts()[0].get_text() == "AUROC 0.875"
    # Chance: two of six pairs.
    assert precisions.lines[1].get_ydata() == pytest.approx([1 / 3, 1 / 3])


def test_several_rankings_share_the_panels(tmp_path):
    found = {"ours": LEARNED.compare_ranking(TRUTH), "truth": TRUTH.compare_ranking(TRUTH)}
    figure = plot_ranking(found)
    named = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert named == ["ours: AUROC 0.875", "truth: AUROC 1.000"]
    figure.savefig(tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("found", [{}, LEARNED, {"ours": np.zeros(3)}])
def test_what_is_no_ranking_is_refused(found):
    with pytest.raises(sl.DataError, match="compare_ranking"):
        plot_ranking(found)
