"""From positions back to names: skeletons, with the directions that knowledge gives their edges."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.learners.constraint.known_pairs import KnownPairs


def with_known_directions(names: tuple[str, ...], edges: NDArray[np.int64], knowledge: Knowledge) -> Links:
    """The edges, as arrows where only one direction is allowed and as lines elsewhere."""
    arrows = KnownPairs(names, knowledge).directions(edges)
    known = {frozenset(arrow) for arrow in arrows.tolist()}
    lines = [edge for edge in edges.tolist() if frozenset(edge) not in known]
    return Links(len(names), arrows=arrows, lines=lines)


def by_name(chosen: NDArray[np.bool_], names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns that each row of a matrix marks."""
    rows = zip(names, chosen, strict=True)
    return {name: tuple(names[v] for v in np.flatnonzero(row)) for name, row in rows}
