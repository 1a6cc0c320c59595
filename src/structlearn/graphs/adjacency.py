"""Graphs to and from matrices.

`[i, j]` and `[j, i]` together tell the edges between i and j, as sums where there are two::

    1, 0  i → j          8, 0  i o→ j
    1, 1  i — j          8, 8  i o–o j
    2, 2  i → j, j → i  16, 8  i –o j
    4, 4  i ↔ j
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs.edge import Edge, EdgeKind
from structlearn.graphs.links import Positions

if TYPE_CHECKING:
    from structlearn.graphs.structure import Structure

CODES: Mapping[EdgeKind, tuple[int, int]] = {
    "directed": (1, 0),
    "undirected": (1, 1),
    "bidirected": (4, 4),
    "partially directed": (8, 0),
    "nondirected": (8, 8),
    "partially undirected": (16, 8),
}
TWO_ARROWS = 2
_ALONE = {codes: kind for kind, codes in CODES.items() if kind != "bidirected"}


def matrix_of(graph: "Structure") -> NDArray[np.int8]:
    """Give the matrix of a graph."""
    links = graph.links
    matrix = np.zeros((links.n_nodes, links.n_nodes), dtype=np.int8)
    _set(matrix, links.arrows, "directed")
    sources, targets = links.arrows.T
    both = (matrix[targets, sources] == 1) & (sources != targets)
    matrix[sources[both], targets[both]] = TWO_ARROWS
    _set(matrix, links.lines, "undirected")
    _set(matrix, links.half_arrows, "partially directed")
    _set(matrix, links.open_lines, "nondirected")
    _set(matrix, links.half_lines, "partially undirected")
    matrix[tuple(links.arcs.T)] += CODES["bidirected"][0]
    matrix[tuple(links.arcs[:, ::-1].T)] += CODES["bidirected"][1]
    return matrix


def edges_of_matrix(nodes: Sequence[str], matrix: NDArray[Any]) -> list[Edge]:
    """Read whole numbers as `matrix_of` writes them; of other matrices, only what is zero and what not."""
    matrix = _numbers(matrix)
    if matrix.shape != (len(nodes), len(nodes)):
        raise DataError(f"{len(nodes)} nodes need a square matrix of that size, not {matrix.shape}.")
    if matrix.dtype.kind not in "iu":
        if not np.isfinite(matrix).all():
            i, j = np.argwhere(~np.isfinite(matrix))[0].tolist()
            raise DataError(
                f"The matrix has {matrix[i, j]} from {nodes[i]!r} to {nodes[j]!r}; it needs finite numbers, "
                "0 where there is no edge."
            )
        matrix = (matrix != 0).astype(np.int8)
        if matrix.diagonal().any():
            name = nodes[int(matrix.diagonal().argmax())]
            raise DataError(f"The matrix joins {name!r} to itself; set its diagonal to zero.")
    places = np.argwhere(np.triu((matrix != 0) | (matrix.T != 0))).tolist()
    return [edge for i, j in places for edge in _between(nodes, i, j, int(matrix[i, j]), int(matrix[j, i]))]


def _numbers(matrix: Any) -> NDArray[Any]:
    try:
        found = np.asarray(matrix)
        return found if found.dtype.kind in "iu" else found.astype(np.float64)
    except (TypeError, ValueError):
        raise DataError("A matrix of edges is a square array of numbers, and this is none.") from None


def _set(matrix: NDArray[np.int8], edges: Positions, kind: EdgeKind) -> None:
    there, back = CODES[kind]
    matrix[edges[:, 0], edges[:, 1]] = there
    if back:
        matrix[edges[:, 1], edges[:, 0]] = back


def _between(nodes: Sequence[str], i: int, j: int, there: int, back: int) -> Iterator[Edge]:
    a, b = nodes[i], nodes[j]
    if i == j and there == 1:
        yield Edge(a, a)
    elif (there, back) in _ALONE:
        yield Edge(a, b, _ALONE[there, back])
    elif (back, there) in _ALONE:
        yield Edge(b, a, _ALONE[back, there])
    elif i != j and (there, back) in _TOGETHER:
        yield from (
            Edge(b, a, kind) if is_back else Edge(a, b, kind) for kind, is_back in _TOGETHER[there, back]
        )
    else:
        raise DataError(f"The matrix has {there} from {a!r} to {b!r} and {back} back, which says no edge.")


_Way = tuple[EdgeKind, bool]
_ARC: _Way = ("bidirected", False)
_THERE: _Way = ("directed", False)
_BACK: _Way = ("directed", True)
_TOGETHER: Mapping[tuple[int, int], tuple[_Way, ...]] = {
    (2, 2): (_THERE, _BACK),
    (4, 4): (_ARC,),
    (5, 4): (_THERE, _ARC),
    (4, 5): (_BACK, _ARC),
    (6, 6): (_THERE, _BACK, _ARC),
}
