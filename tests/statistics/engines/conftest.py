import numpy as np
import polars as pl
import pytest


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 300)
    return pl.DataFrame(
        {
            "a": [["u", "v", "w"][i] for i in a],
            "b": a % 2 == 0,
            "c": (a + rng.integers(0, 2, 300)) % 3,
            "x": rng.normal(size=300) + a,
            "times": rng.integers(1, 4, 300),
        }
    )
