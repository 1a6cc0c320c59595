"""Which nodes of a directed network matter for a question.

`directed` is (starts of parents, parents, starts of children, children), compressed rows of the graph.
`codes` has the observed state of each node, -1 where it is unknown; `soft` marks nodes with a likelihood,
`cut` those that are set from outside, so that no arrow leads into them.
"""

import numpy as np

from structlearn.compile import kernel


@kernel
def required_nodes(directed, query, codes, soft, cut):
    """Mark the nodes whose distribution the posterior of `query` depends on, by the Bayes ball.

    Shachter (1998). A node is needed when the ball bounces off its top, towards its parents.
    """
    parent_starts, parents, child_starts, children = directed
    n = codes.size
    top = np.zeros(n, dtype=np.bool_)
    bottom = np.zeros(n, dtype=np.bool_)
    stack = np.empty(2 * (parents.size + children.size) + 2 * query.size + 2, dtype=np.int64)
    height = 0
    for node in query:
        stack[height] = 2 * node
        height += 1
    while height > 0:
        height -= 1
        node, from_parent = stack[height] // 2, stack[height] % 2 == 1
        known = codes[node] >= 0
        if cut[node] or (known and not from_parent):
            continue
        if not top[node] and (known or soft[node] or not from_parent):
            top[node] = True
            for k in range(parent_starts[node], parent_starts[node + 1]):
                stack[height] = 2 * parents[k]
                height += 1
        if not known and not bottom[node]:
            bottom[node] = True
            for k in range(child_starts[node], child_starts[node + 1]):
                stack[height] = 2 * children[k] + 1
                height += 1
    return top


@kernel
def ancestral_nodes(directed, query, codes, soft, cut):
    """Mark the query, all evidence and all nodes above them; a cut node has no distribution, nor parents."""
    parent_starts, parents = directed[0], directed[1]
    found = np.zeros(cut.size, dtype=np.bool_)
    stack = np.empty(query.size + codes.size + parents.size, dtype=np.int64)
    height = 0
    for node in query:
        stack[height] = node
        height += 1
    for node in range(codes.size):
        if codes[node] >= 0 or soft[node]:
            stack[height] = node
            height += 1
    while height > 0:
        height -= 1
        node = stack[height]
        if found[node] or cut[node]:
            continue
        found[node] = True
        for k in range(parent_starts[node], parent_starts[node + 1]):
            stack[height] = parents[k]
            height += 1
    return found


@kernel
def connected_factors(factors, query, codes):
    """Mark the factors that a path of unknown variables joins to the query, in an undirected model."""
    scope_starts, scopes = factors[0], factors[1]
    n_factors = scope_starts.size - 1
    used = np.zeros(n_factors, dtype=np.bool_)
    reached = np.zeros(codes.size, dtype=np.bool_)
    for variable in query:
        reached[variable] = True
    changed = True
    while changed:
        changed = False
        for f in range(n_factors):
            if used[f]:
                continue
            for k in range(scope_starts[f], scope_starts[f + 1]):
                if reached[scopes[k]] and codes[scopes[k]] < 0:
                    used[f] = True
            if used[f]:
                changed = True
                for k in range(scope_starts[f], scope_starts[f + 1]):
                    reached[scopes[k]] = True
    return used
