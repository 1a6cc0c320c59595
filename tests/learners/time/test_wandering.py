"""Series that wander are told, and learned from by their changes; uneven times are brought to steps."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.options.configured import copy_of
from tests.learners.time.series import autoregressive, named

LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "granger": sl.SparseVAR(method="granger"),
    "pcmci": sl.PCMCI(),
    "lingam": sl.VARLiNGAM(),
    "dynamic": sl.DynamicNetwork(),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


def heard(learner, table):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        learner.fit(table)
    words = [str(each.message) for each in found]
    return [each for each in words if "pull back" in each or "undo the change" in each]


def walks(n=200, seed=0, n_columns=3):
    return np.cumsum(np.random.default_rng(seed).laplace(size=(n, n_columns)), axis=0)


@every_learner
def test_walks_are_told_and_series_that_forget_are_not(learner):
    (words,) = heard(copy_of(learner), named(walks(seed=1)))
    forgets = autoregressive([0.7 * np.eye(3)], 200, np.random.default_rng(0))

    assert "nothing seems to pull back" in words
    assert "difference=True" in words
    assert heard(copy_of(learner), named(forgets)) == []
    assert heard(copy_of(learner), named(walks(90))) == []  # few rows: a short series may well rise all along


@pytest.mark.parametrize("learner", [sl.PCMCI(), sl.SparseVAR()], ids=str)
def test_nine_in_ten_short_walks_are_told_though_they_correlate_less_by_chance(learner):
    tables = [named(walks(110, seed, n_columns=1)) for seed in range(40)]

    assert sum(map(bool, (heard(copy_of(learner), table) for table in tables))) >= 33


def test_a_trend_is_told_and_of_many_columns_three_are_named():
    rng = np.random.default_rng(0)
    trend = {"rises": np.arange(200) / 20 + rng.normal(size=200) / 4, "stays": rng.normal(size=200)}

    (words,) = heard(sl.SparseVAR(), trend)

    assert "nothing but a line over time seems to pull back 'rises' (correlation" in words
    assert "trend=True takes it out" in words
    assert heard(sl.SparseVAR(trend=True), trend) == []
    (words,) = heard(sl.SparseVAR(), named(walks(300, n_columns=6)))
    assert words.count("'v") == 3
    assert "and others" in words


def test_where_the_test_that_takes_columns_to_stay_has_nothing_against_it_that_is_said():
    walk = walks(200, 1, n_columns=1)[:, 0]
    long_memory = autoregressive([np.array([[0.97]])], 200, np.random.default_rng(10))[:, 0]

    (words,) = heard(sl.SparseVAR(), {"walk": walk, "remembers": long_memory})

    assert "'walk'" in words
    assert words.endswith("KPSS's test has nothing against a level of 'remembers'.")


@every_learner
def test_changes_of_walks_have_the_arrows_of_what_moves_them(learner):
    steps = np.random.default_rng(1).laplace(size=(300, 2))
    steps[1:, 1] += 0.8 * steps[:-1, 0]
    table = named(np.cumsum(steps, axis=0))

    found = copy_of(learner).set_params(difference=True)

    assert heard(found, table) == []
    assert set(found.graph_.directed) == {("v0[t-1]", "v1[t]")}
    assert found.n_lagged_rows_ == 300 - 1 - (2 if isinstance(learner, sl.PCMCI) else 1)
    assert "Arrows are between changes" in found.status_


def test_whole_numbers_are_differenced_where_they_are_measurements():
    table = {name: np.round(3 * values).astype(int) for name, values in named(walks(150)).items()}

    assert heard(sl.SparseVAR(difference=True), table) == []


def test_noise_is_not_to_be_differenced():
    (words,) = heard(sl.SparseVAR(difference=True), named(np.random.default_rng(0).normal(size=(300, 2))))

    assert "undo the change before (correlation -0.5" in words


@every_learner
def test_uneven_times_are_refused_or_brought_to_steps(learner):
    # x is a slow wave that y follows two steps later.
    rng = np.random.default_rng(0)
    even = autoregressive([np.diag([0.9, 0.0]), np.array([[0.0, 0.0], [0.9, 0.0]])], 400, rng)
    times = np.sort(np.arange(400) + rng.uniform(-0.05, 0.05, 400))
    table = named(even) | {"t": times}
    asked = copy_of(learner).set_params(time="t", lags=2)

    with pytest.raises(sl.DataError, match="resample=True"):
        copy_of(asked).fit(table)
    found = copy_of(asked).set_params(resample=True, step=1.0)
    heard(found, table)

    assert found.step_ == pytest.approx(1.0)
    assert ("v0[t-2]", "v1[t]") in found.graph_.directed
    assert "on lines" in found.status_


def test_models_resamples_and_folds_see_the_changes_too():
    steps = np.random.default_rng(1).normal(size=(200, 2))
    steps[1:, 1] += 2.0 * steps[:-1, 0]
    table = named(np.cumsum(steps, axis=0))
    learner = sl.DynamicNetwork(difference=True).fit(table)

    forecast = learner.model(table).forecast({"v0": [1.0], "v1": [0.0]}, 1)
    sure = sl.EdgeConfidence(sl.SparseVAR(difference=True), n_resamples=4, random_state=0).fit(table)
    folds = sl.cross_validate(sl.SparseVAR(difference=True), table, cv=3, target="v1")

    assert forecast.means["v1"][0] == pytest.approx(2.0, abs=0.3)  # a change by 1 moves v1 by 2
    assert set(sure.graph_.directed) == {("v0[t-1]", "v1[t]")}
    assert folds.mean("SparseVAR", "squared error") == pytest.approx(1.0, abs=0.4)
    with pytest.raises(sl.OptionError, match="all to resample or difference, or none"):
        sl.cross_validate([sl.SparseVAR(difference=True), sl.SparseVAR()], table, cv=3)
