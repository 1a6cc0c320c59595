"""Trees grow as their definition says, and as the worked example of two parents shows."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import OptionError
from structlearn.scores import BDJ, BIC, K2, MDL, BDeu, BGe, LogLikelihood
from structlearn.scores.tree_growth import (
    Items,
    continuous_items,
    discrete_items,
    grow_tree,
    growth_rule,
    normal_rule,
)
from structlearn.statistics import Rows
from tests.oracles import tree_growth as oracle

# A binary child of two binary parents, 96 rows; docs/references/models.md#trees has its scores, worked out
# apart from this library.
WORKED = {(0, 0): (18, 6), (0, 1): (17, 7), (1, 0): (5, 19), (1, 1): (22, 2)}
WORKED_ROWS = np.array([(*ab, y) for ab, counts in WORKED.items() for y in (0, 1) for _ in range(counts[y])])
WORKED_LEVELS = (2, 2)
B_THEN_A = (1, 0, [(0, 0, [{0: 18, 1: 6}, {0: 5, 1: 19}]), {0: 39, 1: 9}])
A_THEN_B = (0, 0, [{0: 35, 1: 13}, (1, 0, [{0: 5, 1: 19}, {0: 22, 1: 2}])])
EVERYWHERE = (1, 0, [(0, 0, [{0: 18, 1: 6}, {0: 5, 1: 19}]), (0, 0, [{0: 17, 1: 7}, {0: 22, 1: 2}])])


def items_of(rows, n_states=None):
    values = np.asarray(rows, dtype=np.float64)
    return discrete_items(Rows(values, None), n_states or int(values[:, -1].max()) + 1)


def grown(rows, levels, score, *, n_states=None, **how):
    return grow_tree(items_of(rows, n_states), np.array(levels), growth_rule(score, len(rows), **how))


def nested(tree, vertex=0):
    """The tree as the oracle writes it."""
    if tree.parents[vertex] < 0:
        return {state: int(n) for state, n in enumerate(tree.tallies[vertex]) if n}
    parent, first = int(tree.parents[vertex]), int(tree.first[vertex])
    later = [f for f in tree.first.tolist() if f > first] or [len(tree.parents)]
    branches = [nested(tree, branch) for branch in range(first, min(later))]
    return parent, float(tree.at[vertex]), branches


@pytest.mark.parametrize(
    ("score", "kappa", "lookahead", "expected", "tree"),
    [
        (MDL(), 1.0, False, -86.485144 * math.log(2), B_THEN_A),
        (MDL(), 1.0, True, -83.975463 * math.log(2), A_THEN_B),
        (BDeu(), 1.0, False, -57.016378, B_THEN_A),
        (BDeu(), 1.0, True, -54.996977, A_THEN_B),
        (K2(), 1.0, False, -53.717785, EVERYWHERE),
        (K2(), 1.0, True, -52.592910, A_THEN_B),
        (K2(), 0.01, False, -69.112279, {0: 62, 1: 34}),
        (K2(), 0.01, True, -66.408421, A_THEN_B),
    ],
)
def test_the_worked_example_comes_out(score, kappa, lookahead, expected, tree):
    found = grown(WORKED_ROWS, WORKED_LEVELS, score, kappa=kappa, lookahead=lookahead)

    assert found.score == pytest.approx(expected, abs=1e-5)
    assert nested(found) == tree


@pytest.mark.parametrize(
    ("score", "depth", "parents", "expected"),
    [
        (MDL(), 0, [0, 1], -94.314973 * math.log(2)),
        (BDeu(), 0, [0, 1], -64.909568),
        (K2(), 0, [0, 1], -64.507109),
        (BDeu(), 1, [0, 1], -61.617068),
        (K2(), 1, [0, 1], -60.087619),
        (MDL(), 1, [0, 1], -91.943021 * math.log(2)),
    ],
)
def test_trees_of_limited_depth_have_the_scores_of_the_worked_example(score, depth, parents, expected):
    rows = WORKED_ROWS[:, [*parents, 2]]

    assert grown(rows, WORKED_LEVELS, score, max_depth=depth, lookahead=False).score == pytest.approx(
        expected, abs=1e-5
    )


def test_a_complete_tree_has_the_likelihood_of_the_table():
    found = grown(WORKED_ROWS, WORKED_LEVELS, LogLikelihood())

    of_table = sum(oracle.likelihood({0: a, 1: b}) for a, b in WORKED.values())
    assert found.score == pytest.approx(of_table)
    assert (found.parents == -1).sum() == 4


@st.composite
def discrete_rows(draw):
    levels = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    n_states = draw(st.integers(2, 3))
    row = st.tuples(*(st.integers(0, n - 1) for n in levels), st.integers(0, n_states - 1))
    rows = draw(st.lists(row, min_size=2, max_size=40))
    seen = [sorted(set(codes)) for codes in zip(*rows, strict=True)][:-1]
    ranked = [(*(states.index(c) for states, c in zip(seen, row[:-1], strict=True)), row[-1]) for row in rows]
    return ranked, tuple(map(len, seen)), n_states


MEASURES = st.sampled_from(["bic", "mdl", "bdeu", "k2", "kappa"])


def both_rules(measure, n, n_states, levels, **how):
    """The same way to grow for the library and for the oracle."""
    ours, worth = {
        "bic": (growth_rule(BIC(), n, **how), oracle.bic(n, n_states)),
        "mdl": (growth_rule(MDL(), n, **how), oracle.mdl(n, n_states)),
        "bdeu": (growth_rule(BDeu(2.5), n, **how), oracle.bdeu(2.5, n_states)),
        "k2": (growth_rule(K2(), n, **how), oracle.uniform(n_states)),
        "kappa": (growth_rule(K2(), n, kappa=0.1, **how), oracle.uniform(n_states, 0.1)),
    }[measure]
    by_value = how.get("splits") == "one-value"
    theirs = oracle.Rule(worth, levels, measure == "mdl", by_value, how["lookahead"])
    return ours, theirs


@settings(deadline=None, max_examples=60)
@given(table=discrete_rows(), lookahead=st.booleans(), unseen=st.integers(0, 2))
def test_states_without_rows_change_nothing_but_have_a_leaf_of_what_comes_to_the_test(
    table, lookahead, unseen
):
    rows, levels, n_states = table
    rule = growth_rule(BIC(), len(rows), lookahead=lookahead)
    later = [(*(code + (code >= unseen) for code in row[:-1]), row[-1]) for row in rows]

    found = grow_tree(items_of(later, n_states), np.array(levels) + 1, rule)
    without = grow_tree(items_of(rows, n_states), np.array(levels), rule)

    assert found.score == without.score
    assert without_unseen(nested(found), unseen, levels) == nested(without)


def without_unseen(tree, unseen, levels):
    """The tree without the branches of that state, which hold the rows of their test."""
    if isinstance(tree, dict):
        return tree
    parent, at, branches = tree
    kept = list(branches)
    leaf = kept.pop(min(unseen, levels[parent]))
    rows = Counter()
    for branch in kept:
        rows.update(rows_below(without_unseen(branch, unseen, levels)))
    assert leaf == rows
    return parent, at, [without_unseen(branch, unseen, levels) for branch in kept]


def rows_below(tree):
    """The rows of all leaves, by state."""
    return Counter(tree) if isinstance(tree, dict) else sum(map(rows_below, tree[2]), Counter())


@settings(deadline=None, max_examples=60)
@given(table=discrete_rows(), measure=MEASURES, lookahead=st.booleans(), by_value=st.booleans())
def test_a_tree_is_the_one_that_grows_by_definition(table, measure, lookahead, by_value):
    rows, levels, n_states = table
    splits = "one-value" if by_value else "each-value"
    ours, theirs = both_rules(measure, len(rows), n_states, levels, lookahead=lookahead, splits=splits)

    found = grow_tree(items_of(rows, n_states), np.array(levels), ours)
    tree, score = oracle.grow(oracle.root(rows, theirs), theirs)

    assert found.score == pytest.approx(score, abs=1e-7)
    assert nested(found) == tree


@settings(deadline=None, max_examples=40)
@given(
    values=st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 1), st.integers(0, 1)), min_size=2, max_size=25
    ),
    measure=MEASURES,
)
def test_thresholds_are_the_best_midpoints(values, measure):
    levels = (0, 2)
    ours, theirs = both_rules(measure, len(values), 2, levels, lookahead=False)

    found = grow_tree(items_of(values, 2), np.array(levels), ours)
    tree, score = oracle.grow(oracle.root(values, theirs), theirs)

    assert found.score == pytest.approx(score, abs=1e-7)
    assert nested(found) == tree


@settings(deadline=None, max_examples=60)
@given(table=discrete_rows(), measure=MEASURES, lookahead=st.booleans())
def test_a_score_lies_between_that_of_one_leaf_and_that_of_the_best_tree(table, measure, lookahead):
    rows, levels, n_states = table
    ours, theirs = both_rules(measure, len(rows), n_states, levels, lookahead=lookahead)

    score = grow_tree(items_of(rows, n_states), np.array(levels), ours).score

    one_leaf = oracle.root(rows, theirs)
    assert score >= oracle.leaf_worth(one_leaf, theirs) - 1e-9
    assert score <= oracle.best_score(one_leaf, theirs) + 1e-7


@settings(deadline=None, max_examples=60)
@given(table=discrete_rows(), measure=MEASURES)
def test_looking_ahead_finds_the_best_tree_of_two_parents(table, measure):
    rows, levels, n_states = table
    pairs = [(*row[:2], row[-1]) for row in rows] if len(levels) > 1 else rows
    levels = levels[:2]
    ours, theirs = both_rules(measure, len(rows), n_states, levels, lookahead=True)

    score = grow_tree(items_of(pairs, n_states), np.array(levels), ours).score

    assert score == pytest.approx(oracle.best_score(oracle.root(pairs, theirs), theirs), abs=1e-7)


@settings(deadline=None, max_examples=40)
@given(table=discrete_rows(), measure=MEASURES, lookahead=st.booleans())
def test_no_vertex_is_worth_pruning(table, measure, lookahead):
    rows, levels, n_states = table
    ours, theirs = both_rules(measure, len(rows), n_states, levels, lookahead=lookahead)

    def check(leaf, tree):
        if isinstance(tree, dict):
            return oracle.leaf_worth(leaf, theirs)
        parent, at, branches = tree
        below = next(b for p, a, b in oracle.splits(leaf, theirs) if (p, a) == (parent, at))
        score = sum(map(check, below, branches)) - oracle.code(leaf, parent, theirs)
        assert score > oracle.leaf_worth(leaf, theirs)
        return score

    check(oracle.root(rows, theirs), nested(grow_tree(items_of(rows, n_states), np.array(levels), ours)))


def test_ties_go_to_the_first_parent_then_to_the_lowest_value():
    twins = [(a, a, a // 2) for a in (0, 1, 2, 3) for _ in range(20)]

    each = grown(twins, (4, 4), BIC())
    apart = grown([(a, a, a == 3) for a, _, _ in twins], (4, 4), BIC(), splits="one-value")
    mirrored = grown([(a, a, a in {0, 3}) for a, _, _ in twins], (4, 4), BIC(), splits="one-value")

    assert each.parents[0] == 0
    assert (apart.parents[0], apart.at[0]) == (0, 3.0)
    assert (mirrored.parents[0], mirrored.at[0]) == (0, 0.0)


def test_a_leaf_has_no_fewer_rows_than_asked_for():
    rows = [(0, 0)] * 30 + [(1, 1)] * 4

    assert len(grown(rows, (2,), BIC(), min_rows=5).parents) == 1
    assert len(grown(rows, (2,), BIC(), min_rows=4).parents) == 3


def test_rows_of_equal_parents_are_one_item_and_weights_count():
    values = np.array([(0.0, 0), (0, 0), (1, 1), (1, 0)])

    points, tallies = discrete_items(Rows(values, np.array([2.0, 0.5, 1, 0])), 2)

    assert points.tolist() == [[0, 1]]
    assert tallies.tolist() == [[2.5, 0], [0, 1]]


@settings(deadline=None, max_examples=30)
@given(
    rows=st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 2), st.floats(-5, 5).map(lambda y: round(y, 2))),
        min_size=4,
        max_size=25,
    )
)
def test_normal_leaves_split_where_it_helps_most(rows):
    values = np.array(rows)
    variance = values[:, -1].var()
    if variance < 1e-6:
        return
    levels, n = (0, 3), len(rows)
    options = {"splits": "one-value", "lookahead": False, "min_rows": 2.0, "max_depth": 1}

    found = grow_tree(
        continuous_items(Rows(values, None), float(values[:, -1].mean())),
        np.array(levels),
        normal_rule(n, 1e-10 * variance, **options),
    )

    assert found.score == pytest.approx(best_stump(values, 1e-10 * variance), abs=1e-6)


def best_stump(values, least):
    """The best BIC of one normal distribution, or of two with one test between them."""
    n, y = len(values), values[:, -1]

    def worth(part):
        variance = part.var()
        return (
            -math.inf
            if variance <= least
            else -0.5 * len(part) * (math.log(2 * math.pi * variance) + 1) - math.log(n)
        )

    found = [worth(y)]
    steps = np.unique(values[:, 0])
    for low, high in itertools.pairwise(steps):
        below = values[:, 0] <= (low + high) / 2
        if min(below.sum(), (~below).sum()) >= 2:
            found.append(worth(y[below]) + worth(y[~below]) - math.log(len(steps) - 1))
    for state in range(3):
        inside = values[:, 1] == state
        if min(inside.sum(), (~inside).sum()) >= 2:
            found.append(worth(y[inside]) + worth(y[~inside]))
    return max(found)


def test_a_look_ahead_finds_a_threshold_that_works_only_with_another_parent():
    rng = np.random.default_rng(9)
    u, b = rng.uniform(0, 1, 400), rng.integers(0, 2, 400)
    y = (u > np.median(u)) ^ b ^ (rng.random(400) < 0.05)
    rows = np.column_stack([u, b, y])

    ahead = grown(rows, (0, 2), BIC())

    assert len(grown(rows, (0, 2), BIC(), lookahead=False).parents) == 1
    assert (ahead.parents == -1).sum() == 4
    assert ahead.at[ahead.parents == 0] == pytest.approx(np.median(u), abs=0.03)


def test_a_threshold_parts_two_neighbouring_numbers():
    near = np.nextafter(1.0, 2.0)
    items = Items(np.array([[1.0] * 20 + [near] * 20]), np.repeat(np.eye(2), 20, axis=0))

    tree = grow_tree(items, np.array([0]), growth_rule(BIC(), 40))

    assert tree.at[0] == 1.0
    assert tree.tallies[1:].tolist() == [[20, 0], [0, 20]]


def test_a_score_that_does_not_add_up_over_leaves_is_refused():
    assert growth_rule(BDJ(), 10).prior == 0.5
    with pytest.raises(OptionError, match="use one of 'bic'"):
        growth_rule(BGe(), 10)
