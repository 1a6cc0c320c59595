"""When a card estimates the information of pairs, and when it does not."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.gpu import card


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(40, 3)).cumsum(axis=1)


LEARNERS = [sl.ARACNE, sl.SimilarityNetwork]


@pytest.mark.parametrize("learner", LEARNERS)
def test_without_a_card_auto_says_who_did_the_work(learner, monkeypatch, rows):
    def no_card():
        raise sl.OptionError("device='cuda': there is no graphics card that CUDA can use.")

    monkeypatch.setattr(card, "free_bytes", no_card)
    with pytest.raises(sl.OptionError, match="no graphics card"):
        learner(device="cuda").fit(rows)
    found = learner(device="auto").fit(rows)
    assert "the processor did the work" in found.status_
    assert found.graph_ == learner().fit(rows).graph_


@pytest.mark.parametrize("options", [{"estimator": "kraskov"}, {"missing": "testwise"}])
def test_what_a_card_cannot_estimate_is_refused_or_left_to_the_processor(options, rows):
    rows[0, 0] = np.nan if "missing" in options else 0.0
    with pytest.raises(sl.OptionError, match="a card estimates information by 'plug-in'"):
        sl.ARACNE(device="cuda", **options).fit(rows)
    assert "The processor did the work" in sl.ARACNE(device="auto", **options).fit(rows).status_
    with pytest.raises(sl.OptionError, match="a card estimates information by 'plug-in'"):
        sl.mutual_information(rows, device="cuda", **options)
    found = sl.mutual_information(rows, device="auto", **options)
    here = sl.mutual_information(rows, **options)
    np.testing.assert_array_equal(found.values, here.values)
    assert "rocessor did the work" in repr(found)
    assert here.note == ""


def test_columns_of_many_levels_are_left_to_the_processor():
    names = [f"level {i:02d}" for i in np.arange(210) % 21]
    with pytest.raises(sl.OptionError, match="at most 20 levels"):
        sl.mutual_information({"a": names, "b": names[::-1]}, device="cuda")


def test_distances_are_left_to_the_processor(rows):
    with pytest.raises(sl.OptionError, match="a card estimates information"):
        sl.SimilarityNetwork(device="cuda", measure="euclidean", threshold=1.0).fit(rows)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_matrix_that_is_given_is_not_brought_to_a_card(learner):
    with pytest.raises(sl.OptionError, match="precomputed=True, device='cuda'"):
        learner(device="cuda", precomputed=True, threshold=0.1).fit(np.eye(3))


def test_pairs_that_do_not_fit_are_refused_with_the_bytes(monkeypatch, rows):
    monkeypatch.setattr(card, "free_bytes", lambda: 1000)
    monkeypatch.setattr(card, "load_cupy", lambda: np)
    with pytest.raises(sl.OptionError, match=r"1,086 bytes of the card's memory, and 1,000 are free"):
        sl.ARACNE(device="cuda").fit(rows)


def two_columns():
    return sl.example("cancer").sample(100, random_state=0).select(["Cancer", "Smoker"])


@pytest.mark.parametrize(
    "options",
    [
        {"score": "bdeu"},
        {"knowledge": sl.Knowledge(required=[("Smoker", "Cancer")])},
        {"knowledge": sl.Knowledge(forbidden=[("Smoker", "Cancer")])},
    ],
)
def test_trees_that_are_more_than_information_are_left_to_the_processor(options):
    with pytest.raises(sl.OptionError, match="a card finds trees by the likelihood"):
        sl.ChowLiu(device="cuda", **options).fit(two_columns())
    found = sl.ChowLiu(device="auto", **options).fit(two_columns())
    assert "The processor did the work" in found.status_
    assert found.graph_ == sl.ChowLiu(**options).fit(two_columns()).graph_


def test_a_tree_that_does_not_fit_is_refused_with_the_bytes(monkeypatch):
    monkeypatch.setattr(card, "free_bytes", lambda: 1000)
    with pytest.raises(sl.OptionError, match=r"1,656 bytes of the card's memory, and 1,000 are free"):
        sl.ChowLiu(device="cuda").fit(two_columns())
    assert "The processor did the work" in sl.ChowLiu(device="auto").fit(two_columns()).status_
