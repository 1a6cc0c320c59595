"""The page draws how well the order of the edges finds the true ones."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.report import write_report

RNG = np.random.default_rng(0)
A = RNG.normal(size=300)
B = A + RNG.normal(size=300)
DATA = sl.Dataset({"a": A, "b": B, "c": B + RNG.normal(size=300), "d": RNG.normal(size=300)})
TRUTH = sl.Graph("abcd", undirected=["ab", "bc"])


@pytest.fixture(scope="module")
def learner():
    return sl.GraphicalLasso().fit(DATA)


def page(path, learner, truth):
    return write_report(path / "page.html", learner, DATA, truth=truth).read_text(encoding="utf-8")


def test_the_curves_and_their_areas_are_on_the_page(learner, tmp_path):
    text = page(tmp_path, learner, TRUTH)
    found = learner.graph_.compare_ranking(TRUTH)
    part = text[text.index('id="ranking"') :]
    assert part[: part.index("</section>")].count("<polyline") == 2
    assert f"<td>{found.auroc:.3f}</td>" in part
    assert f"<td>{found.aupr:.3f}</td>" in part


@pytest.mark.parametrize("truth", [None, sl.Graph("abcd")])
def test_without_a_truth_to_find_there_are_no_curves(learner, truth, tmp_path):
    assert 'id="ranking"' not in page(tmp_path, learner, truth)


def test_edges_of_one_strength_have_no_curve(tmp_path):
    learner = sl.PC().fit(sl.Oracle(sl.Graph("abcd", directed=["ab", "cb"])))
    text = write_report(tmp_path / "page.html", learner, truth=TRUTH).read_text(encoding="utf-8")
    assert 'id="comparison"' in text
    assert 'id="ranking"' not in text
