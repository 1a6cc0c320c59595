"""A parent that brings something only beside two others is found where another column hides these."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.growing import first_families, shaken_orders
from structlearn.learners.order.growing.first_families import FirstFamilies
from structlearn.learners.order.growing.joint_families import JointFamilies
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.search.orders.family_pool import FamilyPool
from structlearn.search.starts import state_with
from tests.search.spaces import space_of

# The columns by name: two alleles, what they make together, what a child has of one of them, and which.
LEFT, RIGHT, BOTH, CHILD, WHICH = range(5)


def pedigree(n_rows=1500):
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 3, (2, n_rows))
    which = rng.integers(0, 2, n_rows)
    child = np.where(rng.random(n_rows) < 0.4, rng.integers(0, 3, n_rows), np.where(which, left, right))
    both = np.minimum(left, right) * 3 + np.maximum(left, right)
    columns = {"a": left, "b": right, "c": both, "d": child, "e": which}
    return sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete"))


def trapped(**limits):
    """The DAG in which the child depends on what both alleles make, and a pool without more parents."""
    space = space_of(pedigree(), **limits)
    state = state_with(space, [[], [], [LEFT, RIGHT], [BOTH], []])
    return space, state, FamilyPool(space, FirstFamilies(space))


def listed(families):
    return {
        tuple(row): score
        for found in families
        for row, score in zip(found.families.tolist(), found.scores.tolist(), strict=True)
    }


def test_a_parent_is_replaced_by_its_own_parents_and_a_third():
    space, state, pool = trapped()

    found = listed(JointFamilies(space).around(state, pool))

    assert found[CHILD, LEFT, RIGHT, WHICH] == pytest.approx(space.scores.local(CHILD, [LEFT, RIGHT, WHICH]))
    for (child, *parents), score in found.items():
        assert score == pytest.approx(space.scores.local(child, parents))


def test_no_set_is_tried_twice():
    space, state, pool = trapped()
    families = JointFamilies(space)

    assert families.around(state, pool)
    assert families.around(state, pool) == []


def test_limits_are_kept():
    knowledge = sl.Knowledge(forbidden=[("e", "d")])

    of_two = listed(JointFamilies(trapped(max_parents=2)[0]).around(*trapped(max_parents=2)[1:]))
    informed = listed(
        JointFamilies(trapped(knowledge=knowledge)[0]).around(*trapped(knowledge=knowledge)[1:])
    )

    assert max(map(len, of_two)) == 3
    assert not any(child == CHILD and WHICH in parents for child, *parents in informed)


def test_wide_tables_end_as_high_as_the_generating_dag_where_parents_act_in_threes(monkeypatch):
    monkeypatch.setattr("structlearn.learners.order.growing.greedy_start.MOST_NODES", 0)
    monkeypatch.setattr(first_families, "MOST_PAIRS", 0)  # as with many columns: the two best parents of each
    with monkeypatch.context() as patched:
        patched.setattr(shaken_orders, "MOST_TRIED", 0)
        space, state, _ = trapped()
        without = ShakenOrders(space).improve(state, patience=5, perturb=2)
    space, state, _ = trapped()
    found = ShakenOrders(space).improve(state, patience=5, perturb=2)

    true = state_with(space, [[], [], [LEFT, RIGHT], [LEFT, RIGHT, WHICH], []])
    assert without.score < true.score - 100
    assert found.score >= true.score - 1e-9
