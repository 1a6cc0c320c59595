"""Fisher's z by as many rows as tell as much, beside regressions one by one."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.independence import EffectiveZ
from structlearn.statistics import from_dataset
from tests.learners.time.series import autoregressive, named


def by_hand(x, y, given):
    """The p-value from what least squares on the conditions leaves of both."""
    design = np.column_stack([np.ones(len(x)), *given])
    left = [end - design @ np.linalg.lstsq(design, end)[0] for end in (x, y)]
    r = [float(each[1:] @ each[:-1] / (each @ each)) for each in left]
    rho = np.corrcoef(*left)[0, 1]
    size = len(x) * (1 - r[0] * r[1]) / (1 + r[0] * r[1])
    return 2 * stats.norm.sf(abs(np.sqrt(max(size - len(given) - 3, 0)) * np.arctanh(rho)))


def test_it_is_fisher_s_z_of_fewer_rows():
    rows = 5.0 + autoregressive([np.diag([0.9, 0.8, 0.5, 0.0])], 120, np.random.default_rng(0))
    statistics = from_dataset(sl.Dataset(named(rows)))

    for given in ([], [2], [2, 3]):
        found = EffectiveZ().many(statistics, np.array([[0, 1, *given]]))
        wanted = [by_hand(rows[:, 0], rows[:, 1], [rows[:, j] for j in given])]
        assert found.p_value[0] == pytest.approx(wanted[0], rel=1e-6)


def test_columns_that_determine_each_other_and_constants_have_nothing_to_test():
    x = np.random.default_rng(0).normal(size=(30, 2))
    table = {"a": x[:, 0], "b": x[:, 0], "c": x[:, 1], "d": np.full(30, 1.5)}
    statistics = from_dataset(sl.Dataset(table, kinds=dict.fromkeys("abcd", "continuous")))

    found = EffectiveZ().many(statistics, np.array([[0, 2, 1], [0, 3, 2]]))

    assert found.p_value.tolist() == [1.0, 1.0]
    assert EffectiveZ().many(statistics, np.array([[0, 1]])).p_value[0] < 1e-10


def test_three_rows_say_nothing_and_what_has_no_order_is_refused():
    few = from_dataset(sl.Dataset(named(np.random.default_rng(0).normal(size=(3, 2)))))
    answers = EffectiveZ().many(few, np.array([[0, 1]]))
    assert (answers.p_value[0], answers.is_reliable[0]) == (1.0, False)

    weighed = from_dataset(sl.Dataset(named(np.eye(5)[:, :2] + 0.5), weights=np.arange(1.0, 6.0)))
    with pytest.raises(sl.DataError, match="complete, in memory, and without weights"):
        EffectiveZ().many(weighed, np.array([[0, 1]]))


def test_rows_of_several_series_or_of_no_order_are_refused():
    rows = named(np.random.default_rng(0).normal(size=(40, 2)))
    with pytest.raises(sl.DataError, match=r"drawn, or said to be independent.*test='fisher-z'"):
        sl.PC(test="effective-z").fit(sl.Dataset(rows, rows="independent"))
    with pytest.raises(sl.DataError, match="drawn, or said to be independent"):
        sl.EdgeConfidence(sl.PC(test="effective-z"), n_resamples=2).fit(rows)

    sl.PCMCI(test="effective-z").fit(rows)
    with pytest.raises(sl.DataError, match="of one series"):
        sl.PCMCI(test="effective-z", series="s").fit(rows | {"s": ["a"] * 20 + ["b"] * 20})
    with pytest.raises(sl.DataError, match="of one series"):
        sl.PCMCI(test="effective-z", time="t").fit(rows | {"t": [*range(20), *range(21, 41)]})
    with pytest.raises(sl.DataError, match="of one series"):
        sl.PCMCI(test="effective-z", mask="m").fit(rows | {"m": [i != 20 for i in range(40)]})


def test_a_method_for_samples_finds_fewer_edges_between_series_of_their_own():
    tables = [
        named(autoregressive([0.95 * np.eye(2)], 150, np.random.default_rng(seed))) for seed in range(20)
    ]

    effective = sum(len(sl.PC(test="effective-z").fit(table).graph_.edges) for table in tables)
    with pytest.warns(UserWarning, match="rows look as if they followed each other"):
        plain = sum(len(sl.PC().fit(table).graph_.edges) for table in tables)

    assert plain >= 8
    assert effective <= 4
