"""Conditional distributions by their definitions: one row at a time, in plain Python."""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import linprog

from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.cpds import Family
from structlearn.statistics import from_dataset
from tests.oracles.models import network

CHILD = "y"


def numbers_of(cpd):
    """Every floating-point number of a CPD, in the order of `to_dict`."""
    return np.array(list(_floats(cpd.to_dict())))


def _floats(known):
    if isinstance(known, float):
        yield known
    elif isinstance(known, Mapping):
        for value in known.values():
            yield from _floats(value)
    elif isinstance(known, list | tuple):
        for value in known:
            yield from _floats(value)


@dataclass(frozen=True)
class Example:
    """A CPD of the node y, the distributions of its parents, and its probabilities by hand.

    `by_hand` takes a value of the node and then one of each parent: codes, or numbers. `parameters`
    gives what an estimate should recover, and `sizes` from how many rows.
    """

    cpd: Any
    parents: Mapping[str, Any]
    by_hand: Callable[..., float]
    parameters: Callable[[Any], Any] = numbers_of
    sizes: tuple[int, int, int] = (1_000, 16_000, 256_000)
    fit: Callable[[Family], Any] | None = field(default=None)

    def network(self):
        return network({**self.parents, CHILD: self.cpd})

    def refit(self, data):
        return (self.fit or self.cpd.fit)(family_of(data, CHILD, self.cpd.parents))


def family_of(dataset, child, parents):
    """The family of a node in a Dataset."""
    columns = tuple(dataset.names.index(parent) for parent in parents)
    position = dataset.names.index(child)
    labels = getattr(dataset.columns[position], "labels", ())
    return Family(from_dataset(dataset), position, columns, labels)


def coin(share, labels=("no", "yes")):
    """A root with two states, the second with this probability."""
    return TableCPD([1 - share, share], labels=labels)


def die(*shares):
    """A root with these probabilities."""
    return TableCPD(shares, labels=[f"s{k}" for k in range(len(shares))])


def bell(mean, deviation):
    """A normal root."""
    return LinearGaussianCPD(mean, {}, variance=deviation**2)


def normal(value, mean, variance):
    """The normal density."""
    return math.exp(-((value - mean) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def logistic(z):
    """The sigmoid function."""
    return 1 / (1 + math.exp(-z))


def softmax(*terms):
    """Shares proportional to the exponentials of sums, one for each state."""
    weights = [math.exp(sum(state)) for state in zip(*terms, strict=True)]
    return [weight / sum(weights) for weight in weights]


def switched(share_on, state):
    """The probability of a state, 0 or 1, of a node that is on with the given probability."""
    return share_on if state else 1 - share_on


def is_separated(design, counts):
    """Whether some weights explain each row the better the larger they are (Albert and Anderson, 1984).

    A linear programme: weights in [-1, 1], one set for each state, for which no other state of a cell ever
    gains on one that occurs there, and for which the sum of what they lose is as large as can be.
    """
    n_states, n_columns = counts.shape[1], design.shape[1]
    margins = []
    for row, seen in zip(design, counts, strict=True):
        for state, other in itertools.permutations(range(n_states), 2):
            if seen[state]:
                margin = np.zeros((n_states, n_columns))
                margin[state], margin[other] = row, -row
                margins.append(margin.ravel())
    total = np.sum(margins, axis=0)
    found = linprog(-total, A_ub=-np.array(margins), b_ub=np.zeros(len(margins)), bounds=(-1, 1))
    return -found.fun > 1e-7
