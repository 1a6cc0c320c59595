"""Every learner of the catalog, and tables that each of them must cope with."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.catalog import CATALOG


@pytest.fixture(params=CATALOG.values(), ids=CATALOG.keys())
def method(request):
    """Every method; a new one joins these tests by its line in the catalog."""
    return request.param


@pytest.fixture
def learner(method):
    return method.load()()


@pytest.fixture(params=["discrete", "continuous"])
def table(request, method):
    """A small table with a known chain of dependence, of each kind that the method takes."""
    if request.param not in method.takes:
        pytest.skip(f"{method.name} does not take {request.param} columns")
    return chain_table(request.param)


def chain_table(kind, n_rows=400, seed=0):
    """Columns d — b — a — c: each depends on the one before, names out of order on purpose."""
    rng = np.random.default_rng(seed)
    if kind == "continuous":
        columns = [rng.normal(size=n_rows)]
        for _ in range(3):
            columns.append(0.8 * columns[-1] + rng.normal(size=n_rows))
    else:
        columns = [rng.integers(0, 3, n_rows)]
        for _ in range(3):
            noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.3)
            columns.append((columns[-1] + noise) % 3)
    return dict(zip("dbac", columns, strict=True))


CHAIN = sl.Graph("dbac", undirected=[("d", "b"), ("b", "a"), ("a", "c")])
