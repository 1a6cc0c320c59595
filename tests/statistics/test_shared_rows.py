"""Threads that count all tables, each in rows of its own, count what one thread does."""

import itertools
from functools import partial

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import Chi2
from structlearn.independence.asking import Asker
from structlearn.scores import BIC
from structlearn.scores.checked import checked_scores
from structlearn.statistics import MemoryStatistics, from_dataset
from structlearn.statistics.adtree import ADTreeStatistics
from structlearn.statistics.kernels import counting

LEVELS = [2, 3, 2, 4, 2, 3, 20]  # the last has no masks


@pytest.fixture(autouse=True)
def _threads_share_few_rows(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.memory.FEWEST_ROWS_TO_SHARE", 1)
    monkeypatch.setattr("structlearn.statistics.memory.MOST_CELLS_TO_ADD", np.inf)
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)


@pytest.fixture
def shares(monkeypatch):
    """The words of rows that were counted at once."""
    seen, count = [], MemoryStatistics._count_rows

    def note(self, words, *how):
        seen.append(words)
        count(self, words, *how)

    monkeypatch.setattr(MemoryStatistics, "_count_rows", note)
    return seen


def table(n_rows, *, with_gaps=False):
    rng = np.random.default_rng(n_rows)
    codes = [rng.integers(0, n, n_rows) * (rng.random(n_rows) < 0.7) for n in LEVELS]
    words = [np.array([f"s{code}" for code in column], dtype=object) for column in codes]
    if with_gaps:
        words[1][::7] = None
    return sl.Dataset({f"v{j}": column for j, column in enumerate(words)})


@pytest.mark.parametrize("n_jobs", [2, 3])
@pytest.mark.parametrize("n_rows", [1, 64, 130, 65 * counting.WORDS_PER_CHUNK])
def test_tables_are_those_of_one_thread(n_rows, n_jobs, shares):
    data = table(n_rows)
    alone, together = from_dataset(data), from_dataset(data, n_jobs=n_jobs)
    for size in range(2, 7):
        sets = np.array(list(itertools.combinations(range(len(LEVELS)), size)))
        wanted = alone.tables(sets)
        shares.clear()
        found = together.tables(sets)

        assert found.counts.tolist() == wanted.counts.tolist()
        assert found.starts.tolist() == wanted.starts.tolist()
        n_words = -(-n_rows // 64)
        assert len(shares) == min(n_jobs, n_words)
        assert sorted(word for first, end in shares for word in range(first, end)) == list(range(n_words))


def test_scores_and_answers_are_those_of_one_thread(shares):
    data = table(2000)
    questions = np.array(list(itertools.permutations(range(5), 3)))
    found = []
    for n_jobs in (1, 2):
        statistics = from_dataset(data, n_jobs=n_jobs)
        answers = Asker(Chi2(), statistics, alpha=0.05).ask(questions)
        scores = checked_scores(BIC(), statistics, questions)
        found.append([each.tolist() for each in (answers.p_value, answers.log_p, answers.dof, scores)])
    assert found[0] == found[1]
    assert len(set(shares)) == 3  # all rows, one half of them, the other


@pytest.mark.parametrize("kind", ["gaps", "tree", "weights"])
def test_what_counts_in_another_way_does_not_share_rows(kind):
    data = table(300, with_gaps=kind == "gaps")
    if kind == "weights":
        data = sl.Dataset(data, weights=np.arange(300) / 7.0)
    make = ADTreeStatistics if kind == "tree" else partial(from_dataset, missing="testwise")
    sets = np.array(list(itertools.combinations(range(len(LEVELS)), 3)))
    alone, together = make(data), make(data, n_jobs=2)

    assert not together.shares_rows
    assert together.tables(sets).counts.tolist() == alone.tables(sets).counts.tolist()
