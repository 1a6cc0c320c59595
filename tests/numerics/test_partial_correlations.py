"""Partial correlations are the correlations of what regressions on all other columns leave."""

import numpy as np
import pytest

from structlearn.numerics.partial_correlations import partial_correlations


def test_partial_correlations_are_those_of_residuals():
    rows = np.random.default_rng(0).normal(size=(200, 4)) @ np.triu(np.ones((4, 4)))
    rows -= rows.mean(axis=0)

    found = partial_correlations(np.linalg.inv(np.cov(rows, rowvar=False)))

    for a, b in [(0, 1), (0, 3), (2, 3)]:
        others = np.delete(rows, [a, b], axis=1)
        left = [rows[:, c] - others @ np.linalg.lstsq(others, rows[:, c])[0] for c in (a, b)]
        assert found[a, b] == pytest.approx(np.corrcoef(left)[0, 1])
        assert found[b, a] == pytest.approx(found[a, b])
