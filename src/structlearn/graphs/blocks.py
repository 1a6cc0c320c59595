"""The blocks of a graph: parts in which every two edges are on a common cycle, and bridges.

References
----------
.. [1] Hopcroft and Tarjan (1973), Algorithm 447: Efficient algorithms for graph manipulation,
   Communications of the ACM 16.
"""

from collections.abc import Iterator, Sequence


def blocks(adjacent: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The nodes of each block, sorted; two blocks share one node at most, and each edge is in one [1]_."""
    depth, low = [-1] * len(adjacent), [0] * len(adjacent)  # low: the highest that a part leads back to
    for root in range(len(adjacent)):
        if depth[root] >= 0:
            continue
        depth[root] = low[root] = 0
        walk, seen = [(root, iter(adjacent[root]))], [root]
        while walk:
            here, others = walk[-1]
            there = next((node for node in others if depth[node] < depth[here]), None)
            if there is None:
                walk.pop()
                if walk:
                    above = walk[-1][0]
                    low[above] = min(low[above], low[here])
                    if low[here] >= depth[above]:
                        at = seen.index(here, depth[here])
                        yield sorted([above, *seen[at:]])
                        del seen[at:]
            elif depth[there] >= 0:
                is_way_back = len(walk) > 1 and walk[-2][0] == there
                low[here] = min(low[here], depth[here] if is_way_back else depth[there])
            else:
                depth[there] = low[there] = len(walk)
                walk.append((there, iter(adjacent[there])))
                seen.append(there)
