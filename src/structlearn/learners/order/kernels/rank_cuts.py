"""Cuts that every DAG keeps, and the search for those that a mixture of families breaks.

The nodes of a cut are in classes: `classes[node]` is below `N_CLASSES`, or −1 outside the cut. The rank of
a set of nodes is the number of classes it meets, but at most `rank`. The support of a mixture is
(child, members, weights, first, touching): its families, and the places of the families that
a node is in, `touching[first[node] : first[node + 1]]`.
"""

import numpy as np

from structlearn.compile import kernel

N_CLASSES = 4  # the fastest of 4, 5, 6 and 8, in one run each on insurance and two tables of alarm
LEAST_DROP = 1e-7  # of a slack: above the rounding of a few hundred weights, below any breach that counts


@kernel
def raises_rank(classes, rank, child, members, family):
    """Whether the child of a family raises the rank of its parents."""
    own = classes[child[family]]
    if own < 0:
        return False
    met, n_met = 0, 0
    for j in range(members.shape[1]):
        member = members[family, j]
        if member < 0 or classes[member] < 0:
            continue
        if classes[member] == own:
            return False
        bit = 1 << classes[member]
        n_met += not met & bit
        met |= bit
    return n_met < rank


@kernel
def fill_row(classes, rank, child, members, is_raised):
    """Whether each family raises the rank."""
    for family in range(child.size):
        is_raised[family] = raises_rank(classes, rank, child, members, family)


@kernel
def subtract_prices(classes, ranks, prices, child, members, losses):
    """Pay every family the prices of the cuts, a row of `classes` each, whose rank it raises."""
    for cut in range(prices.size):
        for family in range(child.size):
            if raises_rank(classes[cut], ranks[cut], child, members, family):
                losses[family] -= prices[cut]


@kernel
def grow_clusters(seeds, support, clusters, slacks):
    """From each arc of `seeds` add the node that helps most, and keep the cluster with the least slack.

    A cluster is a cut of rank 1: its slack is the weight of the families without a parent in it, less 1.
    """
    child, members, weights, _, _ = support
    n_nodes = clusters.shape[1]
    is_in, change = np.empty(n_nodes, dtype=np.bool_), np.empty(n_nodes)
    for seed in range(seeds.shape[0]):
        is_in[:] = False
        is_in[seeds[seed, 0]] = True
        added = seeds[seed, 1]
        slacks[seed] = np.inf
        while added >= 0:
            is_in[added] = True
            slack = _changes(is_in, child, members, weights, change)
            if slack < slacks[seed] - LEAST_DROP:
                slacks[seed] = slack
                for node in range(n_nodes):
                    clusters[seed, node] = 0 if is_in[node] else -1
            added = -1
            for node in range(n_nodes):
                if not is_in[node] and (added < 0 or change[node] < change[added]):
                    added = node


@kernel
def _changes(is_in, child, members, weights, change):
    """The slack of a cluster; `change` becomes what each node outside would add to it."""
    change[:] = 0.0
    slack = -1.0
    for family in range(child.size):
        is_met = False
        for j in range(members.shape[1]):
            is_met |= members[family, j] >= 0 and is_in[members[family, j]]
        if is_met:
            continue
        if not is_in[child[family]]:
            change[child[family]] += weights[family]
            continue
        slack += weights[family]
        for j in range(members.shape[1]):
            if members[family, j] >= 0:
                change[members[family, j]] -= weights[family]
    return slack


@kernel
def descend(starts, ranks, support, slacks):
    """Move one node at a time to the class, or out of the cut, that lowers the slack most."""
    sizes = np.empty(N_CLASSES, dtype=np.int64)
    for start in range(starts.shape[0]):
        classes, rank = starts[start], ranks[start]
        sizes[:] = 0
        for node in range(classes.size):
            if classes[node] >= 0:
                sizes[classes[node]] += 1
        while _descend_once(classes, rank, sizes, support):
            pass
        slacks[start] = _slack(classes, rank, sizes, support)


@kernel
def _descend_once(classes, rank, sizes, support):
    """Make the best move of one node; whether there is one."""
    best_drop, best_node, best_class = LEAST_DROP, -1, -1
    for node in range(classes.size):
        before = classes[node]
        slack = _slack_of_node(classes, rank, sizes, support, node)
        has_tried_empty = False
        for after in range(-1, N_CLASSES):
            is_empty = after >= 0 and sizes[after] == 0
            if after == before or (is_empty and has_tried_empty):
                continue
            has_tried_empty |= is_empty
            _move(classes, sizes, node, after)
            drop = slack - _slack_of_node(classes, rank, sizes, support, node)
            if drop > best_drop:
                best_drop, best_node, best_class = drop, node, after
        _move(classes, sizes, node, before)
    if best_node < 0:
        return False
    _move(classes, sizes, best_node, best_class)
    return True


@kernel
def _move(classes, sizes, node, after):
    if classes[node] >= 0:
        sizes[classes[node]] -= 1
    if after >= 0:
        sizes[after] += 1
    classes[node] = after


@kernel
def _slack_of_node(classes, rank, sizes, support, node):
    """The part of the slack that moving a node can change."""
    child, members, weights, first, touching = support
    slack = -_rank_of_all(rank, sizes)
    for i in range(first[node], first[node + 1]):
        if raises_rank(classes, rank, child, members, touching[i]):
            slack += weights[touching[i]]
    return slack


@kernel
def _slack(classes, rank, sizes, support):
    child, members, weights, _, _ = support
    slack = -_rank_of_all(rank, sizes)
    for family in range(child.size):
        if raises_rank(classes, rank, child, members, family):
            slack += weights[family]
    return slack


@kernel
def _rank_of_all(rank, sizes):
    n_classes = 0
    for size in sizes:
        n_classes += size > 0
    return float(min(rank, n_classes))
