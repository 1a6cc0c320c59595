"""Series that count alike, however long they are."""

import warnings

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.learners.time import var_lingam
from structlearn.learners.time.autoregression import forecasts
from structlearn.numerics.lingam import direct_order
from structlearn.options.configured import copy_of
from structlearn.statistics.lagged import weights_of_series
from tests.learners.time.series import autoregressive

LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "granger": sl.SparseVAR(method="granger", alpha=0.001),
    "pcmci": sl.PCMCI(alpha=0.001),
    "dynamic": sl.DynamicNetwork(),
    "lingam": sl.VARLiNGAM(),
    "forward": sl.SparseVAR(criterion="forward"),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


def fitted(learner, table, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        return copy_of(learner).set_params(series="id", **options).fit(table)


def together(*parts):
    """Series of an array each, one below the other."""
    rows, ids = np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(each) for each in parts])
    return {"x": rows[:, 0], "y": rows[:, 1], "id": ids}


def follows(n, weight, rng):
    return autoregressive([np.array([[0.0, 0.0], [weight, 0.0]])], n, rng)


def test_weights_of_a_series_sum_to_the_same_and_all_to_the_rows_that_they_are_worth():
    series = np.repeat([0, 1, 2], [100, 4, 20])

    weights = weights_of_series(series)

    sums = np.bincount(series, weights=weights)
    assert sums == pytest.approx(np.full(3, sums[0]))
    assert weights.sum() == pytest.approx(3**2 / (1 / 100 + 1 / 4 + 1 / 20))
    assert weights_of_series(np.repeat([0, 1], 7)) == pytest.approx(np.ones(14))


@every_learner
def test_series_of_one_length_are_as_they_are(learner):
    rng = np.random.default_rng(0)
    table = together(*(follows(40, 0.8, rng) for _ in range(4)))

    plain, equal = (fitted(learner, table, equal_series=each) for each in (False, True))

    assert plain.graph_ == equal.graph_


@every_learner
def test_a_long_series_in_which_nothing_acts_does_not_hide_many_short_ones(learner):
    rng = np.random.default_rng(1)
    table = together(follows(3000, 0.0, rng), *(follows(20, 0.9, rng) for _ in range(40)))

    plain, equal = (fitted(learner, table, equal_series=each) for each in (False, True))

    assert ("x[t-1]", "y[t]") in equal.graph_.directed
    if isinstance(learner, sl.SparseVAR):
        assert plain.coefficients_[0, 1, 0] < 0.3
        assert equal.coefficients_[0, 1, 0] == pytest.approx(0.88, abs=0.1)


def lagged(table):
    is_same = np.diff(table["id"]) == 0
    rows = np.column_stack([table["x"], table["y"]])
    return rows[1:][is_same], rows[:-1][is_same], table["id"][1:][is_same]


def uneven():
    rng = np.random.default_rng(2)
    return together(follows(80, 0.5, rng), follows(12, 0.9, rng), follows(30, -0.2, rng))


def test_regressions_and_tests_are_weighted():
    table = uneven()
    now, past, ids = lagged(table)
    w = 1.0 / np.bincount(ids)[ids]
    design, root = np.column_stack([np.ones(len(now)), past]), np.sqrt(w)[:, None]

    found = fitted(sl.SparseVAR(method="granger", correction="none", alpha=1.0), table, equal_series=True)

    by_hand = np.linalg.lstsq(design * root, now * root)[0]
    assert found.coefficients_[0] == pytest.approx(by_hand[1:].T)
    assert found.intercept_ == pytest.approx(by_hand[0])
    left = np.sum(w[:, None] * (now - design @ by_hand) ** 2, axis=0)
    less = now - design[:, [0, 2]] @ np.linalg.lstsq((design * root)[:, [0, 2]], now * root)[0]
    size = w.sum() ** 2 / (w**2).sum()
    f = (np.sum(w * less[:, 1] ** 2) - left[1]) / (left[1] / (size - 3))
    assert found.f_[1, 0] == pytest.approx(f)
    assert found.p_values_[1, 0] == pytest.approx(stats.f.sf(f, 1, size - 3))


def test_noise_that_counts_thrice_is_that_of_three_series():
    rng = np.random.default_rng(5)
    within, lagged_effects = np.array([[1.0, 0.0], [-0.9, 1.0]]), np.array([[0.5, 0.0], [0.4, -0.3]])

    def course(n):
        noise = rng.uniform(-1, 1, size=(n + 100, 2)) @ np.linalg.inv(within).T
        return autoregressive([np.linalg.inv(within) @ lagged_effects], n, rng, noise=lambda _: noise)

    long, short = course(601), course(201)

    weighed = fitted(sl.VARLiNGAM(), together(long, short), equal_series=True)
    thrice = fitted(sl.VARLiNGAM(), together(long, short, short, short))

    assert weighed.order_ == thrice.order_ == ("x", "y")
    assert weighed.coefficients_ == pytest.approx(thrice.coefficients_)
    assert weighed.graph_.directed == thrice.graph_.directed
    worth = 2**2 / (1 / 600 + 1 / 200)  # rows, and Jarque and Bera's p-value is e^(-n…)
    assert np.log(weighed.normality_) / worth == pytest.approx(np.log(thrice.normality_) / 1200)


def test_an_order_is_told_by_weighted_noise_that_weighted_regressions_leave(monkeypatch):
    table, seen = uneven(), []

    def heard(left, weights, **options):
        seen.append((left, weights))
        return direct_order(left, weights, **options)

    monkeypatch.setattr(var_lingam, "direct_order", heard)
    fitted(sl.VARLiNGAM(), table, equal_series=True)

    now, past, ids = lagged(table)
    ((left, weights),) = seen
    design, root = np.column_stack([np.ones(len(now)), past]), np.sqrt(1.0 / np.bincount(ids)[ids])[:, None]
    by_hand = now - design @ np.linalg.lstsq(design * root, now * root)[0]
    assert weights == pytest.approx(weights_of_series(ids))
    scale = left.std(axis=0) / by_hand.std(axis=0)  # columns are standardised, by their weights
    assert left == pytest.approx(scale * by_hand)


def test_forecasts_that_count_thrice_are_those_of_three_series(monkeypatch):
    def of_steps(_, table):
        step = np.empty(len(table.steps.order), dtype=np.int64)
        step[table.steps.order] = table.steps.index
        step = step[table.at[:, 0]]
        return [(step < begin, (step > begin) & (step < begin + 40)) for begin in range(20, 220, 40)]

    monkeypatch.setattr(forecasts, "folds", of_steps)
    rng = np.random.default_rng(4)
    long, short = follows(301, 0.2, rng), follows(101, 0.5, rng)
    forward = sl.SparseVAR(criterion="forward", n_penalties=8)

    plain = fitted(forward, together(long, short))
    weighed = fitted(forward, together(long, short), equal_series=True)
    thrice = fitted(forward, together(long, short, short, short))

    assert weighed.penalty_ == pytest.approx(thrice.penalty_)
    assert plain.penalty_ != pytest.approx(thrice.penalty_)


def test_scores_are_those_of_weighted_counts():
    rng = np.random.default_rng(3)
    states = [rng.integers(0, 2, n) for n in (60, 9, 20)]
    table = together(*(np.column_stack([u, np.r_[0, u[:-1]]]) for u in states))
    now, _, ids = lagged(table)
    w = weights_of_series(ids)

    found = fitted(
        sl.DynamicNetwork(score="bic"),
        {name: column.astype(str) for name, column in table.items()},
        equal_series=True,
    )

    assert ("x[t-1]", "y[t]") in found.graph_.directed
    alone = [np.bincount(now[:, 0].astype(int), weights=w)]
    total = sum(float((n * np.log(n / n.sum())).sum()) for n in alone) - 0.5 * np.log(w.sum())
    total -= 2 * 0.5 * np.log(w.sum())  # y is x a step ago, without error: two numbers, and no logarithm
    assert found.score_ == pytest.approx(total)


@pytest.mark.parametrize(
    ("learner", "said"),
    [
        (sl.EdgeConfidence(sl.SparseVAR(equal_series=True, series="id"), n_resamples=2), "blocks are drawn"),
    ],
    ids=str,
)
def test_what_cannot_weigh_rows_refuses_to(learner, said):
    if "series" in learner.options:
        learner.set_params(series="id")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        with pytest.raises(sl.OptionError, match=said):
            learner.fit(uneven())
