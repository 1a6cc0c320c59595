"""Sweeps of a Markov chain over blocks of columns, with the probabilities that each draw was made from."""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.models.kernels.factors import fill_logits


@kernel
def run_sweeps(states, levels, logs, neighborhoods, uniforms, watched, firsts, places, codes, shares, drawn):
    """Draw every block given all others, in order and in place, as often as `uniforms` has rows.

    `states` has the state of each block. Column w is part of the block `watched[w]`, and has the state
    `codes[places[w] + s]` where the block has the state s. For each sweep, `shares[:, firsts[w] :]` gets the
    probability of each state of the column given the other blocks, and `drawn[:, w]` its state.
    """
    starts, touches, others = neighborhoods
    space = np.empty(levels.max())
    for sweep in range(uniforms.shape[0]):
        for block in range(levels.size):
            shared = space[: levels[block]]
            fill_logits(states, block, logs, starts, touches, others, shared)
            states[block] = _draw(shared, uniforms[sweep, block])
            for w in range(watched.size):
                if watched[w] == block:
                    for state in range(shared.size):
                        shares[sweep, firsts[w] + codes[places[w] + state]] += shared[state]
        for w in range(watched.size):
            drawn[sweep, w] = codes[places[w] + states[watched[w]]]


@kernel
def _draw(logits, uniform):
    """Turn log weights, of which one is finite, into probabilities, and draw a state of them."""
    highest = logits.max()
    total = 0.0
    for state in range(logits.size):
        logits[state] = math.exp(logits[state] - highest)
        total += logits[state]
    chosen = 0
    left = uniform * total
    for state in range(logits.size):
        if logits[state] > 0.0 and left >= 0.0:
            chosen = state
        left -= logits[state]
        logits[state] /= total
    return chosen
