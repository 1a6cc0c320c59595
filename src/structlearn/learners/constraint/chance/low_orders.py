"""Tests of all pairs given every small set of others."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker, Subsets, separate_pairs
from structlearn.learners.constraint.skeletons.skeleton import complete_links
from structlearn.run import Run


def largest_p_values(
    asker: Asker, n_nodes: int, order: int, run: Run
) -> tuple[NDArray[np.float64], dict[str, list[int]]]:
    """The largest p-value of each pair over all sets of up to `order` others.

    The asker's level is 1, so that no pair is done before all of its sets are asked. A pair that there is no
    time for has p-value 1.
    """
    pairs = np.column_stack(np.triu_indices(n_nodes, k=1)).astype(np.int64)
    everything = complete_links(n_nodes)
    p_value = np.zeros(len(pairs))
    trace: dict[str, list[int]] = {"conditions": [], "tests": []}
    for size in range(order + 1):
        n_before = asker.n_tests
        found = separate_pairs(asker, Subsets(pairs, everything, size))
        p_value = np.maximum(p_value, found.largest_p)
        if size == 0:  # a question of each pair, one after the other
            p_value[asker.n_tests - n_before :] = 1.0
        trace["conditions"].append(size)
        trace["tests"].append(asker.n_tests - n_before)
        run.show(f"{size} conditions", size, order)
    return p_value, trace
