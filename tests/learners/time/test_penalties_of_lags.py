"""Sparse autoregression with penalties within sources, and penalties chosen by forecasts."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.time.autoregression.forecasts import folds
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import lagged_table
from tests.learners.time.series import autoregressive, named


def fitted(table, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.DataWarning)
        return sl.SparseVAR(**options).fit(table)


def chain(n=300, seed=0):
    """Four columns, each from the one before a step ago, the first from itself one and two steps ago."""
    one, two = 0.6 * np.eye(4, k=-1), np.zeros((4, 4))
    one[0, 0], two[0, 0] = 0.4, 0.4
    return named(autoregressive([one, two], n, np.random.default_rng(seed)))


TRUE = {("v0[t-1]", "v0[t]"), ("v0[t-2]", "v0[t]"), *((f"v{j}[t-1]", f"v{j + 1}[t]") for j in range(3))}


@pytest.mark.parametrize(
    ("method", "criterion"),
    [
        ("sparse-group-lasso", "ebic"),
        ("hierarchical-lasso", "ebic"),
        pytest.param("hierarchical-lasso", "forward", marks=pytest.mark.slow),
        pytest.param("sparse-group-lasso", "forward", marks=pytest.mark.slow),
    ],
)
def test_lags_that_act_are_found_without_those_that_do_not(method, criterion):
    found = fitted(chain(), method=method, criterion=criterion, lags=3)

    assert set(found.graph_.directed) >= TRUE
    group = fitted(chain(), criterion=criterion, lags=3)  # which has all lags of a source or none
    assert len(found.graph_.directed) < len(group.graph_.directed)


def test_later_lags_are_in_only_with_earlier_ones():
    found = fitted(chain(100), method="hierarchical-lasso", penalty=0.05, lags=3)

    is_in = found.coefficients_ != 0.0
    assert is_in[2].any()
    assert not (is_in[1:] & ~is_in[:-1]).any()


@pytest.mark.parametrize("method", ["lasso", pytest.param("group-lasso", marks=pytest.mark.slow)])
def test_forecasts_keep_what_acts_and_of_noise_hardly_anything(method):
    assert {("v0[t-1]", "v0[t]"), ("v1[t-1]", "v2[t]")} <= set(
        fitted(chain(), method=method, criterion="forward").graph_.directed
    )
    noise = [named(np.random.default_rng(seed).normal(size=(150, 4))) for seed in range(3)]
    assert sum(len(fitted(table, method=method, criterion="forward").graph_.directed) for table in noise) <= 6


def kept_by_lasso(z, y, penalties):
    """By many small steps, which columns the lasso keeps of each target at its penalty."""
    b = np.zeros((z.shape[1], y.shape[1]))
    for _ in range(400):
        b = b + 0.3 * z.T @ (y - z @ b) / len(y)
        b = np.sign(b) * np.maximum(np.abs(b) - 0.3 * penalties, 0.0)
    return np.abs(b) > 1e-6


def standard(rows):
    return (rows - rows.mean(axis=0)) / rows.std(axis=0)


def test_the_penalty_is_the_largest_within_a_standard_error_of_the_best_forecasts():
    """Each fold by hand: the same penalties, what they keep fitted by least squares, and its errors."""
    x = np.column_stack(list(chain(120, 3).values()))
    found, shares = fitted(named(x), criterion="forward", n_penalties=6, lags=1), np.geomspace(1.0, 0.05, 6)
    z, y = standard(x[:-1]), standard(x[1:])
    largest = np.abs(z.T @ y / 119).max(axis=0)
    cuts, errors = [part[0] for part in np.array_split(np.arange(119), 6)[1:]], np.zeros((5, 6, 4))
    for fold, (begin, end) in enumerate(zip(cuts, [*cuts[1:], 119], strict=True)):
        zb, yb = z[: begin - 1], y[: begin - 1]
        top = np.abs(standard(zb).T @ standard(yb) / len(zb)).max(axis=0)
        for place, share in enumerate(shares):
            kept = kept_by_lasso(standard(zb), standard(yb), share * top)
            for target in range(4):
                one, other = (
                    np.column_stack([np.ones(len(rows)), rows[:, kept[:, target]]])
                    for rows in (zb, z[begin:end])
                )
                fit = np.linalg.lstsq(one, yb[:, target])[0]
                errors[fold, place, target] = np.mean((y[begin:end, target] - other @ fit) ** 2)
    for target in range(4):
        own = errors[:, :, target]
        excess = own - own[:, [own.mean(axis=0).argmin()]]
        place = np.flatnonzero(excess.mean(axis=0) <= excess.std(axis=0, ddof=1) / np.sqrt(5))[0]
        assert found.penalty_[target] == pytest.approx(shares[place] * largest[target])


def test_folds_look_forward_over_a_gap_of_the_lags():
    table = chain(60) | {"id": np.repeat(["a", "b"], 30)}
    lagged = lagged_table("Somebody", from_dataset(sl.Dataset(table)), (1, 2), series="id")
    step = np.tile(np.arange(2, 30), 2)

    found = list(folds("Somebody", lagged))

    assert len(found) == 5
    for before, after in found:
        assert step[before].max() == step[after].min() - 3
    tried = np.sum([after for _, after in found], axis=0)
    assert (tried == (step >= step[found[0][1]].min())).all()


@pytest.mark.parametrize("options", [{"method": "granger"}, {"penalty": 0.1}], ids=str)
def test_there_is_nothing_to_choose_by_forecasts_without_penalties(options):
    with pytest.raises(sl.OptionError, match="there is none to choose"):
        fitted(chain(50), criterion="forward", **options)


def test_series_too_short_to_look_forward_in_are_refused():
    with pytest.raises(sl.DataError, match=r"criterion='forward'\): 8 rows with all lags.*too few"):
        fitted(chain(9), criterion="forward")
