"""Markov equivalence: what every DAG with the same independences has in common.

Two DAGs are equivalent exactly if they have the same skeleton and the same v-structures (Verma
and Pearl, 1990). Everything works on positions; the sizes in mind are tens of thousands of nodes.
"""

from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from structlearn.errors import DataError
from structlearn.graphs.links import Links, Positions
from structlearn.graphs.mutable_links import MutableLinks
from structlearn.graphs.open_triples import open_triples
from structlearn.graphs.separation import topological_order

Arrow = tuple[int, int]
Triple = tuple[int, int, int]


def cpdag(dag: Links) -> Links:
    """Keep the arrows that every equivalent DAG has; make lines of the others."""
    order = topological_order(dag)
    if order is None:
        raise DataError("A graph with a directed cycle has no CPDAG; remove one of the arrows.")
    compelled = compelled_parents([set(dag.parents(node).tolist()) for node in range(dag.n_nodes)], order)
    is_arrow = np.array([source in compelled[target] for source, target in dag.arrows.tolist()], dtype=bool)
    return Links(dag.n_nodes, arrows=dag.arrows[is_arrow], lines=dag.arrows[~is_arrow])


def compelled_parents(parents: Sequence[set[int]], order: Sequence[int]) -> list[set[int]]:
    """The parents that each node has in every equivalent DAG, given an order in which parents come first.

    Chickering's (1995) order-edges and label-edges. For the latest parent x of a node y: unless the
    other parents of y are parents of x, and the compelled parents of x are parents of y, all
    arrows into y are compelled; otherwise just those from the compelled parents of x.
    """
    rank = {node: place for place, node in enumerate(order)}
    compelled: list[set[int]] = [set() for _ in parents]
    for node in order:
        if parents[node]:
            latest = max(parents[node], key=rank.__getitem__)
            is_free = parents[node] - {latest} <= parents[latest] and compelled[latest] <= parents[node]
            compelled[node] = compelled[latest] if is_free else parents[node]
    return compelled


def interventional_cpdag(dag: Links, targets: Iterable[set[int]]) -> Links:
    """Keep the arrows of every DAG that no experiment tells apart; make lines of the others.

    Where some nodes are set from outside, rows tell the direction of an edge with just one end among them.
    Equivalent DAGs share these arrows and the v-structures, and what follows from both by Meek's rules
    (Hauser and Bühlmann, 2012).
    """
    met = {(source, middle) for a, middle, c in v_structures(dag).tolist() for source in (a, c)}
    is_known = [
        (source, target) in met or any((source in each) != (target in each) for each in targets)
        for source, target in dag.arrows.tolist()
    ]
    is_arrow = np.array(is_known, dtype=bool)
    return meek_closure(Links(dag.n_nodes, arrows=dag.arrows[is_arrow], lines=dag.arrows[~is_arrow]))


def consistent_extension(links: Links) -> Positions | None:
    """Direct every line without a new v-structure or a cycle; None where that cannot be done.

    Dor and Tarsi (1992): find a sink whose lines may all point at it, take it away, go on. Only
    the nodes beside one taken away can become such a sink, so a queue replaces their scans.
    Of several sinks the one with the highest position goes first.
    """
    pdag = MutableLinks(links)
    directed: list[tuple[int, int]] = []
    waiting = [-node for node in range(links.n_nodes)]
    heapify(waiting)
    taken = [False] * links.n_nodes
    while waiting:
        node = -heappop(waiting)
        if taken[node] or not _may_be_sink(pdag, node):
            continue
        taken[node] = True
        directed += [(neighbor, node) for neighbor in sorted(pdag.neighbors[node])]
        for other in pdag.remove(node):
            heappush(waiting, -other)
    return (
        np.array([*links.arrows.tolist(), *directed], dtype=np.int64).reshape(-1, 2) if all(taken) else None
    )


def meek_closure(links: Links) -> Links:
    """Direct the lines that follow from the arrows by Meek's (1995) rules R1 to R4.

    Arrows may come from v-structures, from background knowledge, or both. A line that would close
    a directed cycle or make a new v-structure, as arrows that contradict each other can ask for,
    stays a line.
    """
    return propagate(links)[0]


def propagate(
    links: Links, ambiguous: Iterable[Triple] = (), *, are_at_odds: bool = False
) -> tuple[Links, list[Arrow]]:
    """The Meek closure, and the arrows that the rules ask for but that contradict others.

    Of a triple (a, b, c) in `ambiguous` nobody knows whether b is a collider: no rule takes it for none.
    Where arrows are known to be at odds, each that follows is asked at once whether it contradicts others;
    the answer is the same.
    """
    unknown = frozenset(_in_order(*triple) for triple in ambiguous)
    if not are_at_odds:
        closed, _ = _closure(links, unknown, guarded=False)
        if topological_order(closed) is not None and have_same_v_structures(closed, links):
            return closed, []
    closed, refused = _closure(links, unknown, guarded=True)
    still_lines = {frozenset(line) for line in closed.lines.tolist()}
    return closed, sorted(arrow for arrow in refused if frozenset(arrow) in still_lines)


def v_structures(links: Links) -> Positions:
    """Each (a, b, c) with arrows from a and from c at b, a < c and a, c not adjacent, sorted by b, a, c."""
    return np.concatenate([np.zeros((0, 3), dtype=np.int64), *open_triples(links.head_rows, links)])


def is_equivalent(first: Links, second: Links) -> bool:
    """Whether two DAGs over the same positions have the same skeleton and v-structures."""
    return np.array_equal(first.pairs(), second.pairs()) and have_same_v_structures(first, second)


def have_same_v_structures(first: Links, second: Links) -> bool:
    """Whether the same pairs of arrows meet, from ends that are not adjacent."""
    return np.array_equal(v_structures(first), v_structures(second))


def _may_be_sink(pdag: MutableLinks, node: int) -> bool:
    if pdag.children[node]:
        return False
    around = pdag.adjacent[node]
    return all(around - {neighbor} <= pdag.adjacent[neighbor] for neighbor in pdag.neighbors[node])


def _closure(links: Links, ambiguous: frozenset[Triple], *, guarded: bool) -> tuple[Links, set[Arrow]]:
    pdag = MutableLinks(links)
    refused: set[Arrow] = set()
    waiting = [(x, y) for x, y in links.arrows.tolist()]
    while waiting:
        x, y = waiting.pop()
        if not (pdag.neighbors[x] or pdag.neighbors[y]):
            continue  # every rule directs a line at an end of the arrow
        for source, target in sorted(_follow(pdag, x, y, ambiguous)):
            if target not in pdag.neighbors[source]:
                continue
            if guarded and _contradicts(pdag, source, target):
                refused.add((source, target))
                continue
            pdag.direct(source, target)
            waiting.append((source, target))
    return pdag.frozen(), refused


def _contradicts(pdag: MutableLinks, source: int, target: int) -> bool:
    """Whether source → target would close a cycle or make a new v-structure."""
    return bool(pdag.parents[target] - pdag.adjacent[source]) or pdag.leads(target, source)


def _follow(pdag: MutableLinks, x: int, y: int, ambiguous: frozenset[Triple]) -> set[tuple[int, int]]:
    """The arrows that the arrow x → y, in any role of any rule, asks for."""
    parents, children, neighbors, adjacent = pdag.parents, pdag.children, pdag.neighbors, pdag.adjacent

    def is_known(a: int, b: int, c: int) -> bool:
        return not ambiguous or _in_order(a, b, c) not in ambiguous

    found = {(y, c) for c in neighbors[y] - adjacent[x] if is_known(x, y, c)}  # R1
    found |= {(x, b) for b in neighbors[x] & children[y]}  # R2, as its first arrow
    found |= {(a, y) for a in neighbors[y] & parents[x]}  # R2, as its second
    for a in neighbors[y] & neighbors[x]:
        if any(is_known(x, a, d) for d in (parents[y] & neighbors[a]) - adjacent[x] - {x}):  # R3
            found.add((a, y))
    for b in children[y] - adjacent[x]:
        around = neighbors[x] & neighbors[b] & adjacent[y]
        found |= {(a, b) for a in around if is_known(x, a, b)}  # R4, as its first arrow
    for a in neighbors[y] & adjacent[x]:
        if any(is_known(d, a, y) for d in (parents[x] & neighbors[a]) - adjacent[y]):  # R4, as its second
            found.add((a, y))
    return found


def _in_order(a: int, b: int, c: int) -> Triple:
    return (min(a, c), b, max(a, c))
