"""The model of a dependency network is of the numbers that the table has, however extreme they are."""

import numpy as np
import pytest

import structlearn as sl

N_ROWS = 120
FAR = 2**60  # beyond 2^53, and beside it 1024 is exact: as nanoseconds since 1970 are


def table():
    """A time in steps of 1024, a number and a state that follow it, and a state that says nothing."""
    rng = np.random.default_rng(0)
    time = rng.integers(0, 10**6, N_ROWS) * 1024
    share = time / time.max()
    state = np.where(share + 0.2 * rng.normal(size=N_ROWS) > 0.5, "late", "early")
    moved = share + 0.3 * (state == "late") + 0.05 * rng.normal(size=N_ROWS)
    return {"time": time, "moved": moved, "state": state, "coin": rng.choice(["h", "t"], N_ROWS)}


def fitted(learner, columns):
    kinds = {"time": "continuous", "moved": "continuous"}
    return sl.DependencyNetwork(learner=learner).fit(sl.Dataset(columns, kinds=kinds))


@pytest.mark.parametrize("learner", ["tree", "l1"])
def test_whole_numbers_far_from_0_are_those_of_the_table(learner):
    near = table()
    far = {**near, "time": near["time"] + FAR}

    expected, found = fitted(learner, near), fitted(learner, far)

    assert found.graph_ == expected.graph_
    assert set(found.graph_.parents("moved")) >= {"time"}
    one, other = expected.model_.predict(near), found.model_.predict(far)
    assert other["moved"] == pytest.approx(one["moved"], abs=1e-6)
    assert other["state"].tolist() == one["state"].tolist()
    assert other["time"] - FAR == pytest.approx(one["time"], abs=1e4)
    assert found.starts_["time"] == pytest.approx(
        (expected.starts_["time"][0] + FAR, expected.starts_["time"][1])
    )
    assert found.model_.pseudo_log_likelihood(far) == pytest.approx(
        expected.model_.pseudo_log_likelihood(near), abs=1e-3
    )


@pytest.mark.parametrize("unit", [2.0**-300, 2.0**300])
@pytest.mark.parametrize("learner", ["tree", "l1"])
def test_numbers_of_any_size_are_those_of_the_table(learner, unit):
    plain = {name: column * 1.0 if name == "time" else column for name, column in table().items()}
    extreme = {**plain, "time": plain["time"] * unit}

    expected, found = fitted(learner, plain), fitted(learner, extreme)

    one, other = expected.model_.predict(plain), found.model_.predict(extreme)
    assert other["moved"] == pytest.approx(one["moved"])
    assert other["state"].tolist() == one["state"].tolist()
    assert other["time"] / unit == pytest.approx(one["time"])
    shift = N_ROWS * np.log(unit)
    assert found.score_ + shift == pytest.approx(expected.score_)
    assert found.model_.pseudo_log_likelihood(extreme) + shift == pytest.approx(
        expected.model_.pseudo_log_likelihood(plain)
    )
