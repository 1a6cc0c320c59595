"""Which columns vary, by moments and counts or by a look at the rows."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics import blocks, from_dataset, varying
from structlearn.statistics.varying import FEW_COLUMNS, are_constant, n_varying, names_that_vary


@pytest.mark.parametrize("n_columns", [6, FEW_COLUMNS + 1])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_columns_with_a_single_value_are_told_from_others_in_narrow_and_wide_tables(
    monkeypatch, n_columns, n_jobs
):
    monkeypatch.setattr(blocks, "COST_OF_A_THREAD", 0.0)
    monkeypatch.setattr(varying, "VALUES_AT_ONCE", 200)
    rng = np.random.default_rng(0)
    is_idle = rng.random(n_columns) < 0.5
    is_idle[:2] = True, False
    table = {f"x{j:04}": np.full(30, 0.1) if idle else rng.normal(size=30) for j, idle in enumerate(is_idle)}
    table |= {"y": np.array(["one"] * 30), "z": np.array(["one", "two"] * 15)}
    statistics = from_dataset(sl.Dataset(table), n_jobs=n_jobs)
    expected = [*is_idle.tolist(), True, False]

    assert are_constant(statistics).tolist() == expected
    assert n_varying(statistics) == expected.count(False)
    assert names_that_vary(statistics) == [
        name for name, idle in zip(table, expected, strict=True) if not idle
    ]
