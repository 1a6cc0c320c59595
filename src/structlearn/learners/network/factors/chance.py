"""What correlations are by chance."""

import math

from structlearn.later import special


def largest_by_chance(alpha: float, n_rows: float, n_pairs: int) -> float:
    """What the largest of so many correlations of normal noise exceeds with this probability."""
    if n_rows <= 3 or alpha == 0.0:  # Fisher's z has no rows left
        return 1.0
    level = min(alpha / (2.0 * max(n_pairs, 1)), 0.5)
    return math.tanh(float(-special.ndtri(level)) / math.sqrt(n_rows - 3.0))
