"""The moves of a relational search are those of their definition: scores of families, nothing else."""

from itertools import combinations

import pytest

from structlearn.data.relational import features_of, opened_database, read_schema
from structlearn.data.relational.reading import SchemaOptions
from structlearn.learners.network.relational import target as targets
from structlearn.learners.network.relational.target import Target
from structlearn.scores import AIC
from structlearn.statistics.relational import ClassView
from tests.relational.databases import UNIVERSITY_KEYS, sampled_university


@pytest.fixture(scope="module")
def database():
    with opened_database(sampled_university(300, seed=3, n_students=60, n_courses=12)) as opened:
        yield opened


def target_of(database, attribute="grade", **options):
    schema = read_schema(database, SchemaOptions(keys=UNIVERSITY_KEYS))
    features = features_of(schema, "registration", max_length=1)
    view = ClassView(database, features, n_intervals=4)
    column = next(
        i for i, coded in enumerate(view.coded) if str(coded.feature.source) == f"registration.{attribute}"
    )
    allowed = options.pop("allowed", lambda _: True)
    return Target(view, column, lambda _: AIC(), allowed, **options)


def families(target, parents, most):
    """All sets of parents that are one addition, removal or exchange away."""
    free = [column for column in target.candidates if column not in parents]
    for dropped in (None, *parents):
        kept = tuple(column for column in parents if column != dropped)
        if dropped is not None:
            yield kept
        if most is None or len(kept) < most:
            yield from (tuple(sorted((*kept, column))) for column in free)


def gains(target, parents, wanted):
    """What each of these families gains, where it is anything."""
    now = target.score(parents)
    return {family: gain for family in wanted if (gain := target.score(family) - now) > 1e-9}


def found(moves, node):
    assert [move.gain for move in moves] == sorted((move.gain for move in moves), reverse=True)
    return {move.parents[node]: move.gain for move in moves}


@pytest.mark.parametrize("most", [None, 1, 2, 3])
def test_moves_are_all_that_one_parent_more_less_or_other_gains(database, most):
    target = target_of(database)
    assert len(target.candidates) >= 3

    for size in range(min(most or 3, 3) + 1):
        for parents in combinations(target.candidates, size):
            expected = gains(target, parents, families(target, parents, most))
            assert found(target.moves(parents, most), target.node) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("most", "n_before"), [(None, 0), (2, 0), (1, 0), (2, 1), (3, 1)])
def test_pairs_are_all_that_two_parents_more_gain(database, most, n_before):
    target = target_of(database)
    parents = tuple(target.candidates[:n_before])
    free = target.candidates[n_before:]
    wanted = [tuple(sorted((*parents, *pair))) for pair in combinations(free, 2)]
    expected = {} if most is not None and n_before + 2 > most else gains(target, parents, wanted)

    assert found(target.pair_moves(parents, most), target.node) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("is_required", [False, True])
@pytest.mark.parametrize("n_before", [0, 1])
def test_an_arrow_is_turned_for_what_both_families_gain(database, n_before, is_required):
    other = target_of(database, attribute="day")
    target = target_of(database, required={other.node} if is_required else ())
    (day,) = (column for column in target.candidates if target.feature(column).source == other.node)
    (back,) = (column for column in other.candidates if other.feature(column).source == target.node)
    its_parents = tuple([column for column in other.candidates if column != back][:n_before])
    wider = tuple(sorted((*its_parents, back)))

    found = list(target.turns((day,), {other.node: (other, its_parents)}))

    lost = target.score((day,)) + other.score(its_parents)
    gain = target.score(()) + other.score(wider) - lost
    expected = [] if is_required else [(pytest.approx(gain), {other.node: wider, target.node: ()})]
    assert found == expected
    assert not list(target.turns((day,), {other.node: (other, wider)}))  # it is there both ways
    assert target.columns([target.feature(day)]) == (day,)


def test_what_is_required_stays_and_what_is_not_allowed_is_no_candidate(database):
    free = target_of(database)
    required = str(free.feature(free.candidates[0]).source)
    target = target_of(database, required={required})
    parents = tuple(target.candidates[:2])

    kept = set(found(target.moves(parents, None), target.node))

    everything = gains(target, parents, families(target, parents, None))
    of = {column: str(target.feature(column).source) for column in target.candidates}
    assert kept == {family for family in everything if required in {of[column] for column in family}}
    others = target_of(database, allowed=lambda feature: str(feature.source) != required).candidates
    assert others == [column for column in free.candidates if of[column] != required]


def test_tables_beyond_the_limit_are_not_counted(database, monkeypatch):
    target = target_of(database)
    levels = target.statistics.levels
    alone = [int(levels[0] * levels[column]) for column in target.candidates]
    monkeypatch.setattr(targets, "MOST_CELLS", min(alone))

    tried = [move.parents[target.node] for move in target.additions((), 0.0)]

    assert tried == [
        (column,) for column, cells in zip(target.candidates, alone, strict=True) if cells == min(alone)
    ]
    assert target.additions(tried[0], 0.0) == []
