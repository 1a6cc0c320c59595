"""What pictures look like: colours, fonts, and how thick an edge is drawn."""

import math
from collections.abc import Mapping, Sequence

from structlearn.graphs import Graph
from structlearn.graphs.compare import Verdict
from structlearn.graphs.ranking import weight_strength

ACCENT = "#2563eb"
INK = "#1e293b"
QUIET = "#64748b"
NODE_FILL = "#eff4fd"
NODE_BORDER = "#a9c1ee"
VERDICTS: Mapping[Verdict, str] = {
    "right": ACCENT,
    "misdirected": "#a855b8",
    "extra": "#e07a1f",
    "missing": "#94a3b8",
}
# One for each group of nodes, and again from the first where there are more.
GROUP_FILLS = (
    "#bfdbfe",
    "#fde68a",
    "#bbf7d0",
    "#fbcfe8",
    "#ddd6fe",
    "#fed7aa",
    "#a5f3fc",
    "#cbd5e1",
    "#fecaca",
    "#d9f99d",
)
FONT = "Helvetica,Arial,sans-serif"
LONGEST_NAME = 40

THINNEST, USUAL, THICKEST = 0.7, 1.2, 3.4
# Smaller p-values are as good as certain, and would make all other edges look thin.
SMALLEST_P_VALUE = 1e-12


def told(name: str, *, longest: int = LONGEST_NAME) -> str:
    """A name as matplotlib is to write it: one line, not too long, its dollars no mathematics."""
    line = name.replace("\n", " ")
    cut = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return cut.replace("$", r"\$")


def edge_widths(graph: Graph) -> list[float]:
    """Give a line width per edge: by confidence, else by weight, else by p-value, the first known.

    What would gain by going is as thin as can be.
    """
    edges = graph.edges
    sizes = [weight_strength(graph, edge) for edge in edges]
    for strengths in (
        [_at_most_one(edge.confidence, 1.0) for edge in edges],
        _relative([None if size is None else max(size, 0.0) for size in sizes]),
        _relative([_minus_log(edge.p_value) for edge in edges]),
    ):
        if any(strength is not None for strength in strengths):
            return [THINNEST + (THICKEST - THINNEST) * (strength or 0.0) for strength in strengths]
    return [USUAL] * len(edges)


def _relative(values: Sequence[float | None]) -> list[float | None]:
    largest = max((value for value in values if value is not None and math.isfinite(value)), default=1.0)
    return [_at_most_one(value, largest or 1.0) for value in values]


def _at_most_one(value: float | None, largest: float) -> float | None:
    return None if value is None or math.isnan(value) else min(max(value / largest, 0.0), 1.0)


def _minus_log(p_value: float | None) -> float | None:
    return None if p_value is None else -math.log10(max(p_value, SMALLEST_P_VALUE))
