"""From positions back to names: what a constraint-based method hands back."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from structlearn.graphs import Graph
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.orientation import Oriented
from structlearn.learners.constraint.skeletons.separators import NamedSeparators
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run


def constraint_outcome(
    names: tuple[str, ...], skeleton: Skeleton, oriented: Oriented, asker: Asker, run: Run
) -> Outcome:
    """Name the edges of a skeleton that has been directed."""
    graph = Graph(
        names,
        directed=[(names[a], names[b]) for a, b in oriented.links.arrows.tolist()],
        undirected=[(names[a], names[b]) for a, b in oriented.links.lines.tolist()],
    )
    refused = [*skeleton.impossible, *oriented.conflicts]
    conflicts = tuple(conflict_in_words([names[v] for v in conflict]) for conflict in refused)
    return outcome_of_tests(graph, skeleton, conflicts, asker, run, names=names)


def outcome_of_tests(
    graph: Graph,
    skeleton: Skeleton,
    conflicts: tuple[str, ...],
    asker: Asker,
    run: Run,
    *,
    names: tuple[str, ...],
    extra: Mapping[str, Any] | None = None,
) -> Outcome:
    """Give each edge the largest p-value of the tests that it survived."""
    survived = zip(skeleton.edges.tolist(), skeleton.largest_p.tolist(), strict=True)
    largest_p = {(names[a], names[b]): EdgeEvidence(p_value=p) for (a, b), p in survived}
    ends = [(edge.source, edge.target) for edge in graph.edges]
    return Outcome(
        graph=graph,
        status=run.status,
        trace={name: np.array(column) for name, column in skeleton.trace.items()},
        evidence={pair: largest_p.get(pair) or largest_p[pair[::-1]] for pair in ends},
        separating_sets=NamedSeparators(names, skeleton.separators),
        conflicts=conflicts,
        n_tests=asker.n_tests,
        extra=extra or {},
    )


def conflict_in_words(conflict: list[str]) -> str:
    """An arrow or a collider that could not be had."""
    source, target, *other = conflict
    return " ← ".join([f"{source} → {target}", *other])
