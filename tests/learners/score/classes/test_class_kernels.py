"""Kernels of equivalence classes, on every class of DAGs over four nodes, against their definitions."""

import itertools

import numpy as np
import pytest

from structlearn.learners.score.kernels import class_lists, class_members, class_moves, class_structure
from structlearn.learners.score.kernels.class_structure import CHILD, LINE, PARENT
from tests.oracles import graphs as oracle

N_NODES = 4
CLASSES = [members for members in oracle.equivalence_classes(N_NODES) if members[0]]


def rows_of(dag):
    """(starts, others, is_above): the sorted nodes adjacent to each, and which of them are parents."""
    beside = [
        [other for other in range(N_NODES) if {(node, other), (other, node)} & dag] for node in range(N_NODES)
    ]
    starts = np.cumsum([0, *map(len, beside)])
    is_above = [(other, node) in dag for node in range(N_NODES) for other in beside[node]]
    return starts, np.array([*itertools.chain(*beside)], dtype=np.int64), np.array(is_above)


def marks_of(arrows, starts, others):
    """What each adjacent node is to the node of its row."""
    nodes = np.repeat(np.arange(N_NODES), np.diff(starts)).tolist()
    pairs = zip(nodes, others.tolist(), strict=True)
    return np.array([CHILD if (a, b) in arrows else PARENT if (b, a) in arrows else LINE for a, b in pairs])


def arrows_of(starts, others, is_above):
    nodes = np.repeat(np.arange(N_NODES), np.diff(starts)).tolist()
    return {(b, a) for a, b, above in zip(nodes, others.tolist(), is_above, strict=True) if above}


def below(arrows, lines, node):
    """What arrows and lines lead to from a node."""
    both = arrows | {pair for line in lines for pair in itertools.permutations(line)}
    return {node} | oracle.descendants(both, node)


@pytest.mark.parametrize("members", CLASSES)
def test_labels_are_what_all_members_share(members):
    arrows, _ = oracle.common_pattern(members)
    for dag in members:
        starts, others, is_above = rows_of(dag)
        marks = np.zeros(others.size, dtype=np.int64)

        class_structure.label(starts, others, is_above, marks)

        assert marks.tolist() == marks_of(arrows, starts, others).tolist()
        order = class_structure.parents_first(starts, others, is_above).tolist()
        assert sorted(order) == list(range(N_NODES))
        assert all(order.index(parent) < order.index(child) for parent, child in dag)


@pytest.mark.parametrize("members", CLASSES)
def test_lines_are_directed_as_in_a_member_that_begins_as_told(members):
    starts, others, _ = rows_of(members[0])
    arrows, lines = oracle.common_pattern(members)
    marks = marks_of(arrows, starts, others)
    for first in {node for line in lines for node in line}:
        is_above = marks == PARENT
        part = below(frozenset(), lines, first)

        class_structure.direct_lines(starts, others, marks, np.array([first]), is_above)

        directed = arrows_of(starts, others, is_above)
        assert any({arrow for arrow in dag if set(arrow) <= part} <= directed for dag in members)
        assert not any(b == first for a, b in directed if frozenset((a, b)) in lines)


@pytest.mark.parametrize("members", CLASSES)
def test_places_in_rows_are_those_of_the_edges(members):
    starts, others, _ = rows_of(members[0])
    twins = class_structure.other_ends(starts, others)

    for node, other in itertools.permutations(range(N_NODES), 2):
        at = class_structure.find(starts, others, node, other)
        assert (at >= 0) == (frozenset((node, other)) in oracle.skeleton(members[0]))
        if at >= 0:
            assert starts[node] <= at < starts[node + 1]
            assert others[at] == other
            assert twins[at] == class_structure.find(starts, others, other, node)


@pytest.mark.parametrize("members", CLASSES)
def test_a_part_leads_to_what_is_below_its_nodes(members):
    starts, others, _ = rows_of(members[0])
    arrows, lines = oracle.common_pattern(members)

    part_of, reach = class_structure.reach_of_parts(starts, others, marks_of(arrows, starts, others))

    for node in range(N_NODES):
        found = {other for other in range(N_NODES) if class_moves.has_bit(reach[part_of[node]], other)}
        assert found == below(arrows, lines, node)
        joined = {other for other in range(N_NODES) if part_of[other] == part_of[node]}
        assert joined == below(frozenset(), lines, node)


@pytest.mark.parametrize("members", CLASSES)
def test_cliques_of_a_node_are_its_pairwise_adjacent_neighbors(members):
    starts, others, _ = rows_of(members[0])
    arrows, lines = oracle.common_pattern(members)
    marks, joined = marks_of(arrows, starts, others), oracle.skeleton(members[0])
    for node in range(N_NODES):
        near = [other for other in range(N_NODES) if frozenset((node, other)) in lines]
        subsets = [set(each) for size in range(4) for each in itertools.combinations(near, size)]
        wanted = [each for each in subsets if all(map(joined.__contains__, pairs_of(each)))]

        found = class_moves.cliques(starts, others, marks, node)

        rows = [[member for member in row if member >= 0] for row in found.tolist()]
        assert sorted(map(sorted, rows)) == sorted(map(sorted, wanted))
        assert [len(row) for row in rows] == sorted(len(row) for row in rows)
        assert [class_lists.count(row) for row in found] == [len(row) for row in rows]


def pairs_of(nodes):
    return [frozenset(pair) for pair in itertools.combinations(nodes, 2)]


@pytest.mark.parametrize("members", CLASSES[::5])
@pytest.mark.parametrize("other_members", CLASSES[::17])
def test_nodes_near_what_changed_are_named(members, other_members):
    old, new = rows_of(members[0]), rows_of(other_members[0])
    patterns = [oracle.common_pattern(each) for each in (members, other_members)]
    old_marks, new_marks = (marks_of(p[0], *r[:2]) for p, r in zip(patterns, (old, new), strict=True))

    found = class_structure.changes(*old[:2], old_marks, *new[:2], new_marks)

    def edges_at(node, arrows, lines):
        return {edge for edge in arrows | lines if node in edge}

    touched = {v for v in range(N_NODES) if edges_at(v, *patterns[0]) != edges_at(v, *patterns[1])}
    ends = {v for v in touched if np.diff(old[0])[v] != np.diff(new[0])[v]}
    for node in range(N_NODES):
        arrows, lines = patterns[1]
        near = {other for other in touched if (node, other) in arrows or frozenset((node, other)) in lines}
        lined = any(frozenset((node, other)) in patterns[1][1] for other in ends)
        expected = 3 if node in touched else 2 if lined else 1 if near else 0
        assert found[node] == expected


ALL_DAGS = [dag for members in CLASSES for dag in members]


@pytest.mark.parametrize("dag", ALL_DAGS[::9])
def test_an_arrow_more_and_an_edge_less_are_the_rows_of_the_other_dag(dag):
    for source, target in itertools.permutations(range(N_NODES), 2):
        if {(source, target), (target, source)} & dag:
            changed = dag - {(source, target), (target, source)}
            found = class_members.without_edge(*rows_of(dag), source, target)
        else:
            changed = dag | {(source, target)}
            found = class_members.with_arrow(*rows_of(dag), source, target)

        assert [each.tolist() for each in found] == [each.tolist() for each in rows_of(changed)]


@pytest.mark.parametrize("dag", ALL_DAGS[::9])
def test_families_are_told_apart(dag):
    def parents(arrows):
        return [{a for a, b in arrows if b == node} for node in range(N_NODES)]

    assert class_members.most_parents(*rows_of(dag)[::2]) == max(map(len, parents(dag)))
    for other in ALL_DAGS[::31]:
        found = class_members.other_families(*rows_of(dag), *rows_of(other))

        pairs = zip(parents(dag), parents(other), strict=True)
        assert found.tolist() == [node for node, (one, another) in enumerate(pairs) if one != another]


def test_bits_and_rows_of_members():
    words = np.zeros(2, dtype=np.uint64)
    for node in (0, 63, 64, 100):
        class_moves.set_bit(words, node)

    assert [node for node in range(128) if class_moves.has_bit(words, node)] == [0, 63, 64, 100]
    assert class_moves.has(np.array([2, 5, -1]), 5)
    assert not class_moves.has(np.array([2, 5, -1]), 3)
    assert class_moves.is_same(np.array([2, 5]), np.array([2, 5]))
    assert not class_moves.is_same(np.array([2, 5]), np.array([2, -1]))


def test_a_turned_arrow_closes_a_cycle_by_another_parent_of_its_source():
    # 0 → 1 is turned to 1 → 0; beside it 0 → 2 → 1 leads from its new target to its new source.
    dag = frozenset({(0, 1), (0, 2), (2, 1), (3, 1)})
    starts, others, _ = rows_of(dag)
    marks = marks_of(dag, starts, others)
    reached = np.zeros(1, dtype=np.uint64)
    class_moves.set_bit(reached, 0)

    assert not class_moves.closes_a_cycle(starts, others, marks, reached, 1, 0)
    class_moves.set_bit(reached, 2)
    assert class_moves.closes_a_cycle(starts, others, marks, reached, 1, 0)
