"""The second stage of FCI: the lists of possible separators beside all paths, limits, and what must stay."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.independence import Answers, SeparationOracle
from structlearn.independence.asking import Asker, SeparatedPairs
from structlearn.learners.constraint.marks.possible_separators import (
    Block,
    PossibleSeparators,
    prune_further,
)
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.learners.constraint.skeletons.tiers import Lists
from structlearn.run import Run

NOBODY = KnownPairs((), Knowledge())


def random_skeleton(n_nodes, seed):
    """Any edges, and any sets that separate the other pairs: what is made of them needs no sense."""
    rng = np.random.default_rng(seed)
    pairs = np.array(list(combinations(range(n_nodes), 2)))
    is_edge = rng.random(len(pairs)) < 0.45
    apart = pairs[~is_edge]
    given = np.where(rng.random((len(apart), n_nodes)) < 0.3, np.arange(n_nodes), -1)
    given[(given == apart[:, :1]) | (given == apart[:, 1:])] = -1
    level = SeparatedPairs(np.arange(len(apart)), given, np.ones(len(apart)), np.ones(len(apart)))
    trace = {"conditions": [], "tests": [], "removed": [], "edges": []}
    separators = Separators(n_nodes, [(apart, level)])
    return Skeleton(pairs[is_edge], np.zeros(is_edge.sum()), separators, trace)


def by_paths(skeleton, start):
    """The ends of paths on which every inner node is a collider or the middle of a triangle."""
    n_nodes = skeleton.separators.n_nodes
    adjacent = [set(skeleton.lines.neighbors(node).tolist()) for node in range(n_nodes)]

    def has_head(a, b):
        """Whether a *→ b by some unshielded collider."""
        for c in adjacent[b] - adjacent[a] - {a}:
            at = skeleton.separators.find(np.array([a]), np.array([c]))[0]
            if b not in skeleton.separators.given[at]:
                return True
        return False

    found, waiting = set(), [(start, node) for node in adjacent[start]]
    while waiting:
        path = waiting.pop()
        found.add(path[-1])
        before, here = path[-2:]
        waiting += [
            (*path, node)
            for node in adjacent[here] - set(path)
            if node in adjacent[before] or (has_head(before, here) and has_head(node, here))
        ]
    return found


def asker():
    return Asker(SeparationOracle(sl.Graph(["a"])), None, alpha=0.05)


def test_when_time_is_up_nothing_is_listed():
    skeleton = random_skeleton(7, 1)
    stopped = Asker(SeparationOracle(sl.Graph(["a"])), None, alpha=0.05, must_stop=lambda: True)

    assert PossibleSeparators.of(skeleton, asker(), 2).n_cut
    assert PossibleSeparators.of(skeleton, stopped, 2) == PossibleSeparators((), 0)


def lists_by_block(skeleton, most=None):
    """By block of the skeleton, the lists of its nodes; the blocks without any that has more are left out."""
    found = PossibleSeparators.of(skeleton, asker(), most)
    lists = [{v: b.neighbors(v).tolist() for v in range(7) if len(b.neighbors(v))} for b in found.blocks]
    return {frozenset(of): of for of in lists}, found.n_cut


@pytest.mark.parametrize("seed", range(12))
def test_the_lists_have_the_ends_of_all_paths_of_colliders_and_triangles_in_a_block(seed):
    skeleton = random_skeleton(7, seed)
    lists, n_cut = lists_by_block(skeleton)

    for block in map(frozenset, nx.biconnected_components(nx.Graph(skeleton.edges.tolist()))):
        around = {node: set(skeleton.lines.neighbors(node).tolist()) & block for node in block}
        for node in block:
            # Walks are followed where the definition has paths: the list may have a node more, never less.
            found = lists.get(block, around)[node]
            assert sorted(found) == list(found) or block not in lists
            assert set(found) >= by_paths(skeleton, node) & block
            assert set(found) <= block - {node}
    assert n_cut == 0


@pytest.mark.parametrize("seed", range(4))
def test_of_a_long_list_the_nearest_are_kept(seed):
    skeleton = random_skeleton(7, seed)
    (whole, _), (cut, n_cut) = lists_by_block(skeleton), lists_by_block(skeleton, 4)

    n_long = 0
    for block, lists in whole.items():
        for node, listed in lists.items():
            around = set(skeleton.lines.neighbors(node).tolist()) & block
            kept = set(cut[block][node]) if block in cut else set(listed)
            assert len(kept) == min(len(listed), 4)
            assert kept <= around or kept >= around
            n_long += len(listed) > 4
    assert n_cut == n_long > 0


class Telling:
    """Separates 0 and 1 by one set, and writes down what it was asked."""

    def __init__(self, given):
        self.given, self.asked = given, []

    def many(self, _, questions):
        self.asked += [tuple(question) for question in questions.tolist()]
        p = np.array([float(tuple(q) == (0, 1, *self.given)) for q in questions.tolist()])
        return Answers(p, p, p)


def a_pair_with_others_far_away(of_second=(0, 2, 3, 4, 5)):
    """0 — 1 with lists that have 2, 3 and 4, which are no neighbours, and 2 — 3."""
    edges = np.array([(0, 1), (2, 3)])
    trace = {"conditions": [0], "tests": [15], "removed": [13], "edges": [2]}
    skeleton = Skeleton(edges, np.zeros(2), Separators(6, []), trace)
    lists = Lists.of([[1, 2, 3, 4], of_second, [3], [2], [], []])
    has_more = np.array([True, len(of_second) > 1, False, False, False, False])
    return skeleton, PossibleSeparators((Block(lists.neighbor_rows, has_more),), 0)


def pruned(test, *, known=NOBODY, most=None, **lists):
    skeleton, conditions = a_pair_with_others_far_away(**lists)
    asking = Asker(test, None, alpha=0.05)
    run = Run("FCI", progress=False)
    return prune_further(asking, skeleton, conditions, known_pairs=known, max_conditioning=most, run=run)


def test_the_smallest_set_that_separates_removes_an_edge():
    test = Telling((2, 4))

    left = pruned(test)

    assert left.edges.tolist() == [[2, 3]]
    at = left.separators.find(np.array([1]), np.array([0]))[0]
    assert left.separators.given[at].tolist() == [2, 4]
    assert {name: list(column) for name, column in left.trace.items()} == {
        "conditions": [0, 2],
        "tests": [15, 3],
        "removed": [13, 1],
        "edges": [2, 1],
    }


def test_two_nodes_or_more_of_the_shorter_list_are_given():
    test = Telling(())

    pruned(test)

    assert test.asked == [(0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 1, 2, 3, 4)]


def test_a_pair_of_which_one_end_has_only_neighbours_on_its_list_is_not_asked_about():
    test = Telling(())

    pruned(test, of_second=(0,))

    assert test.asked == []


def test_conditions_can_be_limited_and_required_edges_stay():
    required = KnownPairs(tuple("abcdef"), Knowledge(required=[("b", "a")]))

    assert len(pruned(Telling((2, 3, 4)), most=2).edges) == 2
    assert len(pruned(Telling((2, 4)), known=required).edges) == 2
    assert len(pruned(Telling((2, 4)), most=2).edges) == 1
