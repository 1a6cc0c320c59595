"""Threads share the scoring of families where the score bears it, and change nothing."""

import threading

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import BIC, BDeu, GaussianBIC, checked_scores
from structlearn.scores.checked import threads_for
from structlearn.statistics import MemoryStatistics


@pytest.fixture(autouse=True)
def _threads_pay(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)


def tables():
    rng = np.random.default_rng(0)
    return {
        "discrete": sl.Dataset({f"d{j}": rng.integers(0, 3, 200).astype(str) for j in range(6)}),
        "continuous": sl.Dataset({f"c{j}": rng.normal(size=200) for j in range(6)}),
    }


def families(n_parents):
    rng = np.random.default_rng(1)
    return np.array([rng.permutation(6)[: 1 + n_parents] for _ in range(40)])


@pytest.mark.parametrize("n_parents", [0, 1, 3])
@pytest.mark.parametrize(
    ("score", "kind"), [(BIC(), "discrete"), (BDeu(), "discrete"), (GaussianBIC(), "continuous")]
)
def test_scores_are_the_same_to_the_bit(score, kind, n_parents):
    one, several = (MemoryStatistics(tables()[kind], n_jobs=n_jobs) for n_jobs in (1, 3))

    assert threads_for(score, several) == 3
    assert (
        checked_scores(score, several, families(n_parents)) == checked_scores(score, one, families(n_parents))
    ).all()


class OneOfMyOwn:
    """Counts the rows of nothing, and remembers who asked."""

    def __init__(self):
        self.asked_by = []

    def local(self, _statistics, families):
        self.asked_by.append(threading.current_thread())
        return np.zeros(len(families))


def test_a_score_of_ones_own_is_asked_once_and_in_this_thread():
    score = OneOfMyOwn()

    checked_scores(score, MemoryStatistics(tables()["discrete"], n_jobs=3), families(2))

    assert score.asked_by == [threading.current_thread()]
