"""Junction trees equal enumeration, with and without evidence, and say when they are too wide."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.numerics import junction_tree
from structlearn.numerics.junction_tree import JunctionTree, TooWideError

LEVELS = np.array([2, 3, 2, 2, 3])
CYCLE = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]


def tree_of(levels, scopes, few_cells=1):
    """A tree even where one table of everything would be quicker."""
    before, junction_tree.FEW_CELLS = junction_tree.FEW_CELLS, few_cells
    try:
        return JunctionTree(levels, scopes)
    finally:
        junction_tree.FEW_CELLS = before


def filled(tree, factors):
    """The logarithms of all cells of the tree, with each factor in its home."""
    tables = np.zeros(tree.n_cells)
    for scope, table in factors.items():
        for states in np.ndindex(table.shape):
            tables[tree.cells(scope, states)] += table[states]
    return tables


def enumerated(factors, evidence):
    """The logarithm of the sum over all states that agree, and the margins, one state after the other."""
    margins, total = [np.zeros(n) for n in LEVELS], 0.0
    for states in itertools.product(*map(range, LEVELS)):
        if any(known not in (-1, state) for known, state in zip(evidence, states, strict=True)):
            continue
        weight = np.exp(sum(table[tuple(states[c] for c in scope)] for scope, table in factors.items()))
        total += weight
        for column, state in enumerate(states):
            margins[column][state] += weight
    return np.log(total), [margin / total for margin in margins]


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from([1, 2**10]))
def test_sums_and_margins_of_a_cycle_are_those_of_enumeration(seed, few_cells):
    rng = np.random.default_rng(seed)
    factors = {scope: rng.normal(size=[LEVELS[c] for c in scope]) for scope in CYCLE}
    evidence = np.array([[-1, -1, -1, -1, -1], [1, -1, -1, 0, -1]])
    tree = tree_of(LEVELS, CYCLE, few_cells)

    found = tree.calibrate(filled(tree, factors), evidence)
    margins = tree.margins(found)

    for row, known in enumerate(evidence):
        log_z, expected = enumerated(factors, known)
        assert found.log_z[row] == pytest.approx(log_z)
        for margin, wanted in zip(margins, expected, strict=True):
            assert margin[row] == pytest.approx(wanted)


def test_a_cycle_has_width_two_and_a_chain_one():
    assert tree_of(LEVELS, CYCLE).width == 2
    assert tree_of(LEVELS, CYCLE[:-1]).width == 1


def test_neighbors_in_the_tree_share_what_both_know():
    tree = tree_of(LEVELS, CYCLE)

    for child in range(1, len(tree.cliques)):
        shared = set(tree.cliques[child]) & set(tree.cliques[tree.parents[child]])
        assert set(tree.separator(child)) == shared


def test_a_complete_graph_of_many_columns_is_too_wide():
    with pytest.raises(TooWideError, match="tree-width of about 29"):
        JunctionTree(np.full(30, 2), [tuple(range(30))])


def test_columns_of_one_state_take_no_room_however_many_there_are():
    pair = np.random.default_rng(0).normal(size=(2, 3))
    tree = JunctionTree(np.array([2, 3] + [1] * 100), [(0, 1)])

    calibrated = tree.calibrate(filled(tree, {(0, 1): pair}))

    shares = np.exp(pair) / np.exp(pair).sum()
    assert calibrated.log_z == pytest.approx(np.log(np.exp(pair).sum()))
    first, second, *others = tree.margins(calibrated)
    assert first.ravel() == pytest.approx(shares.sum(axis=1))
    assert second.ravel() == pytest.approx(shares.sum(axis=0))
    assert np.ravel(others) == pytest.approx(np.ones(100))
