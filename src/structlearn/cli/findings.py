"""What was learned, in the words of a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structlearn.cli.flag_words import in_flags

if TYPE_CHECKING:
    from structlearn.data import Dataset
    from structlearn.graphs import Edge
    from structlearn.learners.base import Learner
    from structlearn.statistics import SourceTable

SHOWN_EDGES = 40


def findings(learner: "Learner") -> str:
    """Say the edges with their evidence, and how the run ended."""
    from structlearn.report.wording import (  # noqa: PLC0415, --help needs none
        counted,
        number,
        strongest_first,
    )

    graph = learner.graph_
    lines = [f"{counted(len(graph), 'node')}, {counted(len(graph.edges), 'edge')}"]
    lines += edge_lines(strongest_first(graph.edges, learner.weight_means), learner.weight_means)
    ended = []
    if getattr(learner, "score_", None) is not None:
        ended.append(f"Score {number(float(learner.score_))}.")
    found = vars(learner)
    if found.get("n_tests_") is not None:
        ended.append(f"{counted(found['n_tests_'], 'test')}.")
    if found.get("conflicts_"):
        ended.append(f"{counted(len(found['conflicts_']), 'conflict')} between tests.")
    if found.get("parity_") is not None and found["parity_"].found:
        lines.append(str(found["parity_"]))
    ended += [in_flags(learner.status_), f"{learner.seconds_:.2f} s."]
    return "\n".join([*lines, " ".join(ended)])


def edge_lines(edges: "Sequence[Edge]", weight: str = "score gain") -> list[str]:
    """Write one aligned line per edge, and how many more there are."""
    from structlearn.report.wording import evidence  # noqa: PLC0415, --help needs none of it
    from structlearn.shown import on_one_line  # noqa: PLC0415, as above

    shown = edges[:SHOWN_EDGES]
    words = [on_one_line(str(edge)) for edge in shown]
    width = max(map(len, words), default=0)
    said = [
        _bar(edge) + ", ".join(f"{name} {text}" for name, text in evidence(edge, weight).items())
        for edge in shown
    ]
    lines = [f"  {word:<{width}}  {text}".rstrip() for word, text in zip(words, said, strict=True)]
    more = len(edges) - len(shown)
    return lines + ([f"  … and {more:,} more"] if more else [])


def inferred_kinds(dataset: "Dataset | SourceTable", learner: "Learner") -> str | None:
    """Say in one line which kinds the learner inferred of its columns, or None if all were given."""
    from structlearn.report.wording import listed  # noqa: PLC0415, --help needs none of it

    around = getattr(learner, "learner", None)  # of resampling
    only = getattr(around, "only", None) or learner.only  # by which a few whole numbers are measurements
    inferred = set(dataset.inferred) - {*learner.columns_aside().values()}
    parts = []
    for kind in ("discrete", "continuous"):
        names = [
            name for name, found in dataset.kinds.items() if (only or found) == kind and name in inferred
        ]
        if names:
            parts.append(f"{kind} {listed(names)}")
    return f"Kinds inferred (--kind COLUMN=KIND to choose): {'; '.join(parts)}" if parts else None


def _bar(edge: "Edge") -> str:
    """The confidence of an edge as a bar of ten."""
    full = round(10 * (edge.confidence or 0.0))
    return "" if edge.confidence is None else "█" * full + "░" * (10 - full) + " "
