"""The Gaussian distribution of most likelihood whose precision matrix is zero off a given graph.

Dempster (1972), Covariance selection, Biometrics 28.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.precision.penalised_likelihood import Matrix, PrecisionFit
from structlearn.numerics.sparse_precision import sparse_precision
from structlearn.run import MustStop, never

# Of the gap, for each column: a likelihood is then good to it, trace and log determinant together, but
# entries, or the log determinant alone, to about its root.
TOLERANCE = 1e-10
CONVERGED = 1e-8  # the largest gap, for each column, of a likelihood that has a maximum


def covariance_selection(
    covariance: Matrix,
    adjacency: NDArray[np.bool_],
    *,
    start: Matrix | None = None,
    tolerance: float = TOLERANCE,
    must_stop: MustStop = never,
    on_card: bool = False,
) -> PrecisionFit | None:
    """Fit by Newton's method: entries of the graph are free, others have an infinite penalty.

    None where the likelihood has no maximum, as with fewer rows than a clique has nodes. A
    `start` that is positive definite saves steps.
    """
    penalties = np.where(adjacency, 0.0, np.inf)
    np.fill_diagonal(penalties, 0.0)
    fit = sparse_precision(
        covariance, penalties, start=start, tolerance=tolerance, must_stop=must_stop, on_card=on_card
    )
    return fit if fit.gap <= CONVERGED * len(covariance) else None
