"""Colliders by all separating sets instead of the first: conservative, majority and max-p rules."""

from collections import defaultdict
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker, ConditionLists, Subsets, all_separators
from structlearn.learners.constraint.directions.orientation import Colliders, Triples, as_triples
from structlearn.learners.constraint.skeletons.separators import Separators

VotingRule = Literal["conservative", "majority", "max-p"]
Votes = list[tuple[frozenset[int], float]]
FoundSeparators = dict[int, Votes]


def colliders_by_vote(
    triples: Triples,
    lines: ConditionLists,
    separators: Separators,
    asker: Asker,
    *,
    rule: VotingRule,
    max_conditioning: int | None,
) -> Colliders:
    """Decide each triple by every set of neighbours of its ends that separates them.

    The middle is a collider if none of the sets has it ("conservative"), if less than half of them do
    ("majority"), or if the one with the largest p-value has not ("max-p"). Where they are split, or
    half and half, the triple is ambiguous.
    """
    pairs, of_pair = np.unique(triples[:, [0, 2]], axis=0, return_inverse=True)
    found = every_separator(pairs, lines, separators, asker, max_conditioning)
    if not found:
        return Colliders(as_triples(()), as_triples(()))
    colliders, strengths, ambiguous = [], [], []
    for triple, pair in zip(triples.tolist(), of_pair.ravel().tolist(), strict=True):
        votes = found[pair]
        is_given = is_elected(triple[1], votes, rule)
        if is_given is None:
            ambiguous.append(triple)
        elif not is_given:
            colliders.append(triple)
            strengths.append(-max(p for _, p in votes))
    order = np.argsort(strengths, kind="stable")
    return Colliders(as_triples(colliders)[order], as_triples(ambiguous))


def every_separator(
    pairs: NDArray[np.int64],
    lines: ConditionLists,
    separators: Separators,
    asker: Asker,
    max_conditioning: int | None,
) -> FoundSeparators:
    """Each pair's separating sets among the neighbours of its ends, and the one found before.

    None of any pair where time is up: some of the sets would tilt a vote.
    """
    found: defaultdict[int, dict[frozenset[int], float]] = defaultdict(dict)
    places, p_values = separators.find(*pairs.T), separators.p_values(*pairs.T)
    for pair in np.flatnonzero(places >= 0).tolist():
        known = frozenset(separators.given[places[pair]].tolist()) - {-1}
        found[pair][known] = float(p_values[pair])
    degree = np.diff(lines.neighbor_rows[0])
    largest = int(degree[pairs].max(initial=0))
    for size in range(1 + (largest if max_conditioning is None else min(largest, max_conditioning))):
        if asker.must_stop():
            return {}
        for pair, given, p_value in all_separators(asker, Subsets(pairs, lines, size)):
            found[pair][frozenset(given.tolist())] = p_value
    return {pair: list(found[pair].items()) for pair in range(len(pairs))}


def is_elected(middle: int, votes: Votes, rule: VotingRule) -> bool | None:
    """Whether the separating sets of a pair have a node; None where they are split or there is none."""
    share = _share_with(middle, votes, rule)
    if share is None or (rule == "conservative" and 0.0 < share < 1.0) or share == 0.5:
        return None
    return share > 0.5


def _share_with(middle: int, votes: Votes, rule: VotingRule) -> float | None:
    """The share of the separating sets that have the middle; None where there is no set."""
    if not votes:
        return None
    if rule == "max-p":
        largest = max(p for _, p in votes)
        votes = [(given, p) for given, p in votes if p == largest]
    return sum(middle in given for given, _ in votes) / len(votes)
