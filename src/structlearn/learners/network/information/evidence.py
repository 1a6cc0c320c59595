"""What speaks for the edges of a network of information."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.network.information.consensus import Support
from structlearn.numerics.information.chance import Chance
from structlearn.numerics.information.columns import Matrix
from structlearn.outcome import EdgeEvidence, Pair


def edge_evidence(
    names: tuple[str, ...],
    edges: NDArray[np.int64],
    information: Matrix,
    chance: Chance,
    support: Support | None,
) -> dict[Pair, EdgeEvidence]:
    """The information of each edge, its p-value and, of a consensus, the share of the resamples."""
    first, second = edges.T
    values = information[first, second]
    p_values: list[float | None] = [None] * len(first)
    shares: list[float | None] = [None] * len(first)
    if support is not None:
        p_values = support.p_value[first, second].tolist()
        shares = (support.counts[first, second] / support.n_resamples).tolist()
    elif len(chance.values):
        p_values = chance.p_value(values).tolist()
    rows = zip(first.tolist(), second.tolist(), values.tolist(), p_values, shares, strict=True)
    return {(names[i], names[j]): EdgeEvidence(value, p, share) for i, j, value, p, share in rows}
