"""From positions back to names: what a constraint-based method hands back."""

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
    """Name the edges, and give each the largest p-value of the tests that it survived."""
    largest_p = {
        frozenset(pair): float(p) for pair, p in zip(skeleton.edges.tolist(), skeleton.largest_p, strict=True)
    }
    arrows, lines = oriented.links.arrows.tolist(), oriented.links.lines.tolist()
    return Outcome(
        graph=Graph(
            names,
            directed=[(names[a], names[b]) for a, b in arrows],
            undirected=[(names[a], names[b]) for a, b in lines],
        ),
        status=run.status,
        trace={name: np.array(column) for name, column in skeleton.trace.items()},
        evidence={
            (names[a], names[b]): EdgeEvidence(p_value=largest_p[frozenset((a, b))])
            for a, b in arrows + lines
        },
        separating_sets=NamedSeparators(names, skeleton.separators),
        conflicts=tuple(_written([names[v] for v in conflict]) for conflict in oriented.conflicts),
        n_tests=asker.n_tests,
    )


def _written(conflict: list[str]) -> str:
    source, target, *other = conflict
    return f"{source} → {target}" + "".join(f" ← {name}" for name in other)
