"""Resamples of series are blocks of rows with all that they look back to, never rows by themselves."""

from collections import Counter

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.ensemble.drawing import bootstrap, complementary_halves
from structlearn.learners.ensemble.rows_in_time import RowsInTime
from structlearn.options.configured import copy_of
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import lagged_table
from tests.learners.time.series import autoregressive, named

CHAIN = [np.array([[0.5, 0.0, 0.0], [0.6, 0.3, 0.0], [0.0, 0.6, 0.3]])]
TRUTH = {(f"v{i}[t-1]", f"v{j}[t]") for i, j in ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2))}
LEARNERS = [
    sl.SparseVAR(),
    sl.PCMCI(),
    sl.PCMCI(contemporaneous=True),
    sl.DynamicNetwork(contemporaneous=True),
    sl.VARLiNGAM(),
]


def chain(n_rows=150, seed=0):
    return named(autoregressive(CHAIN, n_rows, np.random.default_rng(seed)))


def many(n_series, length):
    """Series whose only column says where each row is from: series and step."""
    series, step = np.divmod(np.arange(n_series * length), length)
    where = series + step / 1000
    shuffled = np.random.default_rng(1).permutation(len(where))
    return {name: values[shuffled] for name, values in (("id", series), ("t", 1.0 * step), ("x", where))}


def rows_in_time(table, learner):
    dataset = sl.Dataset(table, kinds=dict.fromkeys(table, "continuous"))
    return RowsInTime.of("Somebody", learner, dataset, learner.lags)


def lagged_rows(table, learner):
    """All lagged rows of a table, as tuples of the rows that they are made of."""
    when = {"time": learner.time, "series": learner.series, "mask": learner.mask}
    found = lagged_table("Somebody", from_dataset(table), learner.lags_of_table(tuple(learner.lags)), **when)
    return Counter(map(tuple, found.statistics.rows(range(len(found.statistics.names))).values.tolist()))


IN_TIME = {"time": "t", "series": "id"}


@pytest.mark.parametrize("learner", [sl.SparseVAR(lags=(1, 3), **IN_TIME), sl.PCMCI(lags=(2,), **IN_TIME)])
@pytest.mark.parametrize("n_series", [1, 3, 12])
def test_a_resample_has_rows_of_the_table_with_their_own_past(n_series, learner):
    table = many(n_series, 40)
    rows = rows_in_time(table, learner)
    original = lagged_rows(rows.dataset, learner)

    for number in range(3):
        ((drawn, said),) = rows.tables(bootstrap, 5, number)
        found = lagged_rows(drawn, rows.learner)
        assert found.keys() <= original.keys()
        assert 0 <= found.total() - original.total() < (rows.length or 1)
        assert "blocks of rows" in said
    assert (rows.length is None) == (n_series >= 10)
    assert set(original.values()) == {1}


def test_whole_series_are_drawn_where_there_are_ten():
    rows = rows_in_time(many(10, 8), sl.SparseVAR(lags=(1,), **IN_TIME))
    times = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(0,))).integers(10, size=10)

    ((drawn, _),) = rows.tables(bootstrap, 3, 0)

    found = np.trunc(drawn.column("x").values)
    assert drawn.n_rows == 80
    assert found[::8].tolist() == times.tolist()
    assert drawn.column("id").values.tolist() == np.repeat(np.arange(10.0), 8).tolist()


@pytest.mark.parametrize("n_series", [2, 12])
def test_halves_share_no_lagged_row(n_series):
    learner = sl.SparseVAR(lags=(1, 2), **IN_TIME)
    rows = rows_in_time(many(n_series, 34), learner)

    one, other = (lagged_rows(drawn, rows.learner) for drawn, _ in rows.tables(complementary_halves, 0, 0))

    assert not one.keys() & other.keys()
    assert set(one.values()) | set(other.values()) == {1}
    left_out = (lagged_rows(rows.dataset, learner) - one - other).total()
    assert left_out < (rows.length or 33)


def test_blocks_are_twice_as_long_as_the_furthest_lag_and_at_least_the_cube_root_of_the_rows():
    lengths = [
        rows_in_time(many(1, n), sl.SparseVAR(lags=lags, **IN_TIME)).length
        for n, lags in ((1001, (1,)), (1006, (1, 6)), (30, (1,)))
    ]

    assert lengths == [10, 12, 3]
    assert rows_in_time(many(1, 104), sl.PCMCI(lags=(2,), **IN_TIME)).length == 8  # which looks twice as far


def test_gaps_and_masks_stay_what_they_are():
    table = {name: values[many(2, 60)["t"] != 30.0] for name, values in many(2, 60).items()}
    table["on"] = (table["t"] % 2 == 0).astype(float)
    learner = sl.SparseVAR(lags=(1, 2), mask="on", **IN_TIME)
    rows = rows_in_time(table, learner)
    original = lagged_rows(rows.dataset, learner)

    ((drawn, _),) = rows.tables(bootstrap, 0, 0)

    n_before, n_behind = 14, 13  # 2, 4 … 28 and 34, 36 … 58; 32 looks back to the gap
    assert original.total() == 2 * (n_before + n_behind)
    assert lagged_rows(drawn, rows.learner).keys() <= original.keys()


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_edges_of_a_chain_are_sure_and_point_forward(learner):
    found = sl.EdgeConfidence(learner, n_resamples=8, random_state=0).fit(chain())

    assert set(found.graph_.directed) >= TRUTH
    assert all(found.confidence_[pair].forward == found.confidence_[pair].edge for pair in TRUTH)
    assert set(found.graph_.summary().nodes) == {"v0", "v1", "v2"}
    assert found.averaged(1.0).facts == found.graph_.facts
    assert not hasattr(learner, "graph_")


def test_shares_are_those_of_learning_from_each_table():
    rows, learner = rows_in_time(chain(60), sl.SparseVAR(lags=(1,))), sl.SparseVAR(series="block")
    graphs = [
        copy_of(learner).fit(drawn).graph_
        for number in range(4)
        for drawn, _ in rows.tables(bootstrap, 7, number)
    ]

    found = sl.EdgeConfidence(sl.SparseVAR(), n_resamples=4, random_state=7).fit(chain(60))

    counted = Counter(pair for graph in graphs for pair in graph.directed)
    assert {pair: share.edge for pair, share in found.confidence_.items()} == {
        pair: count / 4 for pair, count in counted.items()
    }


@pytest.mark.parametrize(("learner", "n_pairs"), [(LEARNERS[0], 9), (LEARNERS[2], 12)], ids=str)
def test_stable_edges_are_chosen_among_those_that_there_may_be(learner, n_pairs):
    found = sl.StabilitySelection(learner, n_resamples=8, random_state=0).fit(chain(300))

    assert set(found.graph_.directed) >= TRUTH
    assert found.n_pairs_ == n_pairs


def test_lags_are_chosen_once_and_knowledge_holds():
    late = [0.3 * np.eye(2), np.array([[0.0, 0.0], [0.8, 0.0]])]
    table = named(autoregressive(late, 200, np.random.default_rng(0)))
    knowledge = sl.Knowledge(forbidden=[("v1", "v0")], required=[("v0", "v1")])

    found = sl.EdgeConfidence(
        sl.SparseVAR(lags="bic", knowledge=knowledge), n_resamples=5, random_state=0
    ).fit(table)

    assert {facts["lag"] for facts in found.graph_.facts.values()} == {0, 1, 2}
    assert found.confidence_["v0[t-1]", "v1[t]"].edge == 1.0
    assert found.confidence_["v0[t-2]", "v1[t]"].edge == 1.0
    assert not [pair for pair in found.confidence_ if pair[0][:2] == "v1" and pair[1] == "v0[t]"]


def test_a_checkpoint_goes_on_and_a_row_of_states_that_were_set_aside_is_no_node(tmp_path):
    table = chain(80) | {"block": np.arange(80) % 3}
    first = {"n_resamples": 3, "random_state": 1, "checkpoint": tmp_path / "kept.json"}

    sl.EdgeConfidence(sl.SparseVAR(series="block"), **first).fit(table)
    more = sl.EdgeConfidence(sl.SparseVAR(series="block"), **first | {"n_resamples": 5}).fit(table)

    once = sl.EdgeConfidence(sl.SparseVAR(series="block"), n_resamples=5, random_state=1).fit(table)
    assert more.confidence_ == once.confidence_
    assert len(once.graph_.nodes) == 6


@pytest.mark.parametrize(
    ("learner", "options", "n_rows", "said"),
    [
        (sl.SparseVAR(lags=6), {}, 20, r"14 rows with all lags are too few to draw blocks of 12 from, and 1"),
        (sl.SparseVAR(), {"missing": "drop"}, 50, "rows in time that are left out are gaps. Say so to the"),
    ],
)
def test_what_cannot_be_drawn_in_blocks_is_refused(learner, options, n_rows, said):
    with pytest.raises(ValueError, match=said):
        sl.EdgeConfidence(learner, n_resamples=2, **options).fit(chain(n_rows))


def test_columns_that_are_not_there_and_weights_are_refused_by_name():
    with pytest.raises(sl.OptionError, match=r"EdgeConfidence\(time='day'\): there is no column 'day'"):
        sl.EdgeConfidence(sl.SparseVAR(time="day"), n_resamples=2).fit(chain(50))
    weighed = sl.Dataset(chain(50), weights=np.linspace(1.0, 2.0, 50))
    with pytest.raises(sl.DataError, match="rows in time have no weights"):
        sl.EdgeConfidence(sl.SparseVAR(), n_resamples=2).fit(weighed)


def test_gaps_in_time_are_left_to_the_learner():
    table = chain(100) | {"t": np.arange(100.0)}
    table["v0"][40] = np.nan

    found = sl.EdgeConfidence(sl.SparseVAR(missing="drop", time="t"), n_resamples=3, random_state=0).fit(
        table
    )

    assert set(found.graph_.directed) >= TRUTH
    with pytest.raises(sl.DataError, match="missing"):
        sl.EdgeConfidence(sl.SparseVAR(time="t"), n_resamples=3).fit(table)
