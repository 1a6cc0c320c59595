"""Noisy-or by expectation and maximisation over hidden causes: slow, and each step is an average."""

import math

import numpy as np


def probability_on(strengths, leak, state):
    """1 minus the product of the failures."""
    failures = math.prod(1 - s for s, on in zip(strengths, state, strict=True) if on)
    return 1 - (1 - leak) * failures


def log_likelihood(strengths, leak, counts):
    """`counts` maps joint states of the parents to how often the node is off and on."""
    total = 0.0
    for state, (off, on) in counts.items():
        share = probability_on(strengths, leak, state)
        total += (off * math.log(1 - share) if off else 0) + (on * math.log(share) if on else 0)
    return total


def em_step(strengths, leak, counts):
    """Each cause's expected share of the rows in which it is active; the leak is last, always active."""
    causes = [*strengths, leak]
    blamed, active = np.zeros(len(causes)), np.zeros(len(causes))
    for state, (off, on) in counts.items():
        share = probability_on(strengths, leak, state)
        for j, is_active in enumerate([*state, 1]):
            if is_active:
                active[j] += off + on
                blamed[j] += on * causes[j] / share if on else 0.0
    updated = np.divide(blamed, active, out=np.array(causes), where=active > 0)
    return updated[:-1].tolist(), float(updated[-1])
