"""What lone arcs between discrete columns bring, from popcounts to gains in one go."""

import numpy as np

from structlearn.compile import count_bits, kernel

CHILDREN_AT_ONCE = 8  # whose masks stay in the cache while those of all others pass by


@kernel
def pair_table_gains(masks, first_mask, levels, bits, n_log_n, price, alone, first, end, room, gains):
    """Write what each column from `first` up to `end` gains by each later column as its only parent.

    `bits` has the rows of each mask, `n_log_n[m]` is m·ln m, `price` is that of a free parameter, and `alone`
    the scores without parents. There is `room` for the largest table, of which the last row and column are
    what popcounts leave of the margins. One long loop: to hand arrays on for each pair takes as long as it.
    """
    n_words = np.uint64(masks.shape[1])  # unsigned, or numba asks of each place whether it is below 0
    for top in range(first, end, CHILDREN_AT_ONCE):
        for parent in range(top + 1, levels.size):
            at_parent, n_states = first_mask[parent], levels[parent]
            for child in range(top, min(top + CHILDREN_AT_ONCE, end, parent)):
                at_child, n_levels = first_mask[child], levels[child]
                for state in range(n_states):
                    room[n_levels - 1, state] = bits[at_parent + state]
                for level in range(n_levels - 1):
                    rest = bits[at_child + level]
                    for state in range(n_states - 1):
                        mask, other, n_bits = at_child + level, at_parent + state, np.uint64(0)
                        for w in range(n_words):
                            n_bits += count_bits(masks[mask, w] & masks[other, w])
                        count = np.int64(n_bits)
                        room[level, state] = count
                        room[n_levels - 1, state] -= count
                        rest -= count
                    room[level, n_states - 1] = rest
                    room[n_levels - 1, n_states - 1] -= rest
                total = 0.0
                for state in range(n_states):
                    for level in range(n_levels):
                        total += n_log_n[room[level, state]]
                    total -= n_log_n[bits[at_parent + state]]
                if price > 0.0:
                    total -= price * (n_states * (n_levels - 1.0))
                gains[child, parent] = total - alone[child]
