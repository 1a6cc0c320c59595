"""From positions back to names: skeletons, with the directions that knowledge gives their edges."""

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links
from structlearn.search.limits import Limits


def with_known_directions(edges: NDArray[np.int64], limits: Limits) -> Links:
    """The edges, as arrows where only one direction is allowed and as lines elsewhere."""
    a, b = edges.T
    is_forward = limits.frozen[b, a] | limits.closed[a, b]
    is_backward = (limits.frozen[a, b] | limits.closed[b, a]) & ~is_forward
    arrows = np.concatenate([edges[is_forward], edges[is_backward][:, ::-1]])
    return Links(len(limits.frozen), arrows=arrows, lines=edges[~(is_forward | is_backward)])


def by_name(chosen: NDArray[np.bool_], names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns that each row of a matrix marks."""
    rows = zip(names, chosen, strict=True)
    return {name: tuple(names[v] for v in np.flatnonzero(row)) for name, row in rows}
