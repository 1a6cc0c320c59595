"""The picture of clusters, and its section of a report."""

import re
from io import BytesIO

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots import plot_dendrogram
from structlearn.report import write_report
from tests.learners.network.test_similarity_network import blocks


def test_the_map_has_the_columns_in_the_order_of_the_tree():
    learner = sl.SimilarityNetwork().fit(blocks())

    figure = plot_dendrogram(learner)

    above, below = figure.axes[:2]
    assert len(above.collections[0].get_paths()) == 5  # a bracket for each merge
    assert [label.get_text() for label in below.get_yticklabels()] == list(learner.dendrogram_.leaves)
    order = [learner.graph_.nodes.index(name) for name in learner.dendrogram_.leaves]
    assert (below.images[0].get_array() == learner.similarity_[np.ix_(order, order)]).all()
    figure.savefig(BytesIO())


@pytest.mark.parametrize("measure", ["euclidean", "mutual-information"])
def test_distances_and_information_have_one_colour(measure):
    below = plot_dendrogram(sl.SimilarityNetwork(measure=measure, threshold=1.0).fit(blocks())).axes[1]

    assert below.images[0].get_clim()[0] == 0.0


def test_one_column_and_very_many_are_drawn_too():
    plot_dendrogram(sl.SimilarityNetwork().fit({"a": [0.5, 1.5, 2.5, 0.1]})).savefig(BytesIO())
    wide = sl.SimilarityNetwork(threshold=0.9).fit(np.random.default_rng(0).normal(size=(20, 90)))
    assert plot_dendrogram(wide).axes[1].get_yticklabels() == []
    with pytest.raises(sl.DataError, match="call fit first"):
        plot_dendrogram(sl.SimilarityNetwork())


def section(learner, folder):
    text = write_report(folder / "report.html", learner).read_text(encoding="utf-8")
    return re.search(r'<section id="clusters".*?</section>', text, re.DOTALL)


def test_a_report_draws_the_tree_and_lists_the_clusters(tmp_path):
    learner = sl.SimilarityNetwork(scales=[2]).fit(blocks())

    found = section(learner, tmp_path)[0]

    assert found.count('class="branch"') == 5
    assert found.count("<rect") == 30  # each pair twice
    assert "a, b, c" in found
    assert "2 clusters" in found
    labels = re.findall(r'<text x="162"[^>]*>(\w)</text>', found)
    assert labels == list(learner.dendrogram_.leaves)


def test_a_report_says_where_the_picture_would_be_too_large_and_others_have_none(tmp_path):
    wide = sl.SimilarityNetwork(threshold=0.9).fit(np.random.default_rng(0).normal(size=(20, 101)))

    assert "plot_dendrogram draws more" in section(wide, tmp_path)[0]
    assert section(sl.ARACNE().fit(blocks()), tmp_path) is None
