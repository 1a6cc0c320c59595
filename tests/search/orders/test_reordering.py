"""Orders that are shaken after a climb: what they may use, and that they only improve."""

from unittest.mock import Mock, patch

import numpy as np
import pytest

import structlearn as sl
from structlearn.search.climbing import climb
from structlearn.search.orders.family_pool import FamilyPool, ScoredFamilies
from structlearn.search.orders.reordering import fresh_families, reorder
from structlearn.search.starts import start_from
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of

KNOWLEDGE = sl.Knowledge(required=[("v2", "v1")], forbidden=[("v0", "v3")])


def climbed(seed, score="mdl", **limits):
    """Where a climb ends; with the BIC, all families of six columns are scored at once."""
    state = start_from(space_of(random_table(seed, n_columns=6), score, seed=0, **limits), None)
    climb(state)
    return state


@pytest.mark.parametrize("limits", [{}, {"knowledge": KNOWLEDGE}, {"max_parents": 1}])
def test_families_that_a_climb_has_scored_have_their_scores_and_keep_the_limits(limits):
    state = climbed(1, **limits)
    found = list(fresh_families(state.space))

    assert sum(len(families) for families, _ in found) >= 5
    alone = [
        state.space.scores.local(child, [2] * ("knowledge" in limits and child == 1)) for child in range(6)
    ]
    for families, scores in found:
        assert (scores > np.array(alone)[families[:, 0]]).all()
        assert families.shape[1] - 1 <= limits.get("max_parents", 6)
        np.testing.assert_allclose(
            scores, state.space.score.local(state.space.statistics, families), rtol=1e-12
        )
        if "knowledge" in limits:
            assert all(2 in row[1:] for row in families.tolist() if row[0] == 1)
            assert not any(0 in row[1:] for row in families.tolist() if row[0] == 3)


@pytest.mark.parametrize("limits", [{}, {"knowledge": KNOWLEDGE}, {"max_parents": 2}])
@pytest.mark.parametrize("score", ["mdl", "bic"])
@pytest.mark.parametrize("seed", range(3))
def test_a_reordered_dag_is_no_worse_and_keeps_the_limits(seed, score, limits):
    state = climbed(seed, score, **limits)

    found = reorder(state, 30, climb)

    assert found.score >= state.score - 1e-9
    assert found.score == pytest.approx(state.space.scores.total(found.parents()))
    arcs = [(f"v{u}", f"v{v}") for v, parents in enumerate(found.parents()) for u in parents]
    assert sl.Graph([f"v{j}" for j in range(6)], directed=arcs).is_dag
    assert max(map(len, found.parents())) <= limits.get("max_parents", 6)
    if "knowledge" in limits:
        assert ("v2", "v1") in arcs
        assert ("v0", "v3") not in arcs


@pytest.mark.parametrize(("shakes", "n_walks"), [(1, 2), (2, 4), (3, 6), (30, 6)])
@pytest.mark.parametrize("n_kept", [0, 1])
def test_two_walks_that_bring_nothing_are_the_end_unless_there_are_new_families(shakes, n_walks, n_kept):
    state = climbed(0)
    best = reorder(state, 30, climb)
    walk = Mock(arcs=lambda: best.arcs, is_used=np.array([True, False]))

    with (
        patch("structlearn.search.orders.reordering._shaken", return_value=walk) as walks,
        patch.object(FamilyPool, "grow", return_value=n_kept) as grow,
    ):
        reorder(best, shakes, climb)

    assert walks.call_count == (n_walks if n_kept else 2)
    assert all(call.args[0].tolist() == [0] for call in grow.call_args_list)


def test_nothing_climbs_twice_from_the_same_arcs():
    state = climbed(2)
    elsewhere = np.zeros_like(state.arcs)
    elsewhere[0, 1] = True
    climb_from, walk = Mock(), Mock(arcs=elsewhere.copy)

    with patch("structlearn.search.orders.reordering._shaken", return_value=walk):
        assert reorder(state, 1, climb_from) is state

    assert climb_from.call_count == 1


def test_with_a_single_shake_only_climbs_score_families():
    state = climbed(4)
    pool = list(fresh_families(state.space))

    with patch("structlearn.search.orders.reordering.fresh_families", return_value=pool):
        reorder(state, 1, lambda _: None)

    # A jump asks for the families that it lands on less one parent each, and for nothing else.
    assert sum(len(families) for families, _ in state.space.scores.take_fresh()) <= 6 * 6


def test_a_pool_takes_each_family_once():
    space = space_of(random_table(0, n_columns=4))
    twice = ScoredFamilies(np.array([[0, 1], [0, 1], [0, 2]]), np.array([-5.0, -5.0, -4.0]))
    pool = FamilyPool(space, [ScoredFamilies(np.array([[0]]), np.array([-9.0]))])

    pool.take([twice])
    pool.take([twice])

    assert pool.n_known == 3
    assert pool.lists.scores.tolist() == [-4.0, -5.0, -9.0]


@pytest.mark.parametrize(("n_looks", "n_more"), [(1, 0), (2, 4), (3, 8), (99, 12)])
def test_a_pool_grows_while_there_is_time(n_looks, n_more):
    space = space_of(random_table(0, n_columns=4), "aic")
    pairs = np.argwhere(~np.eye(4, dtype=bool))
    pool = FamilyPool(space, [ScoredFamilies(np.arange(4)[:, None], np.full(4, -9.0))])
    pool.take([ScoredFamilies(pairs, np.full(12, -5.0))])

    looks = [False] * (n_looks - 1) + [True] * 99
    with (
        patch.object(type(space.run), "must_stop", side_effect=looks),
        patch("structlearn.search.orders.family_pool.MOST_VISITS", 0),
    ):
        pool.grow(np.flatnonzero((pool.lists.members >= 0).sum(axis=1) == 1))

    assert pool.n_known == 16 + n_more


def test_where_a_climb_ends_in_a_trap_shaking_leads_out():
    data = sl.example("asia").sample(10_000, random_state=0)
    names = {name: f"v{place}" for place, name in enumerate(sorted(data.names, reverse=True))}
    renamed = sl.Dataset({names[name]: data.columns[j].codes for j, name in enumerate(data.names)})
    best = sl.ExactSearch().fit(renamed).score_

    ends = [sl.HillClimbing(score="bic", shakes=shakes).fit(renamed).score_ for shakes in (0, 100)]

    assert ends[1] == pytest.approx(best)
    assert ends[0] <= ends[1] + 1e-9
