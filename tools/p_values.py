"""P-values of two columns given others, with numpy and scipy only: by Fisher's z, G² and X²."""

from typing import Any

import numpy as np
from scipy.special import chdtrc

OPTIONS = "(dof='adjusted', sparse='asymptotic', min_rows_per_cell=None, unreliable='independent')"
TESTS = ("FisherZ()", "G2" + OPTIONS, "Chi2" + OPTIONS)


def read(test: str, texts: list[str]) -> Any:
    """The numbers of a column, or its states by numbers from 0."""
    if test == "FisherZ()":
        return np.array(texts, dtype=float)
    return np.unique(texts, return_inverse=True)[1]


def p_value(test: str, a: Any, b: Any, given: list[Any]) -> float:
    """Of two columns that were read, where the others are given."""
    if test == "FisherZ()":
        return _of_partial_correlation(np.array([a, b, *given]))
    state = np.unique(given or [0 * a], axis=1, return_inverse=True)[1]
    cells = (state, a, b)
    counts = np.zeros([each.max() + 1 for each in cells])
    np.add.at(counts, cells, 1.0)
    of_a, of_b = counts.sum(axis=2, keepdims=True), counts.sum(axis=1, keepdims=True)
    expected = of_a * of_b / counts.sum(axis=(1, 2), keepdims=True)
    ratios = counts[cells] / expected[cells]  # a row each, so that empty cells are in neither sum
    distance = np.sum(ratios - 1.0) if test.startswith("Chi2") else 2.0 * np.sum(np.log(ratios))
    freedom = np.sum(((of_a > 0).sum(axis=1) - 1) * ((of_b > 0).sum(axis=2) - 1))
    return float(chdtrc(freedom, max(distance, 0.0))) if freedom else 1.0


def _of_partial_correlation(columns: Any) -> float:
    inverse = np.linalg.inv(np.corrcoef(columns))
    z = np.arctanh(inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
    return float(chdtrc(1, z**2 * max(columns.shape[1] - len(columns) - 1, 0)))
