"""What a DAG looks like with nodes hidden or selected: its MAG (Richardson and Spirtes, 2002) or ADMG."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.graphs.ancestral import almost_directed_cycle, inseparable_pair, line_with_an_arrow
from structlearn.graphs.equivalence import consistent_extension
from structlearn.graphs.links import Links, Positions
from structlearn.graphs.separation import ancestor_matrix, d_separated_many, topological_order

# Pairs are asked about in blocks of queries of this many numbers, 32 MiB.
MOST_CELLS = 2**22


def maximal_ancestral_graph(dag: Links, observed: Positions, selected: Positions) -> Links:
    """The MAG over the `observed` nodes, which it numbers 0, 1, …, given the `selected` ones.

    Two nodes are joined unless their observed ancestors and those of the selected nodes separate them:
    if these do not, no set does. The mark at x is a tail exactly if x is an ancestor of the other end
    or of a selected node.
    """
    above = ancestor_matrix(dag)
    above_selected: NDArray[np.bool_] = np.asarray(above[selected].any(axis=0))
    above_selected[selected] = True
    is_tail = (above | above_selected).tolist()
    places = observed.tolist()
    arrows, lines, arcs = [], [], []
    for i, j in _joined(dag, observed, selected, above | above_selected):
        tail_at_x, tail_at_y = is_tail[places[j]][places[i]], is_tail[places[i]][places[j]]
        if tail_at_x and tail_at_y:
            lines.append((i, j))
        elif tail_at_x or tail_at_y:
            arrows.append((i, j) if tail_at_x else (j, i))
        else:
            arcs.append((i, j))
    return Links(len(observed), arrows=arrows, lines=lines, arcs=arcs)


def latent_projection(dag: Links, observed: Positions) -> Links:
    """The ADMG over the `observed` nodes, which it numbers 0, 1, … (Verma and Pearl, 1990).

    x → y where a directed path leads from x to y through hidden nodes alone, and x ↔ y where such paths lead
    to both from a hidden node.
    """
    place = {node: i for i, node in enumerate(observed.tolist())}
    shown: dict[int, set[int]] = {}  # by node the observed ones that it acts on through hidden ones alone
    for node in reversed(topological_order(dag) or ()):
        children = dag.children(node).tolist()
        shown[node] = {child for child in children if child in place}.union(
            *(shown[child] for child in children if child not in place)
        )
    arrows = [(place[node], place[below]) for node in place for below in sorted(shown[node])]
    arcs = {
        pair for node, below in shown.items() if node not in place for pair in combinations(sorted(below), 2)
    }
    return Links(len(place), arrows=arrows, arcs=[(place[a], place[b]) for a, b in sorted(arcs)])


def member_of_pag(pag: Links) -> Links:
    """One MAG of the class of a PAG (Zhang, 2008): o→ and –o become →, and o–o are directed as in a DAG."""
    directed = consistent_extension(Links(pag.n_nodes, lines=pag.open_lines))
    if directed is None:
        raise DataError("The o–o edges cannot be directed without a collider, so no MAG has this PAG.")
    arrows = np.concatenate([pag.arrows, pag.half_arrows, pag.half_lines, directed])
    return Links(pag.n_nodes, arrows=arrows, lines=pag.lines, arcs=pag.arcs)


def has_member(pag: Links) -> bool:
    """Whether there is a MAG with these edges and marks."""
    try:
        member = member_of_pag(pag)
    except DataError:
        return False
    return topological_order(member) is not None and not (
        line_with_an_arrow(member) or almost_directed_cycle(member) or inseparable_pair(member)
    )


def _joined(
    dag: Links, observed: Positions, selected: Positions, useful: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """The pairs, by place among the observed, that their useful nodes do not separate."""
    width = 2 + len(observed) + len(selected)
    pairs = np.column_stack(np.triu_indices(len(observed), k=1))
    found: list[tuple[int, int]] = []
    for start in range(0, len(pairs), max(1, MOST_CELLS // width)):
        block = pairs[start : start + max(1, MOST_CELLS // width)]
        ends = observed[block]
        is_useful = useful[ends[:, 0]] | useful[ends[:, 1]]
        is_useful[np.arange(len(ends))[:, None], ends] = False
        separators = np.where(is_useful[:, observed], observed, -1)
        queries = np.column_stack([ends, separators, np.tile(selected, (len(ends), 1))])
        found += [(i, j) for i, j in block[~d_separated_many(dag, queries)].tolist()]
    return found
