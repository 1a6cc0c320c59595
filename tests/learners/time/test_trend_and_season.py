"""Series with a trend and a season: what is taken out of them, and what then follows from what."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.options.configured import copy_of
from tests.learners.time.series import named

LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "granger": sl.SparseVAR(method="granger", alpha=0.001),
    "pcmci": sl.PCMCI(alpha=0.01),
    "lingam": sl.VARLiNGAM(),
    "dynamic": sl.DynamicNetwork(),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


def fitted(learner, table, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        return copy_of(learner).set_params(**options).fit(table)


def calendar(n=240, seed=0):
    """v1 follows v0 a step later; all three have a trend and a season, v2 nothing else."""
    rows = np.random.default_rng(seed).laplace(size=(n, 3))
    rows[1:, 1] += rows[:-1, 0]
    months = 4.0 * np.sin(np.arange(n)[:, None] * 2 * np.pi / 12 + np.arange(3))
    return named(rows + months + np.arange(n)[:, None] / 20)


@every_learner
def test_without_trend_and_season_arrows_are_those_of_what_is_left(learner):
    plain, found = fitted(learner, calendar()), fitted(learner, calendar(), trend=True, season=12)

    assert set(found.graph_.directed) == {("v0[t-1]", "v1[t]")}
    assert len(plain.graph_.directed) > 3
    assert "less their trend or season" in found.status_
    assert found.n_lagged_rows_ == plain.n_lagged_rows_


def test_models_resamples_and_folds_see_what_is_left_too():
    table, options = calendar(), {"trend": True, "season": 12}
    learner = fitted(sl.DynamicNetwork(), table, **options)

    forecast = learner.model(table).forecast({"v0": [1.0], "v1": [0.0], "v2": [0.0]}, 1)
    sure = sl.EdgeConfidence(sl.SparseVAR(**options), n_resamples=4, random_state=0).fit(table)
    folds = sl.cross_validate(sl.SparseVAR(**options), table, cv=3, target="v1")

    assert forecast.means["v1"][0] == pytest.approx(1.0, abs=0.3)
    assert set(sure.graph_.directed) == {("v0[t-1]", "v1[t]")}
    assert folds.mean("SparseVAR", "squared error") == pytest.approx(
        2.0, abs=0.7
    )  # the variance of Laplace noise
    with pytest.raises(sl.OptionError, match="so with trend and season"):
        sl.cross_validate([sl.SparseVAR(trend=True), sl.SparseVAR()], table, cv=3)


def test_the_future_of_a_fold_says_nothing_of_its_trend():
    table = calendar(200)
    later = {name: np.where(np.arange(200) < 150, column, column + 1000.0) for name, column in table.items()}
    learner = sl.SparseVAR(trend=True, season=12)

    first = sl.cross_validate(
        learner, {name: column[:150] for name, column in table.items()}, cv=2, target="v1"
    )
    whole = sl.cross_validate(learner, later, cv=3, target="v1")

    errors = [found.measures["SparseVAR"]["squared error"] for found in (first, whole)]
    assert errors[1][:2] == pytest.approx(errors[0])


def test_a_season_longer_than_half_the_series_is_refused_with_its_name():
    with pytest.raises(sl.DataError, match=r"SparseVAR\(season=150\): there are 240 steps"):
        fitted(sl.SparseVAR(), calendar(), season=150)
