"""The page shows clusters: their tree, who is in them, and the partial correlations of their profiles."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots import plot_dendrogram
from structlearn.report import write_report
from structlearn.report.wording import number


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


def test_the_page_has_a_bracket_for_each_merge_and_the_partial_correlation_of_the_edge(tmp_path):
    learner = fitted()

    text = write_report(tmp_path / "page.html", learner).read_text(encoding="utf-8")

    assert text.count('class="branch"') == 5
    assert "the last ones at " + number(float(learner.dendrogram_.merges[-1, 2])) in text
    for members in learner.clusters_.values():
        assert f"<td>3</td><td>{', '.join(members)}</td>" in text
    assert number(float(learner.partial_correlation_[0, 1])) in text


@pytest.mark.filterwarnings("ignore:.*single value")
def test_one_column_that_varies_has_no_tree_on_the_page_but_a_picture(tmp_path):
    learner = sl.ClusterGaussianNetwork().fit({"a": [1.0, 2.0, 4.0, 3.0], "flat": [1.0] * 4})

    text = write_report(tmp_path / "page.html", learner).read_text(encoding="utf-8")

    assert "The tree of" not in text
    below = plot_dendrogram(learner).axes[1]
    assert np.asarray(below.images[0].get_array()) == pytest.approx(np.ones((1, 1)))


def test_colours_of_correlations_have_two_sides_and_the_scale_of_pairs():
    learner = fitted()

    below = plot_dendrogram(learner).axes[1]

    off = learner.column_similarity_[~np.eye(6, dtype=bool)]
    assert below.images[0].get_clim() == (-np.abs(off).max(), np.abs(off).max())
    with pytest.raises(sl.DataError, match="ClusterGaussianNetwork has learned nothing yet"):
        plot_dendrogram(sl.ClusterGaussianNetwork())
