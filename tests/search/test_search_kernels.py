"""Kernels of searches agree with enumeration: parent sets, reinsertion of a node, proposals."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.learners.score.kernels.annealing import next_change, next_change_of_lists
from structlearn.search.kernels.moves import ADD, NONE, REMOVE, REVERSE
from structlearn.search.kernels.parent_sets import keep_undominated, subsets
from structlearn.search.kernels.reinsertion import ancestors_without, best_parents, is_above_any
from tests.oracles import graphs as oracle


def matrix_of(arrows, n_nodes):
    arcs = np.zeros((n_nodes, n_nodes), dtype=np.bool_)
    for u, v in arrows:
        arcs[v, u] = True
    return arcs


def above_of(arrows, n_nodes):
    above = np.zeros((n_nodes, n_nodes), dtype=np.bool_)
    for u in range(n_nodes):
        above[sorted(oracle.descendants(arrows, u)), u] = True
    return above


def words_of(above):
    """As bits, 64 nodes to a word."""
    return (above.astype(np.uint64) << np.arange(above.shape[1], dtype=np.uint64)).sum(
        axis=1, dtype=np.uint64
    )[:, None]


@st.composite
def dags(draw, n_nodes=5):
    order = draw(st.permutations(range(n_nodes)))
    pairs = draw(st.sets(st.sampled_from(list(itertools.combinations(range(n_nodes), 2)))))
    return {(order[i], order[j]) for i, j in pairs}


@pytest.mark.parametrize(("n", "size"), [(5, 1), (5, 2), (6, 3), (4, 4)])
def test_sets_come_in_colexicographic_order(n, size):
    members = np.empty((math.comb(n, size), size), dtype=np.int64)

    subsets(members)

    wanted = sorted(itertools.combinations(range(n), size), key=lambda s: s[::-1])
    assert [tuple(row) for row in members.tolist()] == wanted
    ranks = [sum(math.comb(m, i + 1) for i, m in enumerate(row)) for row in members.tolist()]
    assert ranks == list(range(len(members)))


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_a_set_is_kept_where_it_scores_more_than_all_its_subsets(seed):
    n, rng = 5, np.random.default_rng(seed)
    score = {s: float(rng.normal()) for size in range(n + 1) for s in itertools.combinations(range(n), size)}
    binomials = np.array([[math.comb(m, i) for i in range(n + 2)] for m in range(n + 1)])
    best_smaller = np.array([score[()]])

    for size in range(1, n + 1):
        members = np.empty((math.comb(n, size), size), dtype=np.int64)
        subsets(members)
        sets = [tuple(row) for row in members.tolist()]
        best, is_kept = np.empty(len(sets)), np.empty(len(sets), dtype=np.bool_)
        keep_undominated(members, np.array([score[s] for s in sets]), best_smaller, binomials, best, is_kept)

        for s, found, kept in zip(sets, best, is_kept, strict=True):
            below = max(score[t] for k in range(size) for t in itertools.combinations(s, k))
            assert kept == (score[s] > below)
            assert found == max(below, score[s])
        best_smaller = best


@settings(deadline=None)
@given(dags(), st.integers(0, 4))
def test_ancestors_without_a_node_are_those_of_the_other_arcs(arrows, node):
    found = ancestors_without(matrix_of(arrows, 5), words_of(above_of(arrows, 5)), node)

    left = {arrow for arrow in arrows if node not in arrow}
    assert (found == words_of(above_of(left, 5))).all()


@settings(deadline=None, max_examples=60)
@given(dags(), st.integers(0, 10_000), st.sets(st.integers(1, 4), max_size=1))
def test_a_node_goes_back_with_the_best_parents_and_children_together(arrows, seed, required):
    """By trying every set of parents and every set of children of node 0."""
    rng = np.random.default_rng(seed)
    others = {arrow for arrow in arrows if 0 not in arrow}
    sets = [s for size in range(3) for s in itertools.combinations(range(1, 5), size)]
    scores, gains = rng.normal(size=len(sets)), rng.normal(size=5)
    gains[0] = 0.0
    order = np.argsort(-scores)
    members = np.full((len(sets), 2), -1, dtype=np.int64)
    for row, i in enumerate(order):
        members[row, : len(sets[i])] = sets[i]
    is_required = np.isin(np.arange(5), sorted(required))
    ancestors = words_of(above_of(others, 5))

    row, value = best_parents(
        members, scores[order], np.arange(len(sets)), ancestors, gains, is_required, -np.inf
    )

    totals = {}
    for i, parents in enumerate(sets):
        for size in range(5):
            for children in itertools.combinations(range(1, 5), size):
                arcs = others | {(p, 0) for p in parents} | {(0, c) for c in children}
                if required <= set(children) and not set(children) & set(parents) and oracle.is_acyclic(arcs):
                    total = scores[i] + sum(gains[c] for c in children)
                    totals[i] = max(total, totals.get(i, -math.inf))
    best = max(totals, key=totals.get)
    assert value == pytest.approx(totals[best])
    assert tuple(m for m in members[row].tolist() if m >= 0) == sets[best]


def test_without_a_better_set_the_row_says_so():
    members, scores = np.array([[-1], [1]]), np.array([0.0, -1.0])

    nothing = np.zeros((2, 1), dtype=np.uint64)
    row, value = best_parents(members, scores, np.arange(2), nothing, np.zeros(2), np.zeros(2, np.bool_), 5.0)

    assert (row, value) == (-1, 5.0)


def test_being_above_counts_the_members_before_the_first_gap():
    ancestors = np.array([[0], [0], [0b010]], dtype=np.uint64)

    assert is_above_any(ancestors, np.array([2, -1]), 1)
    assert not is_above_any(ancestors, np.array([-1, 2]), 1)
    assert is_above_any(ancestors, np.array([0, 1]), 1)
    assert not is_above_any(ancestors, np.array([0, -1]), 1)


def proposal(arrows, draw, *, gains=None, frozen=(), closed=(), max_parents=9, temperature=1.0):
    return next_change(
        np.zeros((3, 3)) if gains is None else gains,
        matrix_of(arrows, 3),
        words_of(above_of(arrows, 3)),
        matrix_of(frozen, 3),
        matrix_of(closed, 3),
        np.full(3, max_parents),
        temperature,
        np.array([draw]),
    )


def drawing(u, v, accept=0.0, n_nodes=3):
    """Numbers that draw the ordered pair (u, v)."""
    return ((u + 0.5) / n_nodes, (v - (v > u) + 0.5) / (n_nodes - 1), accept)


def test_a_pair_goes_to_one_of_its_other_states():
    assert proposal(set(), drawing(0, 1))[1:4] == (ADD, 0, 1)
    assert proposal({(0, 1)}, drawing(0, 1))[1:4] == (REMOVE, 0, 1)
    assert proposal({(0, 1)}, drawing(1, 0))[1:4] == (REVERSE, 0, 1)


def test_what_would_close_a_cycle_or_is_ruled_out_is_not_proposed():
    chain = {(0, 1), (1, 2)}

    assert proposal(chain, drawing(2, 0))[1] == NONE
    assert proposal({*chain, (0, 2)}, drawing(2, 0))[1] == NONE  # 0 → 1 → 2 stays beside 2 → 0
    assert proposal(set(), drawing(0, 1), closed={(0, 1)})[1] == NONE
    assert proposal({(0, 1)}, drawing(0, 1), frozen={(0, 1)})[1] == NONE
    assert proposal({(0, 1)}, drawing(1, 0), frozen={(0, 1)})[1] == NONE
    assert proposal({(0, 1)}, drawing(2, 1), max_parents=1)[1] == NONE


@pytest.mark.parametrize(("temperature", "gain"), [(1.0, -0.5), (2.0, -3.0), (0.1, -0.05)])
def test_a_loss_is_accepted_with_the_probability_of_metropolis(temperature, gain):
    gains = np.zeros((3, 3))
    gains[1, 0] = gain
    chance = math.exp(gain / temperature)

    def kind_if(draw):
        return proposal(set(), drawing(0, 1, draw), gains=gains, temperature=temperature)[1]

    assert kind_if(chance - 1e-6) == ADD
    assert kind_if(chance + 1e-6) == NONE


@pytest.mark.parametrize("seed", range(20))
def test_changes_are_proposed_by_lists_as_by_loops(seed):
    rng = np.random.default_rng(seed)
    arrows = {(int(u), int(v)) for u, v in np.argwhere(np.triu(rng.random((6, 6)) < 0.4, k=1))}
    closed = {(int(u), int(v)) for u, v in np.argwhere(rng.random((6, 6)) < 0.2)}
    graph = matrix_of(arrows, 6), words_of(above_of(arrows, 6)), matrix_of(set(list(arrows)[:2]), 6)
    gains, draws = rng.normal(size=(6, 6)) - seed / 5, rng.random((80, 3))
    arguments = gains, *graph, matrix_of(closed, 6), rng.integers(1, 4, 6), 0.5, draws

    found = next_change_of_lists(*arguments)

    assert found == tuple(getattr(next_change, "py_func", next_change)(*arguments))


def test_draws_are_used_up_to_the_first_change():
    draws = np.array([drawing(2, 0), drawing(0, 1)])
    chain = {(0, 1), (1, 2)}

    n_used, kind, u, v, gain = next_change(
        np.zeros((3, 3)),
        matrix_of(chain, 3),
        words_of(above_of(chain, 3)),
        matrix_of((), 3),
        matrix_of((), 3),
        np.full(3, 9),
        1.0,
        draws,
    )

    assert (n_used, kind, u, v, gain) == (2, REMOVE, 0, 1, 0.0)
