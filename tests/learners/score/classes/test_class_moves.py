"""Moves between classes lead, by brute force, where they say, and gain what they say."""

import itertools
import math
from functools import cache

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.moves import after
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.pool import MovePool
from structlearn.learners.score.classes.search import ClassSearch
from structlearn.scores import BIC, FamilyScores
from structlearn.search.limits import Limits
from structlearn.statistics import from_dataset
from tests.oracles import graphs as graph_oracle
from tests.search.spaces import space_of

pytestmark = pytest.mark.kernels

FOUR = graph_oracle.equivalence_classes(4)


TOGGLED = {
    "insert": lambda dag, u, v: dag | {(u, v)} if not {(u, v), (v, u)} & dag else None,
    "delete": lambda dag, u, v: dag - {(u, v)} if (u, v) in dag else None,
    "turn": lambda dag, u, v: dag - {(v, u)} | {(u, v)} if (v, u) in dag else None,
}


def random_table(seed, n_columns=4, n_rows=150):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        parents = [columns[k] for k in range(j) if rng.random() < 0.5]
        shift = sum(parents) if parents else np.zeros(n_rows, dtype=int)
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


@cache
def class_of(dag):
    """Skeleton and v-structures, which tell a class from all others."""
    joined = graph_oracle.skeleton(dag)
    return joined, frozenset(graph_oracle.v_structures(dag, joined))


def reached_by_brute_force(n_nodes, members, kind):
    """The other classes with a DAG that is one changed arrow away from a member."""
    changed = {
        TOGGLED[kind](dag, u, v) for dag in members for u, v in itertools.permutations(range(n_nodes), 2)
    }
    classes = {class_of(dag) for dag in changed if dag is not None and graph_oracle.is_acyclic(dag)}
    return classes - {class_of(members[0])}


def valid_moves(pattern, scores):
    """Every valid move, whatever it gains, the best of each kind first."""
    anything = Admission(Limits.of([f"v{node}" for node in range(pattern.n_nodes)], sl.Knowledge(), None))
    gains = ClassGains(scores, anything, least=-math.inf)
    pools = {kind: MovePool(kind, pattern.n_nodes) for kind in TOGGLED}
    for target in range(pattern.n_nodes):
        pools["insert"].replace(target, gains.insertions(pattern, target))
        deletions, turns = gains.changes(pattern, target)
        pools["delete"].replace(target, deletions)
        pools["turn"].replace(target, turns)
    for pool in pools.values():
        while found := pool.best(pattern):
            place, move = found
            yield move
            pool.refuse(place)


def total(scores, dag):
    return scores.total([[u for u, target in dag if target == v] for v in range(scores.n_nodes)])


def random_class(seed, n_nodes=5):
    """All members of the class of a random DAG."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_nodes).tolist()
    share = rng.uniform(0.3, 1.0)
    dag = frozenset(pair for pair in itertools.combinations(order, 2) if rng.random() < share)
    joined, colliders = class_of(dag)
    arrows = {(end, b) for a, b, c in colliders for end in (a, c)}
    return list(graph_oracle.extensions(arrows, joined - graph_oracle.skeleton(arrows)))


def check_moves(n_nodes, members, scores):
    pattern = Pattern.of(Links(n_nodes, arrows=sorted(members[0])))
    before = total(scores, members[0])
    reached = {kind: set() for kind in TOGGLED}
    for move in valid_moves(pattern, scores):
        then = after(pattern, move)
        arrows = frozenset((u, v) for v, parents in enumerate(then.member()) for u in parents)
        assert graph_oracle.is_acyclic(arrows)
        assert move.gain == pytest.approx(total(scores, arrows) - before, abs=1e-8)
        reached[move.kind].add(class_of(arrows))
    for kind, classes in reached.items():
        assert classes == reached_by_brute_force(n_nodes, members, kind)


def test_a_pattern_has_the_arrows_that_all_members_share():
    for members in FOUR:
        for dag in members:
            pattern = Pattern.of(Links(4, arrows=sorted(dag)))
            arrows = frozenset((a, b) for b in range(4) for a in pattern.parents(b))
            lines = frozenset(frozenset((a, b)) for b in range(4) for a in pattern.neighbors(b))
            assert (arrows, lines) == graph_oracle.common_pattern(members)


def test_moves_lead_to_all_classes_one_arrow_away_and_gain_their_difference_on_four_nodes():
    scores = FamilyScores(BIC(), from_dataset(random_table(0)))

    for members in FOUR:
        check_moves(4, members, scores)


@pytest.mark.parametrize("seed", range(40))
def test_moves_lead_to_all_classes_one_arrow_away_and_gain_their_difference_on_five_nodes(seed):
    scores = FamilyScores(BIC(), from_dataset(random_table(seed, n_columns=5)))

    check_moves(5, random_class(seed), scores)


def test_an_edge_gone_between_two_others_opens_insertions_at_nodes_it_does_not_touch():
    rng = np.random.default_rng(0)
    middle = rng.normal(size=500)
    data = sl.Dataset({"a": middle + rng.normal(size=500), "b": middle + rng.normal(size=500), "c": middle})
    space = space_of(data)
    search = ClassSearch(space, Pattern.of(Links(3, arrows=[(0, 1), (1, 2)])))
    search.kept_apart = {0, 2}
    assert search.step("insert") is None

    search.kept_apart = set()
    here = Pattern.of(Links(3, arrows=[(1, 2)]))
    search.go_to(here)

    assert search.step("insert") == ClassSearch(space, here).step("insert")
