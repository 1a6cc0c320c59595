"""The data processing inequality on every triangle.

`information` is (p, p), symmetric; pairs without an edge have 0. The nodes that may stand between others and
have an edge to i are `others[starts[i]:starts[i + 1]]`, the one with most information first.
"""

from structlearn.compile import kernel


@kernel
def fill_mediators(information, starts, others, factor, difference, start, end, mediators):
    """Write for each edge of a block of nodes a third node that it could be indirect through, or -1.

    Only nodes to which the first end has more information than to the second can be: they head its list.
    """
    for i in range(start, end):
        for j in range(i + 1, information.shape[0]):
            own = information[i, j]
            mediators[i, j] = -1
            if own <= 0.0:
                continue
            # The shorter list of both.
            a, b = i, j
            if starts[j + 1] - starts[j] < starts[i + 1] - starts[i]:
                a, b = j, i
            for place in range(starts[a], starts[a + 1]):
                k = others[place]
                if own >= information[a, k] * factor - difference:
                    break
                if k != b and own < information[b, k] * factor - difference:
                    mediators[i, j] = k
                    break
