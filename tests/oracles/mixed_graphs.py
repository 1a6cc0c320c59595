"""Graphs with a mark at each end by their definitions (Richardson and Spirtes, 2002): slow and plain.

Nodes are positions. An edge is (a, mark at a, mark at b, b), once, in either order; a mark is "-", ">" or
"o". `docs/references/graphs-with-marks.md` has the definitions and the numbers.
"""

from itertools import chain, combinations, pairwise, product

from tests.oracles import graphs as dag_oracle

ARROW, TAIL, CIRCLE = ">", "-", "o"
DIRECTED_WAYS = [(TAIL, ARROW), (ARROW, TAIL), (ARROW, ARROW)]
WAYS = [*DIRECTED_WAYS, (TAIL, TAIL)]


def of_graph(graph):
    """The edges of a Graph."""
    place = {name: i for i, name in enumerate(graph.nodes)}
    return frozenset((place[e.source], *e.marks, place[e.target]) for e in graph.edges)


def canonical(edges):
    """The same edges, each written once from its lower end."""
    return frozenset(edge if edge[0] < edge[3] else edge[::-1] for edge in edges)


def subsets(items):
    items = list(items)
    return chain.from_iterable(combinations(items, n) for n in range(len(items) + 1))


def arrows(edges):
    """The directed edges as (source, target)."""
    return {(a, b) for x in edges for a, at_a, at_b, b in (x, x[::-1]) if (at_a, at_b) == (TAIL, ARROW)}


def ancestors(edges, nodes):
    """The nodes and all with a directed path into one of them."""
    directed = arrows(edges)
    found = set(nodes)
    while more := {a for a, b in directed if b in found} - found:
        found |= more
    return found


def skeleton(edges):
    return {frozenset((edge[0], edge[3])) for edge in edges}


def paths(edges, x, y, visited=()):
    """Every path without a repeated node, as a list of edges written along the path."""
    for edge in edges:
        for a, at_a, at_b, b in (edge, edge[::-1]):
            if a != x or b in visited or b == x:
                continue
            step = (a, at_a, at_b, b)
            if b == y:
                yield [step]
            else:
                yield from ([step, *rest] for rest in paths(edges, b, y, (*visited, x)))


def is_open(path, given, above_given):
    """Whether no inner node blocks: a collider needs a descendant given, another node must not be given."""
    for (_, _, into, node), (_, out_of, _, _) in pairwise(path):
        is_collider = into == ARROW and out_of == ARROW
        if (node not in above_given) if is_collider else (node in given):
            return False
    return True


def m_separated(edges, x, y, given):
    """Whether no path is open."""
    above_given = ancestors(edges, given)
    return not any(is_open(path, given, above_given) for path in paths(edges, x, y))


def separations(n_nodes, edges):
    """Everything that is separated: the independence model of a graph."""
    above = {given: ancestors(edges, given) for given in subsets(range(n_nodes))}
    found = set()
    for x, y in combinations(range(n_nodes), 2):
        between = list(paths(edges, x, y))
        for given in subsets(set(range(n_nodes)) - {x, y}):
            if not any(is_open(path, given, above[given]) for path in between):
                found.add((x, y, given))
    return frozenset(found)


def is_ancestral(edges):
    """No directed cycle, no arc beside a directed path, no arrow at the end of a line."""
    directed = arrows(edges)
    if not dag_oracle.is_acyclic(directed):
        return False
    for a, at_a, at_b, b in edges:
        if (at_a, at_b) == (ARROW, ARROW) and (a in ancestors(edges, [b]) or b in ancestors(edges, [a])):
            return False
        if (at_a, at_b) == (TAIL, TAIL) and any(_has_arrow_at(edges, end) for end in (a, b)):
            return False
    return True


def is_maximal(n_nodes, edges):
    """Whether a set separates every two nodes that no edge joins."""
    apart = {frozenset((x, y)) for x, y, _ in separations(n_nodes, edges)}
    return all(frozenset(pair) in apart | skeleton(edges) for pair in combinations(range(n_nodes), 2))


def ancestral_graphs(n_nodes, ways=WAYS):
    """Every ancestral graph over labelled nodes; leave lines out with ways=DIRECTED_WAYS."""
    pairs = list(combinations(range(n_nodes), 2))
    for choice in product([None, *ways], repeat=len(pairs)):
        edges = frozenset((a, *way, b) for (a, b), way in zip(pairs, choice, strict=True) if way)
        if is_ancestral(edges):
            yield edges


def mag_of_dag(dag, observed, selected=()):
    """The MAG of a DAG, a set of (source, target), by inducing paths; nodes keep their positions."""
    edges = {(a, TAIL, ARROW, b) for a, b in dag}
    found = set()
    for x, y in combinations(sorted(observed), 2):
        above = ancestors(edges, {x, y, *selected})
        if any(_is_inducing(path, {*observed, *selected}, above) for path in paths(edges, x, y)):
            at_x = TAIL if x in ancestors(edges, {y, *selected}) else ARROW
            at_y = TAIL if y in ancestors(edges, {x, *selected}) else ARROW
            found.add((x, at_x, at_y, y))
    return frozenset(found)


def pag_of_class(mags):
    """The marks that all members have, circles elsewhere; the members have the same skeleton."""
    members = [{(a, b): (at_a, at_b) for a, at_a, at_b, b in canonical(mag)} for mag in mags]
    return frozenset(
        (a, *(marks.pop() if len(marks) == 1 else CIRCLE for marks in map(set, zip(*seen, strict=True))), b)
        for a, b in members[0]
        for seen in [[member[a, b] for member in members]]
    )


def classes(n_nodes, mags):
    """The MAGs that separate the same, class by class."""
    found = {}
    for mag in mags:
        found.setdefault(separations(n_nodes, mag), []).append(mag)
    return list(found.values())


def _has_arrow_at(edges, node):
    return any(a == node and at_a == ARROW for x in edges for a, at_a, _, _ in (x, x[::-1]))


def _is_inducing(path, known, above):
    """Whether every inner node that is observed or selected is a collider, and every collider is above."""
    for (_, _, into, node), (_, out_of, _, _) in pairwise(path):
        is_collider = into == ARROW and out_of == ARROW
        if (is_collider and node not in above) or (not is_collider and node in known):
            return False
    return True
