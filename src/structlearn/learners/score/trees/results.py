"""What searches for trees hand back."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.independence.asking import Asker
from structlearn.learners.score.trees.directions import Directions
from structlearn.learners.score.trees.spanning import Arc
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.scores import checked_scores
from structlearn.search.space import Space


def outcome_of(
    names: tuple[str, ...], directions: Directions, log_p: NDArray[np.float64], asker: Asker, run: Run
) -> Outcome:
    """The forest with the directions that its edges have, and the p-value of each."""
    edges, arrows, lines = directions.edges, directions.arrows(), directions.lines()
    p_value = np.exp(log_p)
    return Outcome(
        graph=Graph(
            names,
            directed=[(names[a], names[b]) for a, b in arrows],
            undirected=[(names[a], names[b]) for a, b in lines],
        ),
        status=run.status,
        trace={
            "source": np.array([names[a] for a, _ in edges], dtype=object),
            "target": np.array([names[b] for _, b in edges], dtype=object),
            "p_value": np.array([p_value[edge] for edge in edges], dtype=np.float64),
        },
        evidence={
            (names[a], names[b]): EdgeEvidence(p_value=float(p_value[a, b])) for a, b in arrows + lines
        },
        conflicts=tuple(f"{names[a]} → {names[b]} ← {names[c]}" for a, b, c in directions.conflicts),
        n_tests=asker.n_tests,
    )


def outcome_of_arcs(space: Space, arcs: Sequence[Arc]) -> Outcome:
    """The DAG of arcs of which no two lead into one node, the strongest first, and what each brings.

    Contexts act besides: what they bring is in the score.
    """
    names, nodes, local = space.names, np.arange(space.n_nodes), space.scores.local
    source, target = np.array(arcs, dtype=np.int64).reshape(-1, 2).T
    scores = checked_scores(space.score, space.statistics, nodes[:, None])
    for child in space.limits.changed().tolist():
        scores[child] = local(child, space.limits.contexts_of(child))
    without, with_parent = math.fsum(scores), scores.copy()
    with_parent[target] = checked_scores(space.score, space.statistics, np.column_stack([target, source]))
    for place in np.flatnonzero(np.isin(target, space.limits.changed())).tolist():
        child, parent = int(target[place]), int(source[place])
        with_parent[child] = local(child, [*space.limits.contexts_of(child), parent])
    with np.errstate(invalid="ignore"):  # what is impossible may stay so
        gain = (with_parent - scores)[target]
    order = np.lexsort((target, source, -gain))  # nodes are in alphabetical order
    evidence = {
        (names[u], names[v]): EdgeEvidence(score_gain=gained)
        for u, v, gained in zip(
            source[order].tolist(), target[order].tolist(), gain[order].tolist(), strict=True
        )
    }
    ends = np.array(list(evidence), dtype=object).reshape(-1, 2).T
    return Outcome(
        graph=Graph(names, directed=list(evidence)),
        status=space.run.status,
        score=math.fsum(with_parent),
        trace={
            "source": ends[0],
            "target": ends[1],
            "gain": gain[order],
            "score": without + np.cumsum(gain[order]),
        },
        evidence=evidence,
    )
