"""Each node given all others in a product of factors: Gibbs sampling and the pseudo-likelihood.

`logs` are the logarithms of all tables, one behind the other. The factors of node i are the rows
`starts[i] : starts[i + 1]` of `touches`: where the factor's table begins, the stride of the node in
it, and the first and last + 1 row of `others`, the other columns of that factor with their strides.
"""

import math

import numpy as np

from structlearn.compile import kernel


@kernel
def fill_logits(row, node, logs, starts, touches, others, logits):
    """The log weight of each state of a node, beside the states of the others in `row`."""
    logits[:] = 0.0
    for k in range(starts[node], starts[node + 1]):
        cell = touches[k, 0]
        for m in range(touches[k, 2], touches[k, 3]):
            cell += others[m, 1] * row[others[m, 0]]
        for state in range(logits.size):
            logits[state] += logs[cell + state * touches[k, 1]]


@kernel
def sweep_states(states, levels, logs, starts, touches, others, uniforms):
    """Draw every node of every chain given all others, in the order of the nodes, in place.

    `states` is (chains, nodes), `uniforms` as large and in [0, 1). A node all of whose states are
    impossible stays as it is.
    """
    n_chains, n_nodes = states.shape
    sums = np.empty(levels.max())
    for chain in range(n_chains):
        for node in range(n_nodes):
            logits = sums[: levels[node]]
            fill_logits(states[chain], node, logs, starts, touches, others, logits)
            highest = logits.max()
            if highest == -np.inf:
                continue
            total = 0.0
            last = 0
            for state in range(logits.size):
                weight = math.exp(logits[state] - highest)
                if weight > 0.0:
                    last = state
                total += weight
                logits[state] = total
            state = 0
            while state < last and logits[state] <= uniforms[chain, node] * total:
                state += 1
            states[chain, node] = state


@kernel
def _normalise(logits):
    """Turn logits into probabilities, in place; the logarithm of what their exponentials sum to."""
    highest = logits.max()
    total = 0.0
    for state in range(logits.size):
        logits[state] = math.exp(logits[state] - highest)
        total += logits[state]
    for state in range(logits.size):
        logits[state] /= total
    return highest + math.log(total)


@kernel
def log_conditionals(states, levels, logs, starts, touches, others):
    """The sum over nodes of the log probability of each given all others, for each row.

    -inf where a row is impossible.
    """
    n_rows, n_nodes = states.shape
    sums = np.zeros(n_rows)
    space = np.empty(levels.max())
    for row in range(n_rows):
        for node in range(n_nodes):
            logits = space[: levels[node]]
            fill_logits(states[row], node, logs, starts, touches, others, logits)
            chosen = logits[states[row, node]]
            if chosen == -np.inf:
                sums[row] = -np.inf
                break
            sums[row] += chosen - _normalise(logits)
    return sums


@kernel
def add_conditional_slopes(states, shares, levels, logs, starts, touches, others, slopes):
    """The shares times `log_conditionals`, and what they gain by a unit of each of `logs`, in place.

    No row is impossible.
    """
    value = 0.0
    space = np.empty(levels.max())
    for row in range(states.shape[0]):
        for node in range(states.shape[1]):
            logits = space[: levels[node]]
            fill_logits(states[row], node, logs, starts, touches, others, logits)
            chosen = logits[states[row, node]]
            value += shares[row] * (chosen - _normalise(logits))
            for k in range(starts[node], starts[node + 1]):
                cell = touches[k, 0]
                for m in range(touches[k, 2], touches[k, 3]):
                    cell += others[m, 1] * states[row, others[m, 0]]
                for state in range(logits.size):
                    slopes[cell + state * touches[k, 1]] -= shares[row] * logits[state]
                slopes[cell + states[row, node] * touches[k, 1]] += shares[row]
    return value
