"""Graphs with the same degrees: at random, and around a ring."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel


@kernel
def exchange_ends(
    starts: NDArray[np.int64],
    others: NDArray[np.int64],
    pairs: NDArray[np.int64],
    n_attempts: int,
    generator: np.random.Generator,
) -> None:
    """Replace a–b and c–d by a–d and c–b, at random, where that makes no loop and no double edge.

    `others`, the compressed rows of `pairs`, and `pairs` itself are changed in place.
    """
    for _ in range(n_attempts):
        e = int(generator.random() * len(pairs))
        f = int(generator.random() * len(pairs))
        side = int(generator.random() * 2)
        a, b = pairs[e, 0], pairs[e, 1]
        c, d = pairs[f, side], pairs[f, 1 - side]
        if a in (c, d) or b in (c, d):
            continue
        if _place_of(starts, others, a, d) >= 0 or _place_of(starts, others, c, b) >= 0:
            continue
        others[_place_of(starts, others, a, b)] = d
        others[_place_of(starts, others, b, a)] = c
        others[_place_of(starts, others, c, d)] = b
        others[_place_of(starts, others, d, c)] = a
        pairs[e, 1] = d
        pairs[f, 1 - side] = b


@kernel
def join_nearest(order: NDArray[np.int64], degrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Join the nodes, taken in `order`, to the nearest on a ring until each has its degree.

    Where what is left near the end does not fit together, some edges are missing.
    """
    n_nodes = degrees.size
    left = degrees.copy()
    pairs = np.empty((degrees.sum() // 2, 2), dtype=np.int64)
    n_pairs = 0
    for node in order:
        wanted, left[node] = left[node], 0
        for apart in range(1, n_nodes // 2 + 1):
            for side in range(1 if 2 * apart == n_nodes else 2):
                other = (node + apart) % n_nodes if side == 0 else (node - apart) % n_nodes
                if wanted > 0 and left[other] > 0:
                    pairs[n_pairs] = node, other
                    n_pairs += 1
                    left[other] -= 1
                    wanted -= 1
            if wanted == 0:
                break
    return pairs[:n_pairs]


@kernel
def _place_of(starts, others, node, other):
    for place in range(starts[node], starts[node + 1]):
        if others[place] == other:
            return place
    return -1
