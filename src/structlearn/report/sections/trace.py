"""What the method did, step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

FEW_STEPS = 12
SHOWN_STEPS = 300
MOST_POINTS = 600
WIDTH, HEIGHT, LEFT, BOTTOM, EDGE = 860, 220, 84, 26, 12


def section(subject: Subject) -> Section | None:
    """Draw the score, or what else was followed, and list the steps."""
    trace: Mapping[str, NDArray[Any]] = getattr(subject.learner, "trace_", {})
    n_steps = len(next(iter(trace.values()), ()))
    if not n_steps:
        return None
    followed = _followed(trace)
    chart = None if followed is None or n_steps < 3 else _chart(followed, trace[followed])
    steps = tag(
        "details",
        tag(
            "summary",
            f"{counted(n_steps, 'step')}"
            + (f", the first {SHOWN_STEPS} of them" if n_steps > SHOWN_STEPS else ""),
        ),
        table(("step", *trace), _rows(trace, min(n_steps, SHOWN_STEPS))),
        open=n_steps <= FEW_STEPS,
    )
    return Section("trace", "Steps", joined([chart, steps]))


def _followed(trace: Mapping[str, NDArray[Any]]) -> str | None:
    if "score" in trace:
        return "score"
    numeric = [name for name, column in trace.items() if np.asarray(column).dtype.kind in "iuf"]
    return numeric[-1] if numeric else None


def _rows(trace: Mapping[str, NDArray[Any]], n_shown: int) -> list[Sequence[str]]:
    columns = [np.asarray(column)[:n_shown].tolist() for column in trace.values()]
    return [(str(step), *map(_cell, cells)) for step, cells in enumerate(zip(*columns, strict=True), start=1)]


def _cell(value: object) -> str:
    return number(value) if isinstance(value, int | float) else str(value)


def _chart(name: str, column: NDArray[Any]) -> Markup | None:
    """Draw a line over the steps by hand: a picture library would weigh more than the page."""
    values = np.asarray(column, dtype=np.float64)
    if not np.isfinite(values).all():
        return None
    steps = np.unique(np.linspace(0, values.size - 1, MOST_POINTS).round().astype(np.int64))
    low, high = float(values.min()), float(values.max())
    x = LEFT + steps / max(values.size - 1, 1) * (WIDTH - LEFT - EDGE)
    y = EDGE + (high - values[steps]) / ((high - low) or 1.0) * (HEIGHT - BOTTOM - EDGE)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    drawn = [
        *_grid(low, high, whole=np.asarray(column).dtype.kind in "iu"),
        tag("polyline", points=points, class_="line"),
        *(_dots(x, y, values) if values.size <= 60 else []),
        tag("text", "step 1", x=LEFT, y=HEIGHT - 6),
        tag("text", f"step {values.size:,}", x=WIDTH - EDGE, y=HEIGHT - 6, text_anchor="end"),
    ]
    label = f"{name} over {counted(values.size, 'step')}, from {number(values[0])} to {number(values[-1])}"
    svg = tag("svg", *drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label)
    return tag("figure", svg, tag("figcaption", label), class_="chart")


def _grid(low: float, high: float, *, whole: bool) -> list[Markup]:
    lines = []
    marks = np.linspace(low, high, 5 if high > low else 1)
    for value in np.unique(marks.round().astype(np.int64) if whole else marks).tolist():
        y = EDGE + (high - value) / ((high - low) or 1.0) * (HEIGHT - BOTTOM - EDGE)
        lines.append(tag("line", x1=LEFT, x2=WIDTH - EDGE, y1=f"{y:.1f}", y2=f"{y:.1f}"))
        lines.append(tag("text", number(value), x=LEFT - 8, y=f"{y + 4:.1f}", text_anchor="end"))
    return lines


def _dots(x: NDArray[np.float64], y: NDArray[np.float64], values: NDArray[np.float64]) -> list[Markup]:
    return [
        tag(
            "circle",
            tag("title", f"step {i + 1}: {number(values[i])}"),
            cx=f"{x[i]:.1f}",
            cy=f"{y[i]:.1f}",
            r=3,
        )
        for i in range(values.size)
    ]
