"""False discovery rates of correlations by their definitions, pair by pair of p-values."""

import numpy as np
from scipy import stats

SMALLEST_P = 2.2e-16


def p_values(rho, freedom):
    """Two-sided, by Student's t."""
    t = np.abs(rho) * np.sqrt((freedom - 1.0) / (1.0 - np.square(rho)))
    return np.clip(2.0 * stats.t.sf(t, freedom - 1.0), SMALLEST_P, 1.0)


def points(p_value, share):
    """The distribution of p-values as points from (0, 0) to (1, 1), within what the share allows."""
    values = sorted(set(p_value.tolist()))
    found = [(0.0, 0.0)]
    for value in values:
        height = np.mean(p_value <= value) if value < values[-1] else 1.0 - share * (1.0 - value)
        found.append((value, min(max(height, share * value), 1.0 - share * (1.0 - value))))
    return found if values[-1] == 1.0 else [*found, (1.0, 1.0)]


def density(x, corners):
    """The slope to the left of x of the least concave majorant, by the min-max formula."""
    return min(max((b - a) / (v - u) for v, b in corners if v >= x) for u, a in corners if u < x)


def majorant(x, corners):
    """The least concave curve above the points: the highest of all chords over x."""
    return max(
        a if u == v else a + (b - a) * (x - u) / (v - u)
        for u, a in corners
        for v, b in corners
        if u <= x <= v
    )


def rates(p_value, share):
    """The tail and the local false discovery rate of each p-value."""
    corners = points(p_value, share)
    tail = [min(1.0, share * p / majorant(p, corners)) for p in p_value.tolist()]
    local = [min(1.0, share / max(density(p, corners), share)) for p in p_value.tolist()]
    return np.array(tail), np.array(local)
