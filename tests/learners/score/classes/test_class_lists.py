"""The lists of a target's moves, on every class of DAGs over four nodes, against the sets of the papers."""

import itertools

import numpy as np
import pytest

from structlearn.graphs.links import Links
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.kernels import class_lists, class_moves
from tests.oracles import graphs as oracle
from tests.tiers import loops_of

pytestmark = pytest.mark.kernels
N_NODES = 4
CLASSES = [members[0] for members in oracle.equivalence_classes(N_NODES)]
LEAST = 0.3


class Listing:
    """What is told of a target in a class, with gains drawn at random."""

    def __init__(self, dag, target, seed=0):
        self.pattern = Pattern.of(Links(N_NODES, arrows=sorted(dag)))
        self.rng = np.random.default_rng(seed)
        self.target = target
        self.before = class_moves.cliques(*self.pattern.rows, target)
        self.toggled = self.rng.normal(size=(len(self.before), N_NODES))
        self.allowed = self.rng.random(N_NODES) < 0.7

    @property
    def at(self):
        return *self.pattern.rows, self.target

    @property
    def near(self):
        return self.toggled[:, self.pattern.adjacent(self.target)]

    def cliques(self):
        """Each clique as a set, with the gains beside it."""
        sets = [frozenset(row) - {-1} for row in self.before.tolist()]
        return list(zip(sets, self.toggled.tolist(), strict=True))

    def beside(self, node):
        return set(self.pattern.adjacent(node).tolist())

    def neighbors(self, node):
        return set(self.pattern.neighbors(node))


LISTINGS = [Listing(dag, target, seed) for seed, dag in enumerate(CLASSES) for target in range(N_NODES)]


def told(gains, sources, before):
    """The moves as sets of (source, those before the target, gain)."""
    rows = [frozenset(row) - {-1} for row in before.tolist()]
    found = list(zip(sources.tolist(), rows, gains.tolist(), strict=True))
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.parametrize("split", [loops_of(class_lists.split_gains), class_lists.split_gains_at_once])
def test_gains_are_split_by_whether_their_nodes_are_adjacent(split):
    n_listed = 0
    for it in LISTINGS:
        near, lost, gains, sources, which = split(*it.at, it.toggled, it.allowed, LEAST)

        adjacent = it.pattern.adjacent(it.target).tolist()
        assert near.tolist() == it.near.tolist()
        parents = it.pattern.parents(it.target)
        signs = [1.0 if node in parents else -1.0 for node in adjacent]
        assert lost.tolist() == [sign * gain for sign, gain in zip(signs, it.near[0].tolist(), strict=True)]
        others = set(range(N_NODES)) - {it.target, *adjacent}
        wanted = [
            (i, node, gain[node])
            for i, gain in enumerate(it.toggled.tolist())
            for node in sorted(others)
            if it.allowed[node] and gain[node] > LEAST
        ]
        assert list(zip(which.tolist(), sources.tolist(), gains.tolist(), strict=True)) == wanted
        n_listed += len(wanted)

    assert n_listed > 50


def test_insertions_have_all_neighbors_beside_the_source_before_the_target():
    n_open = n_all = 0
    for it in LISTINGS:
        which, sources = np.nonzero(
            ~np.isin(np.arange(N_NODES), [it.target, *it.beside(it.target)]) & (it.toggled > 0)
        )
        gains = it.toggled[which, sources]

        found = class_lists.insertions(*it.at, it.before, gains, sources, which)

        wanted = {
            (node, clique, gain[node])
            for clique, gain in it.cliques()
            for node in set(range(N_NODES)) - {it.target} - it.beside(it.target)
            if gain[node] > 0 and it.neighbors(it.target) & it.beside(node) <= clique
        }
        assert told(*found) == wanted
        n_open, n_all = n_open + len(wanted), n_all + len(gains)

    assert 50 < n_open < n_all


def test_deletions_have_cliques_with_the_source_before_the_target():
    n_found = 0
    for it in LISTINGS:
        found = class_lists.deletions(*it.at, it.before, it.near, ~it.allowed, LEAST)

        of = dict(it.cliques())
        wanted = {
            (source, clique, of[with_source][source])
            for source in {*it.pattern.parents(it.target), *it.neighbors(it.target)}
            for clique in of
            if source not in clique and clique <= it.beside(source) and it.allowed[source]
            for with_source in [clique | ({source} & it.neighbors(it.target))]
            if of[with_source][source] > LEAST
        }
        assert told(*found) == wanted
        n_found += len(wanted)

    assert n_found > 50


def test_turns_leave_the_class_and_those_of_which_the_source_loses_something_else_are_marked():
    n_found = n_half = 0
    for it in LISTINGS:
        losses = it.rng.normal(size=it.near.shape[1])
        loss_of = dict(zip(it.pattern.adjacent(it.target).tolist(), losses.tolist(), strict=True))

        *found, is_half = class_lists.turns(*it.at, it.before, it.near, losses, it.allowed, LEAST)

        halves = {(source, clique) for source, clique, _ in told(*(each[is_half] for each in found))}
        wanted = set()
        for clique, gain in it.cliques():
            for source in np.flatnonzero(it.allowed).tolist():
                if not may_turn(it, source, clique):
                    continue
                is_one = source in it.neighbors(it.target) and bool(clique & it.beside(source))
                worth = gain[source] if is_one else gain[source] + loss_of[source]
                assert ((source, clique) in halves) == is_one
                if is_one or worth > LEAST:
                    wanted.add((source, clique, worth))
        assert told(*found) == wanted
        n_found, n_half = n_found + len(wanted), n_half + is_half.sum()

    assert n_found > 50
    assert n_half > 0


def may_turn(it, source, clique):
    """Whether target → source, or target — source, may be turned past a clique (Hauser, Bühlmann 2012)."""
    near = it.neighbors(it.target) & it.beside(source)
    if source in it.pattern.children(it.target):
        return near <= clique
    if source not in it.neighbors(it.target) - clique:
        return False
    reached = clique - near
    inside = it.neighbors(it.target) - (clique & near)
    for _ in range(N_NODES):
        reached = reached | {node for each in reached for node in it.neighbors(each) & inside}
    return bool(clique - near) and reached.isdisjoint(near - clique)


def test_a_row_is_written_without_one_of_its_members():
    for members in itertools.permutations([4, 2, 7]):
        row = np.full(4, -1)

        class_lists.write_without(np.array([*members, -1]), 2, row)

        assert row.tolist() == [*(member for member in members if member != 2), -1, -1]
