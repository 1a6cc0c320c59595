"""How far back each column may act, and columns that have no past of their own."""

import warnings

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.learners.time.learner import KnownInTime
from structlearn.options.configured import copy_of
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import lagged_table
from tests.learners.time.series import autoregressive, named
from tests.oracles.autoregression import squares_left

LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "lasso": sl.SparseVAR(method="lasso"),
    "granger": sl.SparseVAR(method="granger", alpha=0.001),
    "pairs": sl.SparseVAR(method="bivariate-granger", alpha=0.001),
    "pcmci": sl.PCMCI(alpha=0.001),
    "pcmci plus": sl.PCMCI(contemporaneous=True, alpha=0.001),
    "lingam": sl.VARLiNGAM(),
    "dynamic": sl.DynamicNetwork(),
    "within": sl.DynamicNetwork(contemporaneous=True),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


def fitted(learner, table, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        return copy_of(learner).set_params(**options).fit(table)


def table(n=300, seed=0):
    """v0 and v1 follow themselves, v1 also v0 three steps ago, and v2 v1 a step ago."""
    rng = np.random.default_rng(seed)
    one = np.array([[0.6, 0, 0], [0, 0.6, 0], [0, 0.8, 0]])
    three = np.array([[0.0, 0, 0], [0.9, 0, 0], [0, 0, 0]])
    return named(autoregressive([one, 0 * one, three], n, rng, noise=lambda s: rng.uniform(-1, 1, s)))


TRUE = {("v0[t-1]", "v0[t]"), ("v1[t-1]", "v1[t]"), ("v0[t-3]", "v1[t]"), ("v1[t-1]", "v2[t]")}


@every_learner
def test_each_column_acts_as_far_back_as_is_said_of_it(learner):
    found = fitted(learner, table(), lags={"v0": 3, "v1": [1]})

    assert found.lags_ == (1, 2, 3)
    assert set(found.graph_.directed) >= TRUE
    past = {source for source, _ in found.graph_.directed if "[t-" in source}
    assert past <= {"v0[t-1]", "v0[t-2]", "v0[t-3]", "v1[t-1]", "v2[t-1]"}


@every_learner
def test_the_same_lags_of_all_columns_are_those_of_a_number(learner):
    plain, by_column = (
        fitted(learner, table(150), lags=lags) for lags in ([1, 3], {name: [1, 3] for name in table()})
    )

    assert plain.graph_ == by_column.graph_


@every_learner
def test_what_is_required_is_at_the_smallest_lag_of_its_source(learner):
    known = sl.Knowledge(required=[("v2", "v0")])

    found = fitted(learner, table(), lags={"v2": [2, 3], "v0": 3}, knowledge=known)

    assert ("v2[t-2]", "v0[t]") in found.graph_.directed


@every_learner
def test_a_column_without_a_past_of_its_own_has_no_arrow_from_it(learner):
    some = fitted(learner, table(), lags=3, no_own_past=["v1"])
    none = fitted(learner, table(), no_own_past=True)

    own = {(source[:2], target[:2]) for source, target in some.graph_.directed if source[:2] == target[:2]}
    assert own == {("v0", "v0")} | (own & {("v2", "v2")})
    assert ("v0[t-3]", "v1[t]") in some.graph_.directed
    assert not {source for source, target in none.graph_.directed if source[:2] == target[:2]}


@pytest.mark.parametrize("option", ["lags", "no_own_past"])
def test_columns_that_are_not_there_are_named(option):
    said = {"x": 2} if option == "lags" else ["x"]
    with pytest.raises(sl.OptionError, match=rf"SparseVAR\({option}=…\): there is no column 'x'"):
        fitted(sl.SparseVAR(), table(), **{option: said})


@pytest.mark.parametrize("lags", [{}, {"v0": 0}, {"v0": "bic"}, {0: 1}, {"v0": {"v1": 1}}, "aic"], ids=str)
def test_lags_that_are_none_are_refused(lags):
    with pytest.raises(sl.OptionError, match="by column"):
        fitted(sl.SparseVAR(), table(), lags=lags)


def test_own_past_cannot_be_needed_and_not_allowed():
    with pytest.raises(sl.OptionError, match="one cannot be had with the other"):
        fitted(sl.DynamicNetwork(own_past=True, no_own_past=True), table())


def test_granger_tests_are_those_of_the_columns_that_may_act():
    rows = table(80)
    found = fitted(sl.SparseVAR(method="granger", correction="none"), rows, lags={"v0": 3, "v1": [2]})

    x = np.column_stack([rows[name] for name in ("v0", "v1", "v2")])
    columns = {"v0": [x[2:-1, 0], x[1:-2, 0], x[:-3, 0]], "v1": [x[1:-2, 1]], "v2": [x[2:-1, 2]]}
    for i in range(3):
        now, full = x[3:, i], [each for group in columns.values() for each in group]
        rss = squares_left(now, np.column_stack([np.ones(77), *full]))
        for j, (name, group) in enumerate(columns.items()):
            others = [each for other in columns if other != name for each in columns[other]]
            less = squares_left(now, np.column_stack([np.ones(77), *others]))
            f = ((less - rss) / len(group)) / (rss / (77 - len(full) - 1))
            assert found.f_[i, j] == pytest.approx(f, rel=1e-6)


@pytest.mark.parametrize("method", ["granger", "bivariate-granger"])
def test_what_may_not_act_is_in_no_granger_test_and_counts_for_no_correction(method):
    rows, names = table(80), ("v0", "v1", "v2")
    known = sl.Knowledge(forbidden=[("v2", "v0"), ("v2", "v1")])
    learner = sl.SparseVAR(method=method, correction="bh", no_own_past=["v1"], lags=2, knowledge=known)

    found = fitted(learner, rows)

    x, one = np.column_stack([rows[name] for name in names]), np.ones((78, 1))
    past = [np.column_stack([x[1:-1, j], x[:-2, j]]) for j in range(3)]
    sources = {0: [0, 1], 1: [0], 2: [0, 1, 2]}  # of each target, what may act on it
    by_hand = {}
    for target, may_act in sources.items():
        for source in may_act:
            beside = [j for j in may_act if method == "granger" or j == target]
            less, full = (
                np.hstack([one, *(past[j] for j in sorted(set(those)))])
                for those in (set(beside) - {source}, {*beside, source})
            )
            if source == target and method != "granger":
                less, full = one, np.hstack([one, past[source]])
            rss, dof = squares_left(x[2:, target], full), 78 - full.shape[1]
            f = (squares_left(x[2:, target], less) - rss) / 2 / (rss / dof)
            assert found.f_[target, source] == pytest.approx(f, rel=1e-6)
            by_hand[target, source] = stats.f.sf(f, 2, dof)
    pairs = [pair for pair in by_hand if pair[0] != pair[1]]
    corrected = stats.false_discovery_control([by_hand[pair] for pair in pairs])
    np.testing.assert_allclose([found.p_values_[pair] for pair in pairs], corrected, rtol=1e-6)
    assert all(found.p_values_[t, s] == 1.0 for t in range(3) for s in range(3) if s not in sources[t])


def standard(column):
    return (column - column.mean()) / column.std()


def test_the_price_of_a_source_is_by_the_lags_that_it_has():
    """At the largest penalty that keeps a source out, ‖Z_j'y‖ / n√k, by hand."""
    rows = table(80)
    x = np.column_stack([rows[name] for name in ("v0", "v1", "v2")])
    y = standard(x[3:, 1])
    past = np.column_stack([standard(x[2:-1, 0]), standard(x[1:-2, 0]), standard(x[:-3, 0])])
    largest = {"v0": np.linalg.norm(past.T @ y) / 77 / np.sqrt(3)}
    largest |= {name: abs(standard(x[2:-1, j]) @ y) / 77 for j, name in enumerate(("v0", "v1", "v2")) if j}
    assert max(largest, key=largest.get) == "v1"
    top = largest["v1"]

    kept = [fitted(sl.SparseVAR(penalty=top * share, lags={"v0": 3}), rows) for share in (1.001, 0.999)]

    sources = [{s for s, target in each.graph_.directed if target == "v1[t]"} for each in kept]
    assert sources == [set(), {"v1[t-1]"}]


def test_limits_close_what_may_not_act():
    lagged = lagged_table("Somebody", from_dataset(sl.Dataset(table(20))), (1, 2))
    acts = {1: np.array([True, True, False]), 2: np.array([True, False, True])}
    known = KnownInTime.of(sl.Knowledge(required=[("v2", "v0")]), lagged.variables)
    limits = KnownInTime(known.required, known.forbidden, known.forbidden_now, known.by_tiers, acts).limits(
        lagged, within_step=False, own_past=True
    )

    assert limits.closed[:3, 3:].sum(axis=0).tolist() == [0, 0, 3, 0, 3, 0]
    assert np.argwhere(limits.frozen).tolist() == [[0, 3], [0, 8], [1, 4], [2, 8]]
