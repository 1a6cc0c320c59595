"""Likenesses of columns are what their definitions say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.learners.regression.nodewise.feature_kernels import (
    Dependence,
    Gaussian,
    Linear,
    Polynomial,
    StandardRows,
)
from tests.oracles import likeness as oracle


def standard(rows, weights=None):
    weights = np.ones(len(rows)) if weights is None else np.array(weights)
    shares = weights / weights.sum()
    centred = rows - shares @ rows
    return StandardRows(centred / np.sqrt(shares @ centred**2), shares, float(weights.sum()))


@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 2**32), weighted=st.booleans())
def test_kernels_are_what_their_definitions_say(seed, weighted):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 4, 12) if weighted else np.ones(12, dtype=np.int64)
    rows = standard(rng.normal(size=(12, 3)), weights)
    values, shares = rows.values, rows.shares
    distance = shares @ (values[:, 0] - values[:, 1]) ** 2
    widths = [oracle.median_width(np.repeat(column, weights)) for column in values.T]

    assert Linear().matrix(rows)[0, 1] == pytest.approx(shares @ (values[:, 0] * values[:, 1]))
    product = (1 + shares @ (values[:, 0] * values[:, 1])) ** 3
    assert Polynomial(3).matrix(rows)[0, 1] == pytest.approx(product / 2**3)
    assert Gaussian(0.7).matrix(rows)[0, 1] == pytest.approx(np.exp(-distance / (2 * 0.7**2)))
    for bandwidth, used in ((None, widths), (0.7, [2 * 0.7**2] * 3)):
        expected = oracle.hsic(values[:, 0], values[:, 2], shares, (used[0], used[2]))
        assert Dependence(bandwidth).matrix(rows)[0, 2] == pytest.approx(expected)
    for kernel in (Linear(), Polynomial(2), Gaussian(None), Dependence(None)):
        matrix = kernel.matrix(rows)
        assert np.diag(matrix) == pytest.approx([1, 1, 1])
        assert np.linalg.eigvalsh(matrix).min() > -1e-12


def test_blocks_of_rows_add_up(monkeypatch):
    rows = standard(np.random.default_rng(0).normal(size=(40, 3)))
    whole = Dependence(None).matrix(rows), Dependence(None).by_chance(rows, 0.01)

    monkeypatch.setattr("structlearn.learners.regression.nodewise.feature_kernels.CELLS_AT_ONCE", 500)

    assert Dependence(None).matrix(rows) == pytest.approx(whole[0])
    assert Dependence(None).by_chance(rows, 0.01) == pytest.approx(whole[1])


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0), Dependence(None)], ids=str)
def test_independent_columns_exceed_the_likeness_of_chance_as_rarely_as_stated(kernel):
    rng = np.random.default_rng(0)
    rows = standard(rng.normal(size=(80, 60)))
    likeness = kernel.matrix(rows)[np.triu_indices(60, k=1)]

    share = (likeness > kernel.by_chance(rows, 0.05)).mean()

    # 1770 pairs, which lean on each other a little; the gamma distribution is an approximation.
    assert 0.01 < share < 0.09
