"""The best order of a few nodes of an order, by dynamic programming over their sets."""

import numpy as np

from structlearn.compile import kernel
from structlearn.search.kernels.placing import choose_all


@kernel
def gather(lists, chosen, draw, window, is_inside):
    """Mark a random node and some that it is joined to, step by step, in its set or in a better one."""
    for x in range(chosen.size):
        is_inside[x] = False
    window[0] = int(draw[0] * chosen.size)
    is_inside[window[0]] = True
    count = 1
    for k in range(1, draw.size - 2, 3):
        x = window[int(draw[k] * count)]
        row = lists.first[x] + int(draw[k + 1] * (chosen[x] - lists.first[x] + 1))
        size = 0
        while size < lists.members.shape[1] and lists.members[row, size] >= 0:
            size += 1
        parent = lists.members[row, int(draw[k + 2] * size)] if size > 0 else x
        if not is_inside[parent] and count < window.size:
            is_inside[parent] = True
            window[count] = parent
            count += 1


@kernel
def bring_together(members, order, chosen, is_inside, is_below, window, spare):
    """Put the marked nodes side by side, and behind them what depends on them: where they begin, how many.

    What depends on marked nodes by way of others is not brought, as these have to stand between.
    """
    n, count, n_before = order.size, 0, 0
    for i in range(n):
        x = order[i]
        is_below[x] = False
        for j in range(members.shape[1]):
            parent = members[chosen[x], j]
            if parent < 0:
                break
            is_below[x] |= is_below[parent] or (is_inside[parent] and not is_inside[x])
        if is_below[x]:
            is_inside[x] = False
        elif is_inside[x]:
            window[count] = x
            count += 1
        else:
            spare[n_before] = x
            n_before += 1
    end = n_before + count
    for k in range(count):
        spare[n_before + k] = window[k]
    for i in range(n):
        if is_below[order[i]]:
            spare[end] = order[i]
            end += 1
    for i in range(n):
        order[i] = spare[i]
    return n_before, count


@kernel
def list_best(lists, position, begin, before, window, count, best):
    """Write the best row of every node in a window given each set of others in it; behind all where none is.

    `before` has the bits of all nodes up to the end of the window. Sets are numbers, with a bit per node.
    """
    n_sets, missing = 1 << count, ~before
    for k in range(count):
        for others in range(n_sets):
            best[k, others] = lists.scores.size
        for row in range(lists.first[window[k]], lists.first[window[k] + 1]):
            if lists.bits[row] & missing:
                continue
            needed = 0
            for j in range(lists.members.shape[1]):
                member = lists.members[row, j]
                if member < 0:
                    break
                if position[member] >= begin + count:
                    needed = -1
                    break
                if position[member] >= begin:
                    needed |= 1 << (position[member] - begin)
            if needed >= 0:
                best[k, needed] = min(best[k, needed], row)
            if needed == 0:
                break
        for bit in range(count):
            # Blocks without the node, and behind each the same sets with it: no set is asked what it has.
            for block in range(0, n_sets, 2 << bit):
                for others in range(block, block + (1 << bit)):
                    larger = others + (1 << bit)
                    best[k, larger] = min(best[k, larger], best[k, others])


@kernel
def arrange(scores, order, chosen, begin, window, count, best, totals, last):
    """Put the nodes of a window, which stand side by side from `begin` on, into their best order.

    `chosen` becomes the row of each in it.
    """
    totals[0] = 0.0
    for inside in range(1, 1 << count):
        totals[inside] = -np.inf
        for k in range(count):
            others = inside ^ (1 << k)
            if others < inside and best[k, others] < scores.size:
                total = totals[others] + scores[best[k, others]]
                if total > totals[inside]:
                    totals[inside] = total
                    last[inside] = k
    inside = (1 << count) - 1
    for place in range(begin + count - 1, begin - 1, -1):
        k = last[inside]
        inside ^= 1 << k
        order[place] = window[k]
        chosen[window[k]] = best[k, inside]


@kernel
def arrange_windows(lists, order, position, chosen, draws, marks, window, spare, best, totals, last):
    """Arrange one window after the other, each gathered by a row of random numbers.

    The others keep their rows until the end: choosing theirs after each window takes half of the time.
    """
    for i in range(draws.shape[0]):
        gather(lists, chosen, draws[i], window, marks[0])
        begin, count = bring_together(lists.members, order, chosen, marks[0], marks[1], window, spare)
        before = 0
        for y in range(order.size):
            position[order[y]] = y
            if y < begin + count:
                before |= lists.bit[order[y]]
        list_best(lists, position, begin, before, window, count, best)
        arrange(lists.scores, order, chosen, begin, window, count, best, totals, last)
    choose_all(lists, order, position, chosen)
