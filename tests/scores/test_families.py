"""Scores by family: toggles are differences, bounds are bounds, and memory has an end."""

import itertools
import math
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import AIC, BIC, K2, MDL, Extended, FamilyScores, GaussianBIC, LogLikelihood, families
from structlearn.scores.protocol import BoundedScore
from structlearn.statistics import from_dataset
from tests.statistics.test_counting import coded_tables, dataset_of

BOUNDED = [LogLikelihood(), AIC(), BIC(), MDL(), MDL(graph_code="parent-lists"), MDL(tight=True)]


class Counted:
    """A score that counts the families it is asked for."""

    def __init__(self, score):
        self.score = score
        self.is_equivalent = score.is_equivalent
        self.n_families = 0

    def local(self, statistics, asked):
        self.n_families += len(asked)
        return self.score.local(statistics, asked)


class CountedWithBounds(Counted):
    def most_gains(self, statistics, family, *, now, alone):
        return self.score.most_gains(statistics, family, now=now, alone=alone)


def local_by_itself(score, statistics, child, parents):
    return float(score.local(statistics, np.array([[child, *sorted(parents)]]))[0])


@settings(deadline=None, max_examples=60)
@given(coded=coded_tables(), data=st.data())
def test_no_parent_adds_more_than_the_bound_says(coded, data):
    codes, levels = coded
    weights = data.draw(st.none() | st.lists(st.floats(0.1, 9.0), min_size=len(codes), max_size=len(codes)))
    statistics = from_dataset(dataset_of(codes, levels, weights=weights))
    score = data.draw(st.sampled_from(BOUNDED))
    child, *others = data.draw(st.permutations(range(len(levels))))
    parents, left = others[:2], others[2:]
    alone = np.array([local_by_itself(score, statistics, j, []) for j in range(len(levels))])
    now = local_by_itself(score, statistics, child, parents)

    most = score.most_gains(statistics, (child, *parents), now=now, alone=alone)

    assert isinstance(score, BoundedScore)
    for other in left:
        assert local_by_itself(score, statistics, child, [*parents, other]) - now <= most[other]


@pytest.mark.parametrize("score", [LogLikelihood(), AIC(), BIC(), Extended(BIC())], ids=repr)
@pytest.mark.parametrize("family", [(0,), (0, 2)], ids=["alone", "with a parent"])
def test_the_bound_is_reached_by_a_copy_of_the_child(score, family):
    column, coin = np.arange(60) % 3, np.arange(60) // 3 % 2
    table = {"a": column, "b": (column + 1) % 3, "c": coin} | {f"d{j}": coin for j in range(6)}
    statistics = from_dataset(sl.Dataset(table, kinds=dict.fromkeys(table, "discrete")))
    alone = np.array([local_by_itself(score, statistics, j, []) for j in range(len(table))])
    now = local_by_itself(score, statistics, family[0], family[1:])

    most = score.most_gains(statistics, family, now=now, alone=alone)

    gain = local_by_itself(score, statistics, 0, [*family[1:], 1]) - now
    assert most[1] == pytest.approx(gain, abs=1e-5)


@settings(deadline=None, max_examples=40)
@given(coded=coded_tables(), data=st.data())
def test_toggles_are_differences_of_scores_in_whatever_order_they_are_asked_for(coded, data):
    codes, levels = coded
    n, statistics = len(levels), from_dataset(dataset_of(codes, levels))
    score = data.draw(st.sampled_from([BIC(), K2(), MDL()]))
    scores = FamilyScores(score, statistics)
    if data.draw(st.booleans()):
        scores.toggles_at_most_without_parents()
    for _ in range(4):
        child = data.draw(st.integers(0, n - 1))
        parents = data.draw(
            st.sets(st.integers(0, n - 1).filter(lambda j, child=child: j != child), max_size=2)
        )
        others = [j for j in range(n) if j != child and j not in parents]
        some = np.array(
            data.draw(st.lists(st.sampled_from(others), unique=True)) if others else [], dtype=np.int64
        )
        now = local_by_itself(score, statistics, child, parents)
        expected = [
            local_by_itself(score, statistics, child, parents ^ {j}) - now for j in range(n) if j != child
        ]

        at_most, is_bound = scores.toggles_at_most(child, parents)
        gains = scores.gains_of(child, parents, some)
        toggles = scores.toggles(child, parents)

        assert toggles[child] == 0.0
        np.testing.assert_allclose(np.delete(toggles, child), expected, atol=1e-8)
        np.testing.assert_allclose(gains, toggles[some], atol=1e-8)
        np.testing.assert_allclose(at_most[~is_bound], toggles[~is_bound], atol=1e-8)
        assert (at_most[is_bound] >= toggles[is_bound] - 1e-8).all()
        assert not is_bound[[child, *parents]].any()


@pytest.mark.parametrize("score", [BIC(), K2(), GaussianBIC()])
def test_toggles_without_parents_are_those_of_each_child(score):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(50, 4)) if score == GaussianBIC() else rng.integers(0, 3, (50, 4))
    statistics = from_dataset(sl.Dataset(dict(zip("abcd", values.T, strict=True))))

    together = FamilyScores(score, statistics).toggles_without_parents()

    for child in range(4):
        np.testing.assert_allclose(
            together[child], FamilyScores(score, statistics).toggles(child, ()), atol=1e-9
        )


def test_the_families_of_a_dag_are_scored_together_and_then_known():
    codes = np.random.default_rng(0).integers(0, 3, (60, 5))
    statistics = from_dataset(dataset_of(codes, [3] * 5))
    score, parents = Counted(BIC()), [[], [0], [1, 0], [0, 1, 2], [2]]
    scores = FamilyScores(score, statistics)

    scores.remember(parents)

    # Five families, and one, two, three and one with a parent less, of which none is of another node.
    assert score.n_families == 5 + 1 + 2 + 3 + 1
    assert scores.total(parents) == pytest.approx(
        sum(local_by_itself(BIC(), statistics, child, members) for child, members in enumerate(parents))
    )
    for child, members in enumerate(parents):
        now = local_by_itself(BIC(), statistics, child, members)
        assert scores.losses(child, members) == pytest.approx(
            {
                u: now - local_by_itself(BIC(), statistics, child, [v for v in members if v != u])
                for u in members
            }
        )
    scores.remember(parents)
    assert score.n_families == 12


def test_toggles_that_are_asked_for_again_cost_nothing():
    rng = np.random.default_rng(0)
    statistics = from_dataset(sl.Dataset({name: rng.integers(0, 2, 100) for name in "abcde"}))
    score = Counted(BIC())
    scores = FamilyScores(score, statistics)
    n_families = []
    for _ in range(2):
        for child in range(5):
            others = [j for j in range(5) if j != child]
            for parents in itertools.chain.from_iterable(itertools.combinations(others, k) for k in range(5)):
                scores.toggles(child, parents)
        n_families.append(score.n_families)

    assert n_families[0] == n_families[1] >= 5 * 2**4


def test_bounds_spare_families_and_change_nothing():
    rng = np.random.default_rng(0)
    # What there is to know of a rare column is less than the price of 3 parameters.
    rare = {f"r{j}": np.arange(2_000) == rng.integers(2_000) for j in range(12)}
    common = {f"c{j}": rng.integers(0, 4, 2_000) for j in range(10)}
    common["c0"] = (common["c1"] + (rng.random(2_000) < 0.1)) % 4
    with_bounds, without = CountedWithBounds(BIC()), Counted(BIC())

    runs = [
        sl.HillClimbing(score=score, tabu=0, check_parity=0).fit(rare | common)
        for score in (with_bounds, without)
    ]

    assert runs[0].trace_["target"].tolist() == runs[1].trace_["target"].tolist()
    assert runs[0].score_ == runs[1].score_
    assert with_bounds.n_families < 0.7 * without.n_families


def test_bounds_are_not_asked_for_where_all_is_scored():
    rng = np.random.default_rng(0)
    statistics = from_dataset(sl.Dataset({name: rng.integers(0, 2, 100) for name in "abc"}))
    with patch.object(CountedWithBounds, "most_gains", side_effect=AssertionError("asked")):
        gains = FamilyScores(CountedWithBounds(BIC()), statistics).toggles(0, (1,))

    assert gains.tolist() == FamilyScores(BIC(), statistics).toggles(0, (1,)).tolist()


def test_bounds_are_not_asked_for_where_values_are_missing():
    rng = np.random.default_rng(0)
    table = {name: rng.integers(0, 2, 60).astype(float) for name in "abc"}
    table["a"][::7] = math.nan
    statistics = from_dataset(
        sl.Dataset(table, kinds=dict.fromkeys("abc", "discrete")), missing="testwise", owner="a test"
    )

    gains, is_bound = FamilyScores(BIC(), statistics).toggles_at_most(1, ())

    assert is_bound[[0, 2]].all()
    assert (gains[[0, 2]] == math.inf).all()


def test_memory_has_an_end_and_the_answers_stay_the_same(monkeypatch):
    rng = np.random.default_rng(0)
    statistics = from_dataset(sl.Dataset({f"v{j}": rng.integers(0, 2, 40) for j in range(6)}))
    plenty = FamilyScores(BIC(), statistics)
    monkeypatch.setattr(families, "MOST_LOCALS", 10)
    monkeypatch.setattr(families, "CACHE_BYTES", 0)
    little = FamilyScores(BIC(), statistics)
    for _ in range(300):
        child, *parents = rng.permutation(6)[: rng.integers(1, 6)].tolist()
        np.testing.assert_allclose(little.toggles(child, parents), plenty.toggles(child, parents), atol=1e-9)

    assert len(little._locals) <= 10
    assert len(little._with_one_more) <= 64


@pytest.mark.parametrize("score", [BIC(), GaussianBIC()])
def test_toggles_that_were_prepared_are_the_same_to_the_last_digit_and_nothing_is_scored_again(score):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 6)) if score == GaussianBIC() else rng.integers(0, 3, (200, 6))
    statistics = from_dataset(sl.Dataset({f"v{j}": values[:, j] for j in range(6)}))
    asked = [(0, ()), (3, (1,)), (3, (1, 2)), (3, (1, 5)), (4, (0, 2, 3))]
    counted = Counted(score)
    prepared, alone = FamilyScores(counted, statistics), FamilyScores(score, statistics)
    prepared.prepare_toggles(asked)
    n_families = counted.n_families

    for family in asked:
        assert prepared.toggles(*family).tolist() == alone.toggles(*family).tolist()
    assert counted.n_families == n_families


def test_losses_are_prepared_without_larger_families():
    statistics = from_dataset(sl.example("asia").sample(100, random_state=0))
    counted = Counted(BIC())
    scores = FamilyScores(counted, statistics)
    scores.prepare_losses([(0, ()), (3, (1, 2)), (3, (1, 4))])

    assert counted.n_families == 1 + 2 + 3  # both families of three, what each is without one of its parents
    assert scores.losses(3, (1, 2)) == FamilyScores(BIC(), statistics).losses(3, (1, 2))
    assert counted.n_families == 1 + 2 + 3


def test_what_is_fresh_is_every_family_that_was_asked_for_and_once_only():
    data = sl.example("asia").sample(200, random_state=0)
    statistics = from_dataset(data)
    scores = FamilyScores(BIC(), statistics)
    scores.toggles(3, (1, 2))
    scores.local(0, (4, 5, 6))

    known = {
        (row[0], frozenset(row[1:])): value
        for rows, values in scores.take_fresh()
        for row, value in zip(rows.tolist(), values.tolist(), strict=True)
    }

    asked = {(3, frozenset({1, 2} ^ {other})) for other in range(8) if other != 3}
    asked |= {(3, frozenset({1, 2})), (0, frozenset({4, 5, 6}))}
    assert asked <= set(known)
    assert all(
        value == pytest.approx(local_by_itself(BIC(), statistics, child, parents))
        for (child, parents), value in known.items()
    )
    assert not scores.take_fresh()


def test_of_very_many_fresh_families_the_last_are_kept(monkeypatch):
    statistics = from_dataset(sl.example("asia").sample(50, random_state=0))
    scores = FamilyScores(BIC(), statistics)
    monkeypatch.setattr(families, "MOST_LOCALS", 10)
    for child in range(8):
        scores.local(child, [(child + 1) % 8, (child + 2) % 8])
    scores.gains_of(0, (), np.arange(1, 8))

    (alone, _), (rows, _) = scores.take_fresh()

    assert alone.tolist() == [[0]]
    assert sorted(rows.tolist()) == [[0, other] for other in range(1, 8)]


def test_families_that_were_all_scored_at_once_have_their_scores():
    statistics = from_dataset(sl.example("asia").sample(300, random_state=0))
    one_by_one, at_once = FamilyScores(BIC(), statistics), FamilyScores(BIC(), statistics)
    at_once.score_all()

    for child, parents in ((0, ()), (3, (1, 2)), (7, (0, 2, 4, 5))):
        assert at_once.local(child, parents) == pytest.approx(one_by_one.local(child, parents))
        np.testing.assert_allclose(
            at_once.toggles(child, parents), one_by_one.toggles(child, parents), atol=1e-9
        )
    np.testing.assert_allclose(
        at_once.toggles_without_parents(), one_by_one.toggles_without_parents(), atol=1e-9
    )
    several = np.array([[4, 2, 1], [0, 7, 3]])
    np.testing.assert_allclose(at_once.many(several), one_by_one.many(several))
    assert not at_once.take_fresh()


def test_what_a_dag_is_worth_is_scored_family_by_family_in_the_end():
    """So that its score has the last digit that it has wherever else it is asked for."""
    statistics = from_dataset(sl.example("asia").sample(300, random_state=0))
    scores, parents = FamilyScores(BIC(), statistics), [[], [0], [0, 1], [2], [], [4], [4, 3], [6]]
    scores.score_all()
    scores.remember(parents)

    assert scores.total(parents) == FamilyScores(BIC(), statistics).total(parents)
