"""Which sets have more in common with a group than chance would give them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from structlearn.later import special
from structlearn.numerics.multiplicity import adjusted


class Enrichment(NamedTuple):
    """A group and a set: what they share, how often chance would give as much, and that adjusted."""

    group: str
    gene_set: str
    n_shared: int
    n_group: int
    n_set: int
    p_value: float
    q_value: float


def enrichments(
    groups: Mapping[str, Iterable[str]], sets: Mapping[str, Iterable[str]]
) -> tuple[Enrichment, ...]:
    """Every group against every set, among all members of groups; the smallest p-values first.

    p-values are hypergeometric, P(X ≥ shared), and adjusted for all pairs by Benjamini and Hochberg. Sets
    without a member of any group are left out.
    """
    members = {group: frozenset(each) for group, each in groups.items()}
    universe = frozenset().union(*members.values())
    known = {name: universe.intersection(each) for name, each in sets.items()}
    found = [
        (group, name, len(inside & known[name]), len(inside), len(known[name]))
        for group, inside in members.items()
        for name in known
        if known[name]
    ]
    p_values = np.array([at_least(shared, len(universe), of_set, n) for _, _, shared, n, of_set in found])
    q_values = adjusted(p_values, "bh")
    rows = [
        Enrichment(*each, float(p), float(q)) for each, p, q in zip(found, p_values, q_values, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.p_value))


def at_least(shared: int, n_all: int, n_marked: int, n_drawn: int) -> float:
    """The probability that as many of `n_drawn` without replacement are marked."""
    counts = np.arange(shared, min(n_marked, n_drawn) + 1)
    counts = counts[counts >= n_drawn - (n_all - n_marked)]
    if shared <= max(n_drawn - (n_all - n_marked), 0):
        return 1.0
    logs = _log_choose(n_marked, counts) + _log_choose(n_all - n_marked, n_drawn - counts)
    return float(min(np.exp(logs - _log_choose(n_all, n_drawn)).sum(), 1.0))


def _log_choose(n: int, k: "np.ndarray | int") -> np.ndarray:
    log_gamma = special.gammaln
    return np.asarray(log_gamma(n + 1) - log_gamma(np.asarray(k) + 1) - log_gamma(n - np.asarray(k) + 1))
