"""The kernels of inference agree with their definitions on small graphs and tables."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.inference.kernels.buckets import DONE, INACCURATE, TOO_LARGE, ZERO, sum_product
from structlearn.inference.kernels.orders import (
    LEAST_FILL,
    LEAST_WEIGHT,
    best_order,
    greedy_order,
    interaction_bits,
)
from structlearn.inference.kernels.products import (
    joined_lengths,
    merged_axes,
    multiply_and_sum,
    steps_along,
)
from structlearn.inference.kernels.relevance import ancestral_nodes, connected_factors, required_nodes
from structlearn.inference.parts import Factors, compressed
from tests.strategies import dags

QUICK = settings(deadline=None, max_examples=60)


def rows_of(graph):
    parents = [[graph.nodes.index(p) for p in graph.parents(node)] for node in graph.nodes]
    children = [[graph.nodes.index(c) for c in graph.children(node)] for node in graph.nodes]
    return (*compressed(parents), *compressed(children))


def above(graph, nodes):
    found = set(nodes)
    while any(set(graph.parents(node)) - found for node in found):
        found |= {parent for node in found for parent in graph.parents(node)}
    return found


@QUICK
@given(graph=dags(2, 7), data=st.data())
def test_a_node_is_required_when_its_table_can_change_the_posterior(graph, data):
    """Its table has a hidden parent of its own: is that apart from the query given the evidence?"""
    query, *given_nodes = data.draw(st.lists(st.sampled_from(graph.nodes), min_size=1, unique=True))
    codes = np.array([0 if node in given_nodes else -1 for node in graph.nodes])
    nowhere = np.zeros(len(graph), dtype=bool)

    found = required_nodes(rows_of(graph), np.array([graph.nodes.index(query)]), codes, nowhere, nowhere)

    for node, is_required in zip(graph.nodes, found.tolist(), strict=True):
        hidden = type(graph)([*graph.nodes, "table"], directed=[*graph.directed, ("table", node)])
        assert is_required == (not hidden.d_separated(query, "table", given=given_nodes))


@QUICK
@given(graph=dags(2, 7), data=st.data())
def test_a_likelihood_is_an_observed_child_and_an_action_has_no_parents(graph, data):
    query, *others = data.draw(st.lists(st.sampled_from(graph.nodes), min_size=1, unique=True))
    kinds = {node: data.draw(st.sampled_from(["known", "soft", "cut"])) for node in others}
    codes = np.array([0 if kinds.get(node) in {"known", "cut"} else -1 for node in graph.nodes])
    marks = [np.array([kinds.get(node) == kind for node in graph.nodes]) for kind in ("soft", "cut")]

    found = required_nodes(rows_of(graph), np.array([graph.nodes.index(query)]), codes, *marks)

    arrows = [(a, b) for a, b in graph.directed if kinds.get(b) != "cut"]
    softs = [node for node in others if kinds[node] == "soft"]
    given_nodes = [node for node in others if kinds[node] != "soft"] + [f"seen {node}" for node in softs]
    for node, is_required in zip(graph.nodes, found.tolist(), strict=True):
        larger = type(graph)(
            [*graph.nodes, *(f"seen {s}" for s in softs), "table"],
            directed=[*arrows, *((s, f"seen {s}") for s in softs), ("table", node)],
        )
        if kinds.get(node) == "cut":
            assert not is_required
        else:
            assert is_required == (not larger.d_separated(query, "table", given=given_nodes))


@QUICK
@given(graph=dags(1, 7), data=st.data())
def test_ancestral_nodes_are_the_targets_and_all_above_them(graph, data):
    targets = data.draw(st.lists(st.sampled_from(graph.nodes), unique=True))
    cut = data.draw(st.lists(st.sampled_from(graph.nodes), unique=True))
    left = type(graph)(graph.nodes, directed=[(a, b) for a, b in graph.directed if b not in cut])

    kinds = [data.draw(st.sampled_from(["asked", "known", "soft"])) for _ in targets]
    codes, soft = np.full(len(graph), -1), np.zeros(len(graph), dtype=bool)
    for node, kind in zip(targets, kinds, strict=True):
        codes[graph.nodes.index(node)] = 0 if kind == "known" else -1
        soft[graph.nodes.index(node)] = kind == "soft"
    asked = [graph.nodes.index(node) for node, kind in zip(targets, kinds, strict=True) if kind == "asked"]

    found = ancestral_nodes(
        rows_of(graph),
        np.array(asked, dtype=np.int64),
        codes,
        soft,
        np.array([node in cut for node in graph.nodes]),
    )

    expected = above(left, targets) - set(cut)
    assert {node for node, is_in in zip(graph.nodes, found, strict=True) if is_in} == expected


def test_factors_beyond_the_evidence_are_not_connected():
    scopes = [(0, 1), (1, 2), (2, 3), (4,), (0,)]
    factors = Factors.of(scopes, [np.ones([2] * len(scope)) for scope in scopes])

    found = connected_factors(factors.arrays, np.array([0]), np.array([-1, -1, 1, -1, -1]))

    assert found.tolist() == [True, True, False, False, True]


def bits_of(edges, m):
    return interaction_bits(*compressed([[a, b] for a, b in edges]), m)


def width_by_definition(edges, order, kept):
    """The most neighbours that a node has when it goes, and the cells of all products, two states each."""
    neighbors = {v: {b for a, b in both_ways(edges) if a == v} for v in {*order, *kept}}
    width, total = 0, 0
    for v in order:
        around = neighbors.pop(v)
        width, total = max(width, len(around)), total + 2 ** (len(around) + 1)
        for u in around:
            neighbors[u] = (neighbors[u] | around) - {u, v}
    return width, total


def both_ways(edges):
    return [*edges, *((b, a) for a, b in edges)]


@QUICK
@given(m=st.integers(1, 9), data=st.data())
def test_an_order_has_the_width_and_cost_that_it_says(m, data):
    pairs = list(itertools.combinations(range(m), 2))
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=m, max_size=m)))
    for rule in (LEAST_FILL, LEAST_WEIGHT):
        order, largest, total, width = greedy_order(bits_of(edges, m), np.full(m, 2), kept, rule)

        assert sorted(order.tolist()) == np.flatnonzero(~kept).tolist()
        assert (width, total) == width_by_definition(edges, order.tolist(), np.flatnonzero(kept).tolist())
        assert largest == (2 ** (width + 1) if len(order) else 1)


def test_trees_have_width_one_cycles_two_and_cliques_all_others():
    tree = [(i, (i - 1) // 2) for i in range(1, 100)]
    cycle = [(i, (i + 1) % 100) for i in range(100)]
    clique = list(itertools.combinations(range(8), 2))
    for edges, m, width in [(tree, 100, 1), (cycle, 100, 2), (clique, 8, 7)]:
        found = best_order(bits_of(edges, m), np.full(m, 3), np.zeros(m, dtype=bool))

        assert found[3] == width


def test_a_grid_is_as_wide_as_its_shorter_side():
    edges = [(8 * i + j, 8 * i + j + 1) for i in range(5) for j in range(7)]
    edges += [(8 * i + j, 8 * i + j + 8) for i in range(4) for j in range(8)]

    found = best_order(bits_of(edges, 40), np.full(40, 2), np.zeros(40, dtype=bool))

    assert found[3] in {5, 6}


@st.composite
def two_tables(draw):
    sizes = np.array(draw(st.lists(st.integers(1, 3), min_size=5, max_size=5)))
    axes = st.lists(st.integers(0, 3), unique=True, max_size=4).map(sorted)
    first, second = draw(axes), draw(axes)
    rng = np.random.default_rng(draw(st.integers(0, 100)))
    return sizes, first, second, rng


@QUICK
@given(drawn=two_tables())
def test_products_and_sums_of_two_tables_are_einsums(drawn):
    sizes, first, second, rng = drawn
    union = np.empty(5, dtype=np.int64)
    for summed in (False, True):
        # The axis 4 is the one that is summed; it is the last of both.
        a_axes, b_axes = [*first, 4], [*second, 4]
        a, b = rng.random(sizes[a_axes]), rng.random(sizes[b_axes])
        n = merged_axes(np.array(a_axes), np.array(b_axes), union)
        merged = union[:n].tolist()
        assert merged == sorted({*a_axes, *b_axes})
        out_axes = merged[:-1] if summed else merged
        expected = np.einsum(a, a_axes, b, b_axes, out_axes)

        values = np.concatenate([a.ravel(), b.ravel(), np.full(expected.size, np.nan)])
        left = steps_along(np.array(a_axes), union[:n], sizes)
        right = steps_along(np.array(b_axes), union[:n], sizes)
        lengths = joined_lengths(union, len(out_axes), sizes, left, right)
        n_summed = sizes[4] if summed else 1
        largest = multiply_and_sum(values, 0, left, a.size, right, lengths, n_summed, a.size + b.size)

        np.testing.assert_allclose(values[a.size + b.size :], expected.ravel())
        assert largest == pytest.approx(expected.max())


def bucket_sum(scopes, tables, query=(), codes=None, most_cells=2**20):
    levels = np.full(1 + max((v for scope in scopes for v in scope), default=0), 2)
    factors = Factors.of(scopes, tables)
    codes = np.full(len(levels), -1) if codes is None else codes
    used = np.ones(len(scopes), dtype=bool)
    return sum_product(factors.arrays, levels, used, codes, np.array(query, dtype=np.int64), most_cells)


def test_a_sum_says_how_it_ended():
    ones, zeros = np.ones((2, 2)), np.zeros((2, 2))

    assert bucket_sum([(0, 1), (1, 2)], [ones, ones])[0] == DONE
    assert bucket_sum([(0, 1), (1, 2)], [ones, zeros])[0] == ZERO
    assert bucket_sum([(0, 1), (1, 2)], [ones, ones], most_cells=1)[0] == TOO_LARGE
    tiny = np.array([1e-200, 1.0])
    assert bucket_sum([(0,), (0,), (0,)], [tiny, tiny, tiny])[0] == INACCURATE


def test_nothing_at_all_sums_to_one():
    status, table, log_scale, _ = bucket_sum([], [])

    assert (status, table.tolist(), log_scale) == (DONE, [1.0], 0.0)


def test_a_large_table_is_divided_before_it_overflows():
    status, table, log_scale, _ = bucket_sum([(0,)] * 50, [np.array([1e200, 1e199])] * 50, query=[0])

    assert status == DONE
    assert math.log(table[0]) + log_scale == pytest.approx(50 * math.log(1e200))
    assert table[1] / table[0] == pytest.approx(1e-50)
