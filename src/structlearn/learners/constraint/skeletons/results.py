"""From positions back to names: what a constraint-based method hands back."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from structlearn.graphs import Graph
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.orientation import Oriented
from structlearn.learners.constraint.skeletons.separators import NamedSeparators
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.outcome import EdgeEvidence, Outcome, Pair, edges_of
from structlearn.run import Run


def constraint_outcome(
    names: tuple[str, ...], skeleton: Skeleton, oriented: Oriented, asker: Asker, run: Run
) -> Outcome:
    """Name the edges of a skeleton that has been directed."""
    largest_p, links = largest_p_of(skeleton), oriented.links
    arrows, lines = (
        {(names[a], names[b]): largest_p[min(a, b), max(a, b)] for a, b in pairs.tolist()}
        for pairs in (links.arrows, links.lines)
    )
    graph = Graph(names, edges=[*edges_of(arrows, "directed"), *edges_of(lines, "undirected")])
    refused = [*skeleton.impossible, *oriented.conflicts]
    conflicts = tuple(conflict_in_words([names[v] for v in conflict]) for conflict in refused)
    return outcome_of_tests(graph, skeleton, arrows | lines, conflicts, asker, run, names=names)


def largest_p_of(skeleton: Skeleton) -> dict[tuple[int, int], EdgeEvidence]:
    """The largest p-value of the tests that each edge survived, by the lower and the higher of its ends."""
    survived = zip(skeleton.edges.tolist(), skeleton.largest_p.tolist(), strict=True)
    return {(a, b): EdgeEvidence(p_value=p) for (a, b), p in survived}


def outcome_of_tests(
    graph: Graph,
    skeleton: Skeleton,
    evidence: Mapping[Pair, EdgeEvidence],
    conflicts: tuple[str, ...],
    asker: Asker,
    run: Run,
    *,
    names: tuple[str, ...],
    extra: Mapping[str, Any] | None = None,
) -> Outcome:
    """What tests say of a graph: evidence for its edges, and the sets that separate other pairs."""
    return Outcome(
        graph=graph,
        status=run.status,
        trace={name: np.array(column) for name, column in skeleton.trace.items()},
        evidence=evidence,
        separating_sets=NamedSeparators(names, skeleton.separators),
        conflicts=conflicts,
        n_tests=asker.n_tests,
        extra=extra or {},
    )


def conflict_in_words(conflict: list[str]) -> str:
    """An arrow or a collider that could not be had."""
    source, target, *other = conflict
    return " ← ".join([f"{source} → {target}", *other])
