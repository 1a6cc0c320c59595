"""Candidates are the parents, and the most promising of the others."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.search.limits import Limits
from structlearn.search.promises import most_promising
from tests.learners.score.candidate_tables import random_parents


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n_candidates=st.integers(1, 5))
def test_candidates_are_the_parents_and_the_best_of_the_others(seed, n_candidates):
    rng = np.random.default_rng(seed)
    parents = random_parents(seed)
    values = rng.integers(0, 4, (5, 5)).astype(float)  # with ties
    limits = Limits.of(tuple("abcde"), sl.Knowledge(forbidden=[("a", "b"), ("c", "d")]), None)
    parents[1] = [u for u in parents[1] if u != 0]
    parents[3] = [u for u in parents[3] if u != 2]

    chosen = most_promising(values, parents, limits, n_candidates)

    for child, members in enumerate(parents):
        free = [u for u in range(5) if u != child and u not in members and (u, child) not in {(0, 1), (2, 3)}]
        best = sorted(free, key=lambda u, row=values[child]: (-row[u], u))
        n_more = max(n_candidates - len(members), 0)
        assert set(np.flatnonzero(chosen[child])) == {*members, *best[:n_more]}


def test_promises_that_differ_by_rounding_are_a_tie():
    values = np.array([[0.0, 0.3, 0.1 + 0.2], [0.0] * 3, [0.0] * 3])
    chosen = most_promising(values, [(), (), ()], Limits.of(tuple("abc"), sl.Knowledge(), None), 1)

    assert chosen[0].tolist() == [False, True, False]
