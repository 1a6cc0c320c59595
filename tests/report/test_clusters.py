"""The page shows clusters: their tree, who is in them, and the partial correlations of their profiles."""

import numpy as np

import structlearn as sl
from structlearn.plots import plot_dendrogram
from structlearn.report import write_report


def fitted():
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(60, 2)).cumsum(axis=1), 3, axis=1) + 0.1 * rng.normal(size=(60, 6))
    return sl.ClusterGaussianNetwork().fit(rows)


def test_a_network_of_clusters_has_its_tree_its_members_and_a_map(tmp_path):
    text = write_report(tmp_path / "page.html", fitted()).read_text(encoding="utf-8")

    assert "The tree of 6 columns" in text
    assert "x0, x1, x2" in text
    assert "partial correlation of each two profiles" in text
    assert "x3, x5: 0.98" in text or "x3, x5: 0.99" in text  # the similarity of two columns of a cluster


def test_the_picture_has_the_columns_in_the_order_of_the_tree():
    learner = fitted()

    _, below, *_ = plot_dendrogram(learner).axes

    assert [text.get_text() for text in below.get_yticklabels()] == list(learner.dendrogram_.leaves)
    assert below.images[0].get_array()[0, 1] == np.float64(
        learner.column_similarity_[tuple(learner.dendrogram_.places[:2])]
    )
