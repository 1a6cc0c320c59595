"""An equivalence class of DAGs in compressed rows: directing, labelling and comparing its edges.

Row `node` of `others` has the sorted nodes adjacent to it; beside each, `marks` says what it is to
the node in the CPDAG and `is_above` whether it is a parent in one member of the class.
"""

import numpy as np

from structlearn.compile import kernel

PARENT, CHILD, LINE = 1, 2, 3
UNCHANGED, BESIDE, LINED, TOUCHED = 0, 1, 2, 3


@kernel
def find(starts, others, node, other):
    """Where `other` is in the row of `node`; −1 where the two are not adjacent."""
    low, high = starts[node], starts[node + 1]
    while low < high:
        middle = (low + high) // 2
        if others[middle] < other:
            low = middle + 1
        else:
            high = middle
    if low < starts[node + 1] and others[low] == other:
        return low
    return -1


@kernel
def direct_lines(starts, others, marks, first, is_above):
    """Direct the lines of one part: the nodes in `first` as they come, then those with most lines behind.

    A part that lines join is chordal. Maximum cardinality search (Tarjan and Yannakakis, 1984)
    goes on from any start that some member has, without a cycle or a new v-structure.
    """
    n = starts.size - 1
    place = np.full(n, -1, dtype=np.int64)
    n_behind = np.zeros(n, dtype=np.int64)
    # Stacks of nodes by how many lines lead behind; a node is left where it was when it rises.
    top = np.full(n + 1, -1, dtype=np.int64)
    stacked = np.empty(others.size + 1, dtype=np.int64)
    below = np.empty(others.size + 1, dtype=np.int64)
    n_stacked, n_placed, highest = 0, 0, 0
    while True:
        if n_placed < first.size:
            node = first[n_placed]
        else:
            node = -1
            while highest >= 0 and node < 0:
                if top[highest] < 0:
                    highest -= 1
                    continue
                candidate = stacked[top[highest]]
                top[highest] = below[top[highest]]
                if place[candidate] < 0 and n_behind[candidate] == highest:
                    node = candidate
            if node < 0:
                break
        place[node] = n_placed
        n_placed += 1
        for k in range(starts[node], starts[node + 1]):
            other = others[k]
            if marks[k] != LINE:
                continue
            is_above[k] = place[other] >= 0
            if place[other] < 0:
                n_behind[other] += 1
                stacked[n_stacked] = other
                below[n_stacked] = top[n_behind[other]]
                top[n_behind[other]] = n_stacked
                n_stacked += 1
                highest = max(highest, n_behind[other])


@kernel
def parents_first(starts, others, is_above):
    """The nodes of the member, each after its parents."""
    n = starts.size - 1
    n_waiting = np.zeros(n, dtype=np.int64)
    order = np.empty(n, dtype=np.int64)
    n_placed = 0
    for node in range(n):
        for k in range(starts[node], starts[node + 1]):
            n_waiting[node] += is_above[k]
        if n_waiting[node] == 0:
            order[n_placed] = node
            n_placed += 1
    for i in range(n):
        for k in range(starts[order[i]], starts[order[i] + 1]):
            if not is_above[k]:
                child = others[k]
                n_waiting[child] -= 1
                if n_waiting[child] == 0:
                    order[n_placed] = child
                    n_placed += 1
    return order


@kernel
def other_ends(starts, others):
    """Where each edge is in the row of its other end: rows are sorted, so each is filled from its start."""
    n_filled = np.zeros(starts.size - 1, dtype=np.int64)
    twins = np.empty(others.size, dtype=np.int64)
    for k in range(others.size):
        other = others[k]
        twins[k] = starts[other] + n_filled[other]
        n_filled[other] += 1
    return twins


@kernel
def label(starts, others, is_above, marks):
    """Mark the arrows that all members share, and lines for the rest, by Chickering's (1995) labels.

    For the latest parent x of a node y: unless the other parents of y are parents of x, and the
    compelled parents of x are parents of y, all arrows into y are compelled; otherwise just
    those from the compelled parents of x.
    """
    order = parents_first(starts, others, is_above)
    twins = other_ends(starts, others)
    rank = np.empty(order.size, dtype=np.int64)
    for i in range(order.size):
        node = order[i]
        rank[node] = i
        latest = -1
        for k in range(starts[node], starts[node + 1]):
            if is_above[k] and (latest < 0 or rank[others[k]] > rank[latest]):
                latest = others[k]
        if latest < 0:
            continue
        is_free = may_be_free(starts, others, is_above, marks, node, latest)
        for k in range(starts[node], starts[node + 1]):
            if is_above[k]:
                is_compelled = not is_free
                if is_free and others[k] != latest:
                    is_compelled = marks[find(starts, others, latest, others[k])] == PARENT
                marks[k] = PARENT if is_compelled else LINE
                marks[twins[k]] = CHILD if is_compelled else LINE


@kernel
def label_told(starts, others, is_above, is_told, marks):
    """Mark the lines that experiments tell, and those that follow, as arrows of the member.

    Two of Meek's (1995) rules are enough: an arrow goes on past a node to one not adjacent to its source, and
    an edge follows a path of two arrows beside it. What v-structures ask for is marked already.
    """
    twins = other_ends(starts, others)
    has_changed = True
    while has_changed:
        has_changed = False
        for node in range(starts.size - 1):
            for k in range(starts[node], starts[node + 1]):
                if marks[k] != LINE or not is_above[k]:
                    continue
                source = others[k]
                if is_told[source, node] or follows(starts, others, marks, source, node):
                    marks[k], marks[twins[k]] = PARENT, CHILD
                    has_changed = True


@kernel
def follows(starts, others, marks, source, target):
    """Whether arrows make the line between two nodes an arrow from source to target."""
    for j in range(starts[source], starts[source + 1]):
        k = find(starts, others, target, others[j])
        if marks[j] == PARENT and k < 0 and others[j] != target:
            return True
        if marks[j] == CHILD and k >= 0 and marks[k] == PARENT:
            return True
    return False


@kernel
def may_be_free(starts, others, is_above, marks, node, latest):
    """Whether a node's other parents are those of its latest one, and the compelled of these its own."""
    for k in range(starts[node], starts[node + 1]):
        if is_above[k] and others[k] != latest:
            j = find(starts, others, latest, others[k])
            if j < 0 or not is_above[j]:
                return False
    for j in range(starts[latest], starts[latest + 1]):
        if marks[j] == PARENT:
            k = find(starts, others, node, others[j])
            if k < 0 or not is_above[k]:
                return False
    return True


@kernel
def changes(starts, others, marks, new_starts, new_others, new_marks):
    """Which nodes are TOUCHED: an edge changed; LINED to an end of an edge that came or went; BESIDE one.

    Parents of a touched node, and those LINED to it, are beside it: turning an edge to it changes its family.
    """
    n = starts.size - 1
    found = np.zeros(n, dtype=np.int8)
    for node in range(n):
        size = starts[node + 1] - starts[node]
        is_end = new_starts[node + 1] - new_starts[node] != size
        is_same = not is_end
        if is_same:
            for i in range(size):
                k, j = starts[node] + i, new_starts[node] + i
                is_same &= others[k] == new_others[j] and marks[k] == new_marks[j]
        if is_same:
            continue
        found[node] = TOUCHED
        for j in range(new_starts[node], new_starts[node + 1]):
            if new_marks[j] != CHILD:
                code = LINED if is_end and new_marks[j] == LINE else BESIDE
                found[new_others[j]] = max(found[new_others[j]], code)
    return found


@kernel
def reach_of_parts(starts, others, marks):
    """The part of each node that lines join, and per part the bits of the nodes that it leads to."""
    n = starts.size - 1
    part_of = np.full(n, -1, dtype=np.int64)
    members = np.empty(n, dtype=np.int64)
    first = np.empty(n + 1, dtype=np.int64)
    n_waiting = np.zeros(n, dtype=np.int64)
    n_parts, n_members = 0, 0
    for node in range(n):
        if part_of[node] >= 0:
            continue
        first[n_parts] = n_members
        i = n_members
        part_of[node] = n_parts
        members[n_members] = node
        n_members += 1
        while i < n_members:
            for k in range(starts[members[i]], starts[members[i] + 1]):
                if marks[k] == CHILD:
                    n_waiting[n_parts] += 1
                elif marks[k] == LINE and part_of[others[k]] < 0:
                    part_of[others[k]] = n_parts
                    members[n_members] = others[k]
                    n_members += 1
            i += 1
        n_parts += 1
    first[n_parts] = n
    reach = np.zeros((n_parts, (n + 63) // 64), dtype=np.uint64)
    ready = np.empty(n_parts, dtype=np.int64)
    n_ready = 0
    for part in range(n_parts):
        if n_waiting[part] == 0:
            ready[n_ready] = part
            n_ready += 1
    for r in range(n_parts):
        part = ready[r]
        for i in range(first[part], first[part + 1]):
            node = members[i]
            reach[part, node >> 6] |= np.uint64(1) << np.uint64(node & 63)
            for k in range(starts[node], starts[node + 1]):
                other = part_of[others[k]]
                if marks[k] == CHILD:
                    for word in range(reach.shape[1]):
                        reach[part, word] |= reach[other, word]
                elif marks[k] == PARENT:
                    n_waiting[other] -= 1
                    if n_waiting[other] == 0:
                        ready[n_ready] = other
                        n_ready += 1
    return part_of, reach
