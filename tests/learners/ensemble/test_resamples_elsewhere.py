"""Resamples of a table that stays where it is: of its different rows, or of its parts on workers."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import structlearn as sl
from structlearn.learners.ensemble.drawing import (
    bootstrap,
    complementary_halves,
    counts_drawn,
    half,
    once,
    times_drawn,
)
from structlearn.statistics import SourceTable
from structlearn.statistics.engines.partitions import PartitionedEngine
from tests.oracles.row_engine import RowEngine
from tests.statistics.engines.partitions.parts_here import PartsHere

COUNTS = np.array([40, 7, 0, 3])


def discrete(n_rows=300):
    data = sl.example("cancer").sample(n_rows, random_state=1)
    return {name: data.column(name).decoded().tolist() for name in data.names}


def continuous(n_rows=120):
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(2, n_rows))
    return {"x": x.tolist(), "y": (x + 0.3 * rng.normal(size=n_rows)).tolist(), "z": z.tolist()}


def in_parts(table, ends=(50, 90)):
    frame = pd.DataFrame(table)
    parts = [frame[: ends[0]], frame[ends[0] : ends[1]], frame[ends[1] :]]
    return SourceTable(PartitionedEngine(PartsHere(parts), tuple(table), None))


def test_different_rows_are_drawn_as_often_as_row_by_row():
    rows = np.repeat(np.arange(4), COUNTS)
    by_row = [np.bincount(rows[bootstrap(5, i, rows.size)[0]], minlength=4) for i in range(2000)]
    at_once = [counts_drawn(bootstrap, 5, i, COUNTS)[0] for i in range(2000)]
    assert {int(counts.sum()) for counts in at_once} == {50}
    np.testing.assert_allclose(np.mean(at_once, axis=0), COUNTS, atol=0.25)
    np.testing.assert_allclose(np.cov(np.transpose(at_once)), np.cov(np.transpose(by_row)), atol=0.8)


def test_few_different_rows_are_drawn_once_as_often_as_row_by_row():
    rows = np.repeat(np.arange(4), COUNTS)
    by_row = np.array([np.bincount(rows[once(5, i, rows.size)[0]], minlength=4) for i in range(2000)])
    at_once = np.array([counts_drawn(once, 5, i, COUNTS)[0] for i in range(2000)])
    on_workers = np.array([times_drawn(once, 5, i, 0, 7, 4, COUNTS * 1.0) for i in range(2000)])
    n_drawn = len(once(5, 0, rows.size)[0])
    for drawn in (by_row, at_once, on_workers):
        assert (drawn.sum(axis=1) == n_drawn).all()
        assert (drawn <= COUNTS).all()
        np.testing.assert_allclose(drawn.mean(axis=0), n_drawn * COUNTS / rows.size, atol=0.15)
    np.testing.assert_allclose(by_row.var(axis=0), at_once.var(axis=0), rtol=0.2)
    assert times_drawn(once, 5, 2, 0, 7, 1000).sum() == len(set(once(5, 2, 1000)[0].tolist())) == 633


def test_halves_of_different_rows_have_no_row_in_common():
    for number in range(20):
        one, other = counts_drawn(complementary_halves, 5, number, COUNTS)
        assert (one.sum(), other.sum()) == (25, 25)
        assert (one + other).tolist() == COUNTS.tolist()
    assert (
        counts_drawn(half, 5, 3, COUNTS)[0].tolist()
        == counts_drawn(complementary_halves, 5, 3, COUNTS)[0].tolist()
    )


def test_more_rows_than_can_be_drawn_without_replacement_are_halved_by_coins():
    one, other = counts_drawn(complementary_halves, 0, 0, np.array([3 * 10**9, 10]))
    assert (one + other).tolist() == [3 * 10**9, 10]
    assert abs(one[0] - 1.5e9) < 6 * np.sqrt(3e9) / 2


def test_workers_draw_by_seed_resample_and_part_alone():
    drawn = times_drawn(bootstrap, 5, 2, 0, 7, 10_000)
    assert drawn.tolist() == times_drawn(bootstrap, 5, 2, 0, 7, 10_000).tolist()
    assert drawn.mean() == pytest.approx(1.0, abs=0.05)
    assert drawn.var() == pytest.approx(1.0, abs=0.08)
    for other in [(6, 2, 0, 7), (5, 3, 0, 7), (5, 2, 0, 8)]:
        assert drawn.tolist() != times_drawn(bootstrap, *other, 10_000).tolist()
    halves = [times_drawn(complementary_halves, 5, 2, part, 7, 11) for part in (0, 1)]
    assert [half.sum() for half in halves] == [5, 5]
    assert sum(halves).max() == 1


def test_workers_draw_a_row_with_a_whole_weight_as_the_rows_that_it_stands_for():
    weights = np.full(10_000, 9.0)
    drawn = times_drawn(bootstrap, 5, 2, 0, 7, 10_000, weights)
    assert drawn.mean() == pytest.approx(9.0, abs=0.15)
    assert drawn.var() == pytest.approx(9.0, abs=0.7)
    few = np.array([4.0, 1.0, 6.0])
    halves = [times_drawn(complementary_halves, 5, 2, part, 7, 3, few) for part in (0, 1)]
    assert [half.sum() for half in halves] == [5, 5]
    assert (sum(halves) <= few).all()


def test_workers_let_other_weights_go_with_their_rows():
    weights = np.linspace(0.5, 2.0, 100)
    for way, part in [(bootstrap, 0), (complementary_halves, 1)]:
        times = times_drawn(way, 5, 2, part, 7, 100)
        np.testing.assert_array_equal(times_drawn(way, 5, 2, part, 7, 100, weights), times * weights)


@pytest.mark.parametrize("place", ["rows", "parts"])
@pytest.mark.parametrize("kind", [sl.EdgeConfidence, sl.StabilitySelection])
def test_the_shares_of_different_rows_are_about_those_of_rows(place, kind):
    source = SourceTable(RowEngine(discrete())) if place == "rows" else in_parts(discrete())
    learner = kind(sl.HillClimbing(), n_resamples=60, random_state=0)
    there = learner.fit(source)
    shares = {pair: share.edge for pair, share in there.confidence_.items()}
    assert there.statistics_.way == "collapsed"
    here = learner.fit(discrete())
    for pair, share in here.confidence_.items():
        # Two shares of 60: four deviations of their difference.
        assert abs(share.edge - shares.get(pair, 0.0)) < 4 * np.sqrt(0.5 / 60)


def test_measurements_on_workers_are_counted_a_poisson_number_of_times():
    learner = sl.EdgeConfidence(sl.PC(), n_resamples=20, random_state=0)
    found = learner.fit(in_parts(continuous()))
    assert found.confidence_["x", "y"].edge == 1.0
    assert found.confidence_.get(("x", "z")) is None or found.confidence_["x", "z"].edge < 0.5
    again = learner.fit(in_parts(continuous()))
    assert again.confidence_ == found.confidence_


def test_a_resample_on_workers_is_the_weighted_table():
    source = in_parts(continuous())
    draw = partial(times_drawn, bootstrap, 1, 4, 0)
    sizes = (50, 40, 30)
    weights = np.concatenate([draw(part, n) for part, n in enumerate(sizes)]).astype(float)
    drawn = source.reweighted(draw)
    names = [*"xyz"]
    there = drawn.statistics(names, kinds=source.kinds).moments()
    table = np.array([continuous()[name] for name in names])
    np.testing.assert_allclose(there.covariance, np.cov(table, aweights=weights, bias=True), rtol=1e-9)
    assert drawn.size == there.size == weights.sum()
    assert source.size == 120


def test_weights_on_workers_count_rows():
    table = continuous() | {"n": np.tile([3.0, 5.0], 60).tolist()}
    frame = pd.DataFrame(table)
    engine = PartitionedEngine(PartsHere([frame[:70], frame[70:]]), ("x", "y", "z"), "n")
    drawn = SourceTable(engine).reweighted(partial(times_drawn, bootstrap, 1, 4, 0))
    weights = [
        times_drawn(bootstrap, 1, 4, 0, part, len(rows), rows["n"].to_numpy())
        for part, rows in enumerate([frame[:70], frame[70:]])
    ]
    assert drawn.size == np.concatenate(weights).sum()


def test_measurements_that_no_worker_can_draw_are_refused_with_advice():
    source = SourceTable(RowEngine(continuous()))
    with pytest.raises(sl.DataError, match=r"Draw some first: sl\.source\(…, sample_rows="):
        sl.EdgeConfidence(sl.PC(), n_resamples=3).fit(source)


def test_gaps_are_dropped_before_different_rows_are_drawn_and_left_to_the_learner_on_workers():
    table = discrete()
    table["Cancer"][:30] = [None] * 30
    learner = sl.EdgeConfidence(sl.HillClimbing(), n_resamples=5, random_state=0, missing="drop")
    assert learner.fit(in_parts(table)).n_resamples_ == 5
    gappy = continuous()
    gappy["x"][3] = None
    with pytest.raises(sl.DataError, match="the learner, which has an option missing"):
        learner.fit(in_parts(gappy))


def test_a_checkpoint_of_another_table_elsewhere_is_refused(tmp_path):
    learner = sl.EdgeConfidence(sl.PC(), n_resamples=2, random_state=0, checkpoint=tmp_path / "kept")
    learner.fit(in_parts(continuous()))
    assert learner.fit(in_parts(continuous())).n_resamples_ == 2
    other = continuous()
    other["x"][0] += 1.0
    with pytest.raises(sl.DataError, match="resamples of another table"):
        learner.fit(in_parts(other))
