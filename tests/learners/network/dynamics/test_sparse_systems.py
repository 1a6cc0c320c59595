"""Systems row by row: what rows count, and what is left out to choose a penalty."""

from types import SimpleNamespace

import numpy as np
import pytest

from structlearn.learners.network.dynamics import sparse_systems
from structlearn.learners.network.dynamics.rates import Rates
from structlearn.learners.network.dynamics.sparse_rows import Design
from structlearn.run import Run


def system(states, rates, course, *, penalty, precision=None, **options):
    """The system of one node."""
    states, rates = np.array(states, dtype=float)[:, None], np.array(rates, dtype=float)[:, None]
    precision = np.ones(len(states)) if precision is None else np.array(precision)
    structure = SimpleNamespace(names=("a",), is_input=np.zeros(1, dtype=bool), costs=np.ones((1, 1)))
    sparsity = SimpleNamespace(penalty=penalty, bound=None, refit=False, n_penalties=3, smallest_share=0.1)
    return sparse_systems.sparse_system(
        Rates(states, rates, precision, np.array(course)),
        structure,
        sparsity,
        Run("test", progress=False),
        intercept=False,
        **options,
    )


@pytest.mark.parametrize(("weigh_rates", "expected"), [(False, 13 / 5), (True, 15 / 7)])
def test_rates_count_by_their_precision_where_that_is_asked_for(weigh_rates, expected):
    found = system(
        [1, 2], [1, 6], [0, 0], penalty=0.0, precision=[3.0, 1.0], weigh_rates=weigh_rates
    )  # least squares: Σ w x y / Σ w x²

    assert found.matrix[0, 0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("course", "left"),
    [
        ([0, 0, 0, 1, 1], [2, 3]),
        (
            [0] * 2 * sparse_systems.BLOCKS_OF_TIME,
            [2 * sparse_systems.BLOCKS_OF_TIME - 2] * sparse_systems.BLOCKS_OF_TIME,
        ),
        ([0, 0, 0], [2, 2, 2]),
    ],
)
def test_each_course_is_left_out_once_or_each_block_of_time_of_a_single_one(course, left, monkeypatch):
    sizes = []

    def of(states, *args, **options):
        sizes.append(len(states))
        return Design.of(states, *args, **options)

    monkeypatch.setattr(sparse_systems, "Design", SimpleNamespace(of=of))
    values = np.random.default_rng(0).normal(size=(2, len(course)))
    system(*values, course, penalty="cv")

    assert sizes == [len(course), *left]
