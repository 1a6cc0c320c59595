"""How many lags a learner chooses, and the rows that a mask leaves to learn from."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.time.best_lags import most_lags
from structlearn.options.configured import copy_of
from tests.learners.time.series import autoregressive, named

LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "pcmci": sl.PCMCI(),
    "lingam": sl.VARLiNGAM(),
    "dynamic": sl.DynamicNetwork(),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())


def third_step_back(n=200, seed=0):
    """v0 acts on v1 three steps later; the noise is not Gaussian."""
    noise = np.random.default_rng(seed).laplace
    late = np.array([[0.0, 0.0], [0.8, 0.0]])
    matrices = [0.3 * np.eye(2), np.zeros((2, 2)), late]
    return autoregressive(matrices, n, None, noise=lambda shape: noise(size=shape))


def bic_by_hand(rows, k, most):
    """ℓ − ½ ln T (p(kp + 1) + p(p + 1)/2) of the rows that the most lags leave."""
    now = rows[most:]
    past = [rows[most - lag : len(rows) - lag] for lag in range(1, k + 1)]
    design = np.column_stack([np.ones(len(now)), *past])
    left = now - design @ np.linalg.lstsq(design, now)[0]
    (n, p), size = now.shape, design.shape[1]
    log_determinant = np.linalg.slogdet(left.T @ left / n)[1]
    likelihood = -n / 2 * (p * math.log(2 * math.pi) + log_determinant + p)
    return likelihood - math.log(n) / 2 * (p * size + p * (p + 1) / 2)


@every_learner
def test_as_many_lags_are_looked_at_as_have_the_best_bic_on_common_rows(learner):
    rows = third_step_back()
    by_hand = max(range(1, 6), key=lambda k: bic_by_hand(rows, k, 5))

    found = copy_of(learner).set_params(lags="bic", max_lags=5).fit(named(rows))

    assert by_hand == 3
    assert found.lags_ == (1, 2, 3)
    assert {fact["lag"] for fact in found.graph_.facts.values()} == {0, 1, 2, 3}
    assert found.graph_.edge("v0[t-3]", "v1[t]") is not None
    assert copy_of(learner).set_params(lags=[1, 3]).fit(named(rows)).lags_ == (1, 3)


def test_of_states_and_of_wide_tables_lags_reach_to_the_furthest_parent():
    rng = np.random.default_rng(1)
    u = rng.integers(0, 2, 300)
    v = np.where(rng.random(300) < 0.9, np.roll(u, 2), 1 - np.roll(u, 2))
    wide = rng.normal(size=(40, 20))
    wide[2:, 1] += 3.0 * wide[:-2, 0]

    assert sl.DynamicNetwork(lags="bic").fit({"u": u, "v": v}).lags_ == (1, 2)
    assert sl.SparseVAR(lags="bic").fit(named(wide)).lags_ == (1, 2)
    assert sl.SparseVAR(lags="bic").fit(named(rng.normal(size=(40, 20)))).lags_ == (1,)


def test_short_series_have_fewer_lags_to_choose_from():
    assert [most_lags(longest, 10) for longest in (2, 11, 12, 51, 52)] == [1, 2, 2, 10, 10]
    assert most_lags(500, 3) == 3
    many = named(np.random.default_rng(0).normal(size=(60, 2))) | {"id": np.repeat(np.arange(20), 3)}
    assert sl.SparseVAR(lags="bic", series="id").fit(many).lags_ == (1,)


def test_a_model_has_the_lags_that_were_chosen():
    rows = third_step_back()
    learner = sl.DynamicNetwork(lags="bic").fit(named(rows))

    assert learner.model(named(rows)).n_first == 3


@pytest.mark.parametrize("lags", ["aic", "", 0, []])
def test_other_words_for_lags_are_refused(lags):
    with pytest.raises(sl.OptionError, match="or 'bic'"):
        sl.PCMCI(lags=lags).fit(named(third_step_back()))


MASKS = {
    "truth": lambda m: m,
    "numbers": lambda m: m.astype(int),
    "words": lambda m: np.where(m, "True", "false"),
}


@pytest.mark.parametrize("written", MASKS.values(), ids=MASKS.keys())
@every_learner
def test_rows_behind_a_mask_are_only_what_came_before(learner, written):
    # In summer v0 acts on v1, in winter against it: over the year nothing shows.
    rng = np.random.default_rng(0)
    is_summer = np.arange(300) // 30 % 2 == 0
    rows = rng.uniform(-1, 1, size=(300, 2))
    rows[1:, 1] += np.where(is_summer[1:], 1.0, -1.0) * rows[:-1, 0]
    table = named(rows) | {"summer": written(is_summer)}
    reach = 2 if isinstance(learner, sl.PCMCI) else 1

    found = copy_of(learner).set_params(mask="summer").fit(table)

    assert found.n_lagged_rows_ == 150 - reach
    assert set(found.graph_.directed) == {("v0[t-1]", "v1[t]")}
    assert not copy_of(learner).fit(named(rows)).graph_.edge("v0[t-1]", "v1[t]")


@pytest.mark.parametrize(
    ("mask", "said"), [(np.arange(200), "true or false, 1 or 0"), (np.arange(200) == 0, "leaves 0 of 199")]
)
def test_masks_that_are_none_or_leave_nothing_are_refused(mask, said):
    with pytest.raises(sl.DataError, match=said):
        sl.SparseVAR(mask="here").fit(named(third_step_back()) | {"here": mask})
    with pytest.raises(sl.OptionError, match="there is no column 'here'"):
        sl.SparseVAR(mask="here").fit(named(third_step_back()))
