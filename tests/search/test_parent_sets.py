"""The parent sets of a node, by brute force."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import structlearn as sl
from structlearn.run import Run
from structlearn.scores import Penalised
from structlearn.scores.likelihoods import Regressions
from structlearn.scores.prices import Bits, Free
from structlearn.search import set_values
from structlearn.search.parent_sets import ParentSets, ScoredSets, drop_bit
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of


@pytest.mark.parametrize("child", range(7))
def test_only_parent_sets_that_beat_their_subsets_are_kept(child):
    space = space_of(random_table(7, n_columns=7, n_rows=2000))
    scored = ParentSets(space, set_size=3).of(child)

    others = [u for u in range(7) if u != child]
    score_of = {
        members: space.scores.local(child, members)
        for size in range(4)
        for members in itertools.combinations(others, size)
    }
    expected = {
        members: score
        for members, score in score_of.items()
        if all(
            score_of[s] < score - 1e-6
            for k in range(len(members))
            for s in itertools.combinations(members, k)
        )
    }
    found = {
        tuple(int(m) for m in row if m >= 0): score
        for row, score in zip(scored.members, scored.scores, strict=True)
    }
    assert found == pytest.approx(expected)
    assert (np.diff(scored.scores) <= 0).all()


def test_a_parent_that_brings_little_beside_a_large_score_is_kept_all_the_same():
    """A proof that left it out would promise less than some DAG scores."""
    rng = np.random.default_rng(0)
    parent = rng.normal(size=50_000)
    data = sl.Dataset({"x": parent, "y": parent + rng.normal(size=50_000)})
    alone, joined = (
        space_of(data, Penalised(Regressions(), Free())).scores.local(1, parents) for parents in ((), (0,))
    )

    for brings, n_kept in ((1e-5, 2), (-1e-5, 1)):
        space = space_of(data, Penalised(Regressions(), Bits((joined - alone - brings) / math.log(2))))

        assert len(ParentSets(space).of(1).scores) == n_kept


def test_few_candidates_are_those_that_score_most_alone():
    space = space_of(random_table(5, n_columns=6, n_rows=300))
    sets = ParentSets(space, set_size=2, candidates=2).of(5)

    best_two = sorted(range(5), key=lambda u: -space.scores.local(5, [u]))[:2]
    assert set(sets.members[sets.members >= 0].tolist()) <= set(best_two)


KNOWLEDGE = sl.Knowledge(required=[("v4", "v0")], forbidden=[("v2", "v0")])


def test_all_sets_within_the_limits_are_there_from_the_best_down():
    space = space_of(random_table(1), knowledge=KNOWLEDGE, max_parents=3)
    found = ParentSets(space).all_of(0)

    # v4 must and v2 may not be a parent of v0: v1 and v3 are left, and both fit beside v4.
    expected = [(4,), (1, 4), (3, 4), (1, 3, 4)]
    assert {tuple(found.parents(row)): score for row, score in enumerate(found.scores)} == pytest.approx(
        {members: space.scores.local(0, members) for members in expected}
    )
    assert (np.diff(found.scores) <= 0).all()


def test_the_best_set_within_others_is_the_first_whose_members_are_all_allowed():
    members = np.array([[0, 3], [2, -1], [-1, -1]])
    sets = ScoredSets.of(members, np.array([-2.0, -1.0, -3.0]))

    assert sets.members.tolist() == [[2, -1], [0, 3], [-1, -1]]
    assert sets.best_within(np.array([True, False, False, True])) == 1
    assert sets.best_within(np.array([True, True, True, True])) == 0
    assert sets.best_within(np.array([False, True, False, True])) == 2
    assert sets.where(sets.sizes() > 0).best_within(np.zeros(4, dtype=bool)) == -1
    assert sets.masks().tolist() == [0b100, 0b1001, 0]


@pytest.mark.parametrize("score", ["bic", "aic", "loglik", "bdeu"])
@pytest.mark.parametrize("most", [2, 4, 7])
def test_families_scored_by_sets_score_as_families_do(score, most, monkeypatch):
    space = space_of(random_table(3, n_columns=8, n_rows=150), score, max_parents=most)
    one_by_one = [ParentSets(space).all_of(child) for child in range(8)]
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 0)

    sets = ParentSets(space)
    by_sets = [sets.all_of(child) for child in range(8)]

    assert sets._values is not None
    for expected, found in zip(one_by_one, by_sets, strict=True):
        assert np.allclose(found.scores, expected.scores, rtol=1e-12, atol=1e-9)
        known = {tuple(expected.parents(row)): value for row, value in enumerate(expected.scores)}
        named = {tuple(found.parents(row)): value for row, value in enumerate(found.scores)}
        assert named == pytest.approx(known, rel=1e-12, abs=1e-9)


def test_sets_serve_families_that_limits_allow_unless_some_are_required(monkeypatch):
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 0)
    table = random_table(4, n_columns=7, n_rows=100)
    without_one = space_of(table, knowledge=sl.Knowledge(forbidden=[("v5", "v1")]), max_parents=3)
    with_one = space_of(table, knowledge=sl.Knowledge(required=[("v5", "v1")]), max_parents=3)
    few = space_of(table, candidates={f"v{j}": ["v0"] for j in range(1, 7)}, max_parents=3)

    sets = ParentSets(without_one)
    found = sets.all_of(1)

    assert sets._values is not None
    assert not (found.members == 5).any()
    assert {tuple(found.parents(row)): score for row, score in enumerate(found.scores)} == pytest.approx(
        {
            members: without_one.scores.local(1, members)
            for size in range(4)
            for members in itertools.combinations([0, 2, 3, 4, 6], size)
        }
    )
    assert ParentSets(with_one)._values is None
    assert ParentSets(few)._values is None


@pytest.mark.parametrize("score", ["k2", "bds", "bdj"])
def test_scores_that_are_no_differences_of_sets_score_families(score, monkeypatch):
    monkeypatch.setattr(set_values, "FEWEST_FAMILIES", 0)
    space = space_of(random_table(5, n_columns=6), score, max_parents=2)

    assert ParentSets(space)._values is None


@given(masks=st.lists(st.integers(0, 2**20), max_size=5), place=st.integers(0, 20))
def test_a_bit_that_is_dropped_moves_the_higher_ones_down(masks, place):
    without = [mask & ~(1 << place) for mask in masks]
    low = [mask % (1 << place) for mask in without]
    high = [mask >> (place + 1) for mask in without]

    expected = [a + (b << place) for a, b in zip(low, high, strict=True)]
    assert drop_bit(np.array(without, dtype=np.int64), 1 << place).tolist() == expected


@pytest.mark.parametrize(("sets", "largest"), [(ParentSets.of, 2), (ParentSets.all_of, 0)])
def test_when_time_is_up_the_sets_scored_so_far_are_there_and_the_empty_one_always_is(
    sets, largest, monkeypatch
):
    monkeypatch.setattr("structlearn.run.SECONDS_AT_ONCE", 1e6)  # or a busy machine looks more often
    run = Run("test", progress=False)
    looks = iter([False] * 2)  # time for sets of one, and of two
    run.must_stop = lambda: next(looks, True)
    space = space_of(random_table(7, n_columns=7, n_rows=2000), run=run)

    some, none = (sets(ParentSets(space), child) for child in (0, 1))

    assert int(some.sizes().max()) == largest
    assert none.sizes().tolist() == [0]
    assert none.scores[0] == space.scores.local(1, ())
