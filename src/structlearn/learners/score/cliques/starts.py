"""The decomposable graph that a search by links starts from."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph


def links_to_start_from(
    owner: str, names: tuple[str, ...], initial: Graph | None, closed: NDArray[np.bool_], max_clique: int
) -> NDArray[np.bool_]:
    """Which nodes the graph joins; refused where it breaks a rule of the search."""
    if initial is None:
        return np.zeros((len(names), len(names)), dtype=np.bool_)
    if set(initial.nodes) != set(names) or not initial.is_undirected:
        raise OptionError(
            f"{owner}(initial=…): initial is an undirected graph over the columns, {', '.join(names)}."
        )
    _refuse_unfit(owner, initial, max_clique)
    joined = initial.reordered(names).adjacency() > 0
    ruled_out = np.argwhere(joined & closed)
    if len(ruled_out):
        a, b = (names[i] for i in ruled_out[0])
        raise OptionError(f"{owner}(initial=…): knowledge forbids its edge {a} — {b}; remove one of the two.")
    return joined


def _refuse_unfit(owner: str, initial: Graph, max_clique: int) -> None:
    try:
        dag = initial.to_dag()
    except DataError:
        raise OptionError(
            f"{owner}(initial=…): a cycle of four or more nodes has no chord. Add chords, for example with "
            "BoundedTreewidth."
        ) from None
    if any(len(dag.parents(node)) >= max_clique for node in dag):
        raise OptionError(f"{owner}(initial=…): a clique has more than max_clique={max_clique} nodes.")


def refuse_large_cliques(owner: str, n_columns: int, max_clique: int) -> None:
    """Refuse cliques with more sets of columns than a whole number can count."""
    if (n_columns + 1) ** max_clique >= 2**63:
        raise OptionError(
            f"{owner}(max_clique={max_clique}): {n_columns} columns have too many sets of that size to look "
            "at. Use a smaller one."
        )
