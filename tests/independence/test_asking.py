"""Questions come in the order of a plain double loop, whatever the batches."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.graphs.links import Links
from structlearn.independence import asking
from structlearn.independence.asking import Asker, Subsets, all_separators, separate_pairs
from structlearn.independence.chi2 import Chi2
from structlearn.independence.g2 import G2
from structlearn.independence.protocol import Answers
from structlearn.statistics import MemoryStatistics


class Fixed:
    """A test whose p-values are a fixed function of the question; it remembers what was asked."""

    def __init__(self, share):
        self.share = share
        self.asked = []

    def p_value(self, question):
        x, y, *z = question
        return (hash((x, y, frozenset(z))) % 1000) / 1000 * (1.0 if self.share else 0.0)

    def many(self, _statistics, questions):
        self.asked += [tuple(question) for question in questions.tolist()]
        p = np.array([self.p_value(question) for question in questions.tolist()])
        return Answers(p, p, p)


def plainly(test, pairs, neighbors, size, alpha):
    """The first separating subset of each pair, and the largest p-value of the others."""
    found, largest = {}, {}
    for a, b in pairs:
        subsets = list(combinations(sorted(neighbors[a] - {b}), size))
        subsets += [s for s in combinations(sorted(neighbors[b] - {a}), size) if s not in subsets]
        for subset in subsets:
            p = test.p_value((a, b, *subset))
            if p > alpha:
                found[a, b] = subset
                break
            largest[a, b] = max(largest.get((a, b), 0.0), p)
    return found, largest


@pytest.mark.parametrize("batch_rows", [1, 7, 10**6])
@settings(deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(0, 3), alpha=st.sampled_from([0.5, 0.9, 0.99]))
def test_the_first_separating_subset_is_found(batch_rows, seed, size, alpha):
    rng = np.random.default_rng(seed)
    n = 7
    edges = np.array([pair for pair in combinations(range(n), 2) if rng.random() < 0.6]).reshape(-1, 2)
    neighbors = {v: {int(u) for edge in edges if v in edge for u in edge if u != v} for v in range(n)}
    pairs = np.array(list(combinations(range(n), 2)))
    test = Fixed(share=True)
    links = Links(n, lines=edges)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asking, "BATCH_ROWS", batch_rows)
        result = separate_pairs(Asker(test, None, alpha=alpha), Subsets(pairs, links, size))

    expected, largest = plainly(test, pairs.tolist(), neighbors, size, alpha)
    found = {
        tuple(pairs[i].tolist()): tuple(given_.tolist())
        for i, given_ in zip(result.separated, result.given, strict=True)
    }
    assert found == expected
    assert len(set(test.asked)) == len(test.asked)  # no question twice
    for i, pair in enumerate(map(tuple, pairs.tolist())):
        if pair not in expected:
            assert result.largest_p[i] == largest.get(pair, 0.0)


def test_stopping_leaves_the_rest_unanswered():
    pairs = np.array(list(combinations(range(5), 2)))
    links = Links(5, lines=pairs)
    test = Fixed(share=False)

    asker = Asker(test, None, alpha=0.5, must_stop=lambda: True)
    result = separate_pairs(asker, Subsets(pairs, links, 1))

    assert len(result.separated) == 0
    assert test.asked == []


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(0, 3))
def test_all_separators_of_the_first_end_are_found_beside_what_is_always_given(seed, size):
    rng = np.random.default_rng(seed)
    n = 7
    edges = np.array([pair for pair in combinations(range(n), 2) if rng.random() < 0.7]).reshape(-1, 2)
    neighbors = {v: {int(u) for edge in edges if v in edge for u in edge if u != v} for v in range(n)}
    triples = np.array([rng.permutation(n)[:3] for _ in range(6)])
    test = Fixed(share=True)
    subsets = Subsets(
        triples[:, :2], Links(n, lines=edges), size, always=triples[:, 2].copy(), both_ends=False
    )

    found = {
        (i, tuple(given_.tolist())) for i, given_, _ in all_separators(Asker(test, None, alpha=0.5), subsets)
    }

    expected = {
        (i, (*subset, c))
        for i, (a, b, c) in enumerate(triples.tolist())
        for subset in combinations(sorted(neighbors[a] - {b, c}), size)
        if test.p_value((a, b, *subset, c)) > 0.5
    }
    assert found == expected


def test_pairs_with_few_sets_are_asked_about_together():
    lines = np.array(list(combinations(range(6), 2)))
    test, subsets = Fixed(share=True), Subsets(lines, Links(6, lines=lines), 2)
    n_batches, many = [0], test.many

    def counted(statistics, questions):
        n_batches[0] += 1
        return many(statistics, questions)

    test.many = counted
    list(all_separators(Asker(test, None, alpha=0.5), subsets))

    assert subsets.most_of_a_pair >= 6
    assert len(test.asked) == len(set(test.asked)) == 15 * 6
    assert n_batches[0] <= 3  # not one for each of the 15 pairs


@pytest.mark.parametrize("first", [2, 5, 100])
def test_how_many_are_asked_about_at_first_changes_nothing_that_is_found(first):
    lines = np.array(list(combinations(range(7), 2)))
    one, other = (
        separate_pairs(
            Asker(Fixed(share=True), None, alpha=0.9), Subsets(lines, Links(7, lines=lines), 2), n_first=n
        )
        for n in (1, first)
    )

    assert 0 < len(one.separated) < len(lines)
    for name in ("separated", "given", "p_value"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    left = np.setdiff1d(np.arange(len(lines)), one.separated)
    assert one.largest_p[left].tolist() == other.largest_p[left].tolist()


def test_p_values_are_asked_in_batches_and_those_that_time_leaves_out_count_as_dependent():
    questions = np.array(list(combinations(range(40), 2)))
    test = Fixed(share=True)
    looks = iter([False, False, True])
    hurried = Asker(test, None, alpha=0.5, must_stop=lambda: next(looks))

    found = hurried.p_values(questions)

    n_asked = len(test.asked)
    assert asking.FEWEST_AT_ONCE < n_asked < len(questions)
    assert found[:n_asked].tolist() == [test.p_value(question) for question in questions[:n_asked].tolist()]
    assert not found[n_asked:].any()
    assert hurried.n_tests == n_asked
    assert (Asker(test, None, alpha=0.5).p_values(questions) > 0.0).mean() > 0.9


@pytest.mark.parametrize("test", [G2(), Chi2(), G2(min_rows_per_cell=5), G2(dof="full")])
def test_answers_of_threads_are_those_of_one(test, monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    table = sl.example("asia").sample(300, random_state=0)
    questions = np.array([list(each) for each in permutations(range(6), 4)][:60])
    one, several = (
        Asker(test, MemoryStatistics(table, n_jobs=n_jobs), alpha=0.05).ask(questions) for n_jobs in (1, 3)
    )

    for name in ("statistic", "dof", "p_value", "log_p", "is_reliable"):
        np.testing.assert_array_equal(getattr(several, name), getattr(one, name))
