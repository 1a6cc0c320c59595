"""How numbers, names and the evidence for edges are written, on the page and in the terminal."""

import math
from collections.abc import Iterable

from structlearn.graphs import Edge
from structlearn.shown import on_one_line

SMALLEST_P_VALUE = 1e-300


def number(value: float) -> str:
    """Write a number with about four digits.

    Examples
    --------
    >>> number(-11228.3703), number(0.0123456), number(3)
    ('-11,228.4', '0.01235', '3')
    """
    if isinstance(value, int) or not math.isfinite(value):
        return f"{value:,}"
    return f"{value:,.1f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"


def p_value(value: float) -> str:
    """Write a p-value; one that floating point cannot hold is said to be smaller.

    Examples
    --------
    >>> p_value(0.0421), p_value(0.0)
    ('0.042', '<1e-300')
    """
    return f"<{SMALLEST_P_VALUE:g}" if value < SMALLEST_P_VALUE else f"{value:.2g}"


def evidence(edge: Edge, weight: str = "score gain") -> dict[str, str]:
    """Say what is known about an edge: each measure that is there, in words; `weight` names its weight."""
    written = {
        "confidence": None if edge.confidence is None else f"{edge.confidence:.1%}",
        weight: None if edge.weight is None else number(edge.weight),
        "p-value": None if edge.p_value is None else p_value(edge.p_value),
    }
    return {name: text for name, text in written.items() if text is not None}


def strongest_first(edges: Iterable[Edge], weight: str = "score gain") -> list[Edge]:
    """Sort edges by confidence, then by weight, then by p-value; ties keep their order.

    A weight that is no gain counts by its size, whatever its sign.
    """
    return sorted(edges, key=lambda edge: _strength(edge, weight), reverse=True)


def counted(n: int, noun: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> counted(1, "edge"), counted(1200, "edge")
    ('1 edge', '1,200 edges')
    """
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def listed(names: Iterable[object], shown: int = 8) -> str:
    """Write the first few names, and how many more there are."""
    words = [on_one_line(str(name)) for name in names]
    more = f" and {len(words) - shown} more" if len(words) > shown else ""
    return ", ".join(words[:shown]) + more


def _strength(edge: Edge, weight: str) -> tuple[float, float, float]:
    lowest = -math.inf
    size = edge.weight if edge.weight is None or weight == "score gain" else abs(edge.weight)
    return (
        lowest if edge.confidence is None else edge.confidence,
        lowest if size is None else size,
        lowest if edge.p_value is None else -edge.p_value,
    )
