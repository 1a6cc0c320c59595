"""Dependency networks by their definitions: loops over rows and joint states."""

import itertools
import math

import numpy as np

TIE = 1e-9


def evidence(states, n_states, alpha):
    """The log probability of a sequence of states, each predicted from those before it."""
    counts, total = [0] * n_states, 0.0
    for seen, state in enumerate(states):
        total += math.log((counts[state] + alpha) / (seen + alpha * n_states))
        counts[state] += 1
    return total


def tree_of(rows, child, levels, kappa=0.01, alpha=1.0):
    """The greedy tree of a column: (parent, value, branch, branch) or the probabilities of a leaf.

    Beside it what the tests of each parent gain.
    """
    n_states = levels[child]

    def worth(part):
        return evidence([row[child] for row in part], n_states, alpha) + (n_states - 1) * math.log(kappa)

    best, best_gain = None, TIE
    for parent, value in tests(levels, child):
        parts = [row for row in rows if row[parent] == value], [row for row in rows if row[parent] != value]
        if all(parts):
            gain = sum(map(worth, parts)) - worth(rows)
            if gain > best_gain + TIE:
                best, best_gain = (parent, value, *parts), gain
    if best is None:
        counts = [sum(row[child] == state for row in rows) + alpha for state in range(n_states)]
        return [count / sum(counts) for count in counts], {}
    parent, value, *parts = best
    (left, gains), (right, others) = (tree_of(part, child, levels, kappa, alpha) for part in parts)
    together = {key: gains.get(key, 0.0) + others.get(key, 0.0) for key in {*gains, *others}}
    together[parent] = together.get(parent, 0.0) + best_gain
    return (parent, value, left, right), together


def tests(levels, child):
    return [(j, v) for j, n in enumerate(levels) if j != child for v in range(n)]


def sweep_matrix(levels, conditionals, order):
    """The transitions of a sweep between all joint states; conditionals[i](state) has probabilities."""
    states = list(itertools.product(*map(range, levels)))
    place = {state: k for k, state in enumerate(states)}
    whole = np.eye(len(states))
    for i in order:
        step = np.zeros((len(states), len(states)))
        for state in states:
            for value, share in enumerate(conditionals[i](state)):
                step[place[state], place[(*state[:i], value, *state[i + 1 :])]] += share
        whole = whole @ step
    return states, whole


def left_eigenvector(matrix):
    """The distribution that a matrix of transitions leaves as it is."""
    values, vectors = np.linalg.eig(matrix.T)
    found = np.real(vectors[:, np.argmin(np.abs(values - 1.0))])
    return found / found.sum()


def ising(fields, pulls):
    """The probability of each state of 0s and 1s, with weights of nodes and of pairs."""
    joint = np.zeros([2] * len(fields))
    for state in itertools.product((0, 1), repeat=len(fields)):
        energy = sum(f * x for f, x in zip(fields, state, strict=True))
        energy += sum(w * state[i] * state[j] for (i, j), w in pulls.items())
        joint[state] = math.exp(energy)
    return joint / joint.sum()
