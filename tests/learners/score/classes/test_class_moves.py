"""Moves between classes lead, by brute force, where they say, and gain what they say."""

import itertools
import math
from collections import Counter, defaultdict
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.moves import ClassMove, after
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.pool import MovePool
from structlearn.learners.score.classes.search import ClassSearch, climb_eagerly
from structlearn.scores import BIC, FamilyScores
from structlearn.scores.interventional import with_experiments
from structlearn.search.limits import Limits
from structlearn.statistics import from_dataset, statistics_of
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


def told_by(targets, dag):
    """The arrows of a DAG with one end among the columns of an experiment, whose direction rows tell."""
    return frozenset((u, v) for u, v in dag if any((u in each) != (v in each) for each in targets))


def classes_told_apart(targets, n_nodes=4):
    """The DAGs that neither independences nor experiments tell apart, class by class."""
    classes = defaultdict(list)
    for dag in graph_oracle.all_dags(n_nodes):
        classes[*class_of(dag), told_by(targets, dag)].append(dag)
    return list(classes.values())


def reached_by_brute_force(n_nodes, members, kind, targets=()):
    """The other classes with a DAG that is one changed arrow away from a member."""
    changed = {
        TOGGLED[kind](dag, u, v) for dag in members for u, v in itertools.permutations(range(n_nodes), 2)
    }
    dags = {dag for dag in changed if dag is not None and graph_oracle.is_acyclic(dag)}
    return {(class_of(dag), told_by(targets, dag)) for dag in dags} - {
        (class_of(members[0]), told_by(targets, members[0]))
    }


def valid_moves(pattern, scores):
    """Every valid move, whatever it gains, the best of each kind first."""
    anything = Admission(Limits.of([f"v{node}" for node in range(pattern.n_nodes)], sl.Knowledge(), None))
    gains = ClassGains(scores, anything, least=-math.inf)
    pools = {kind: MovePool(kind, pattern.n_nodes) for kind in TOGGLED}
    for kind, pool in pools.items():
        for target in range(pattern.n_nodes):
            pool.replace(target, gains.moves(kind, pattern, target))
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


def check_moves(n_nodes, members, scores, targets=(), is_told=None):
    """The moves out of a class lead and gain as by brute force; how many there are of each kind."""
    pattern = Pattern.of(Links(n_nodes, arrows=sorted(members[0])), is_told)
    before = total(scores, members[0])
    reached = {kind: set() for kind in TOGGLED}
    n_moves = Counter()
    for move in valid_moves(pattern, scores):
        then = after(pattern, move)
        arrows = frozenset((u, v) for v, parents in enumerate(then.member()) for u in parents)
        assert graph_oracle.is_acyclic(arrows)
        assert move.gain == pytest.approx(total(scores, arrows) - before, abs=1e-8)
        reached[move.kind].add((class_of(arrows), told_by(targets, arrows)))
        n_moves[move.kind, pattern.is_lined(move.source, move.target)] += 1
    for kind, classes in reached.items():
        assert classes == reached_by_brute_force(n_nodes, members, kind, targets)
    return n_moves


def test_a_pattern_has_the_arrows_that_all_members_share():
    for members in FOUR:
        for dag in members:
            pattern = Pattern.of(Links(4, arrows=sorted(dag)))
            arrows = frozenset((a, b) for b in range(4) for a in pattern.parents(b))
            lines = frozenset(frozenset((a, b)) for b in range(4) for a in pattern.neighbors(b))
            assert (arrows, lines) == graph_oracle.common_pattern(members)


def test_moves_lead_to_all_classes_one_arrow_away_and_gain_their_difference_on_four_nodes():
    scores = FamilyScores(BIC(), from_dataset(random_table(0)))
    n_moves = sum((check_moves(4, members, scores) for members in FOUR), Counter())

    assert counted(n_moves) == (1128, 1128, 348, 228)


def counted(n_moves):
    """How many insertions, deletions, turns of arrows and turns of lines.

    The numbers are in docs/references/search.md#classes-that-experiments-tell-apart.
    """
    n_deletions = n_moves["delete", False] + n_moves["delete", True]
    return n_moves["insert", False], n_deletions, n_moves["turn", False], n_moves["turn", True]


@pytest.mark.parametrize(
    ("targets", "n_classes", "n_moves"),
    [
        ([{0}], 345, (1560, 1560, 966, 54)),
        pytest.param([{0, 1}], 412, (1704, 1704, 1224, 0), marks=pytest.mark.slow),
    ],
    ids=["one column set", "two columns set"],
)
def test_with_experiments_moves_lead_to_all_classes_one_arrow_away_and_gain_their_difference(
    targets, n_classes, n_moves
):
    data = random_table(0)
    rows_set = {f"v{column}": np.arange(150) < 40 for each in targets for column in each}
    statistics = statistics_of(data, data.names, owner="test", rows_set=rows_set)
    scores = FamilyScores(with_experiments("test", BIC(), statistics), statistics)
    classes = classes_told_apart(targets)
    found = Counter()
    for members in classes:
        worth = [total(scores, dag) for dag in members]
        assert max(worth) - min(worth) < 1e-8
        found += check_moves(4, members, scores, targets, statistics.experiments.told_apart(4))

    assert len(classes) == n_classes
    assert counted(found) == n_moves


@pytest.mark.parametrize(
    ("targets", "n_classes", "n_alone"),
    [
        ([], 185, 59),
        ([{0}], 345, 210),
        ([{0}, {1}], 474, 405),
        ([{0, 1}], 412, 295),
        ([{0, 1}, {1, 2}], 543, 543),
    ],
)
def test_with_experiments_a_pattern_has_the_arrows_that_all_members_share(targets, n_classes, n_alone):
    is_told = np.array([[any((a in x) != (b in x) for x in targets) for a in range(4)] for b in range(4)])
    classes = classes_told_apart(targets)
    for members in classes:
        pattern = Pattern.of(Links(4, arrows=sorted(members[-1])), is_told)
        arrows = frozenset((a, b) for b in range(4) for a in pattern.parents(b))
        lines = frozenset(frozenset((a, b)) for b in range(4) for a in pattern.neighbors(b))
        assert (arrows, lines) == graph_oracle.common_pattern(members)

    assert len(classes) == n_classes
    assert sum(len(members) == 1 for members in classes) == n_alone


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


@pytest.mark.parametrize("n_steps", [0, 2, 9])
def test_deletions_of_a_search_are_those_that_are_listed_anew_and_nothing_larger_is_scored(n_steps):
    space = space_of(random_table(3, n_columns=5, n_rows=300))
    search = ClassSearch(space, Pattern.of(Links(5, arrows=[(0, 1), (1, 2), (0, 2), (2, 3)])))
    for _ in range(n_steps):
        search.step("delete") or search.step("turn") or search.step("insert")
    strict = search.admission.adding_nothing()
    with patch.object(FamilyScores, "toggles", side_effect=AssertionError("one parent more")):
        found = search.deletions(search.admission)

    anew = ClassGains(FamilyScores(BIC(), space.statistics), strict, least=-math.inf)
    assert found == [
        ClassMove("delete", source, target, before, gain)
        for target in range(5)
        for gain, source, before in anew.deletions(search.pattern, target).told()
    ]


def test_a_copy_of_a_search_goes_its_own_way():
    space = space_of(random_table(2, n_columns=5, n_rows=300))
    search = ClassSearch(space, Pattern.of(Links(5)))
    search.step("insert")
    here, moves = search.pattern, [search.copy().step(kind) for kind in TOGGLED]
    other = search.copy()
    climb_eagerly(other, lambda _move, _score: None)

    assert other.score > search.score
    assert search.pattern is here
    assert [search.copy().step(kind) for kind in TOGGLED] == moves
    assert search.step("insert") == ClassSearch(space, here).step("insert")
