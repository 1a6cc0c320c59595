"""Trees, branchings and k-trees by enumeration."""

from itertools import combinations, product


def forests(n_nodes):
    """Every set of edges without a cycle."""
    pairs = list(combinations(range(n_nodes), 2))
    for size in range(n_nodes):
        yield from (edges for edges in combinations(pairs, size) if _is_forest(n_nodes, edges))


def branchings(n_nodes):
    """Every DAG in which no node has two parents, as a tuple of parents; None for a root."""
    choices = [[None, *(u for u in range(n_nodes) if u != v)] for v in range(n_nodes)]
    for parents in product(*choices):
        if all(_reaches_a_root(parents, v) for v in range(n_nodes)):
            yield parents


def _is_forest(n_nodes, edges):
    part = list(range(n_nodes))
    for a, b in edges:
        if part[a] == part[b]:
            return False
        part = [part[a] if p == part[b] else p for p in part]
    return True


def _reaches_a_root(parents, node):
    for _ in parents:
        if parents[node] is None:
            return True
        node = parents[node]
    return False
