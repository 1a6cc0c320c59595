"""Members of equivalence classes in the compressed rows of `class_structure`: their edges and families."""

import numpy as np

from structlearn.compile import kernel


@kernel
def with_arrow(starts, others, is_above, source, target):
    """A DAG with one arrow more: where rows start, who is adjacent, and who of these is a parent."""
    low, high = min(source, target), max(source, target)
    first, last = place_of(starts, others, low, high), place_of(starts, others, high, low)
    new_starts = starts.copy()
    new_starts[low + 1 :] += 1
    new_starts[high + 1 :] += 1
    new_others = with_two(others, first, high, last, low)
    return new_starts, new_others, with_two(is_above, first, target == low, last, target == high)


@kernel
def without_edge(starts, others, is_above, source, target):
    """A DAG with one edge less, in rows as `with_arrow` has them."""
    low, high = min(source, target), max(source, target)
    first, last = place_of(starts, others, low, high), place_of(starts, others, high, low)
    new_starts = starts.copy()
    new_starts[low + 1 :] -= 1
    new_starts[high + 1 :] -= 1
    return new_starts, without_two(others, first, last), without_two(is_above, first, last)


@kernel
def place_of(starts, others, node, other):
    """Where `other` is in the row of `node`, or would be."""
    place = starts[node]
    while place < starts[node + 1] and others[place] < other:
        place += 1
    return place


@kernel
def with_two(values, first, value, last, other_value):
    """The values with one more before each of two of them."""
    found = np.empty(values.size + 2, dtype=values.dtype)
    found[:first] = values[:first]
    found[first] = value
    found[first + 1 : last + 1] = values[first:last]
    found[last + 1] = other_value
    found[last + 2 :] = values[last:]
    return found


@kernel
def without_two(values, first, last):
    """The values less two of them."""
    found = np.empty(values.size - 2, dtype=values.dtype)
    found[:first] = values[:first]
    found[first : last - 1] = values[first + 1 : last]
    found[last - 1 :] = values[last + 1 :]
    return found


@kernel
def most_parents(starts, is_above):
    """The most parents that a node has."""
    most = 0
    for node in range(starts.size - 1):
        n_parents = 0
        for k in range(starts[node], starts[node + 1]):
            n_parents += is_above[k]
        most = max(most, n_parents)
    return most


@kernel
def other_families(starts, others, is_above, new_starts, new_others, new_is_above):
    """The nodes that have other parents in one DAG than in another."""
    found, n_found = np.empty(starts.size - 1, dtype=np.int64), 0
    for node in range(starts.size - 1):
        j, end, is_same = new_starts[node], new_starts[node + 1], True
        for k in range(starts[node], starts[node + 1]):
            if is_above[k]:
                while j < end and not new_is_above[j]:
                    j += 1
                is_same = is_same and j < end and new_others[j] == others[k]
                j += 1
        for k in range(j, end):
            is_same = is_same and not new_is_above[k]
        if not is_same:
            found[n_found] = node
            n_found += 1
    return found[:n_found]
