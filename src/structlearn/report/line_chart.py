"""A line over the steps of a run, drawn by hand: a picture library would weigh more than the page."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.report.markup import Markup, tag
from structlearn.report.wording import counted, number

MOST_POINTS = 600
MOST_DOTS = 60
DOT, MARK = 3, 6
WIDTH, HEIGHT, LEFT, BOTTOM, EDGE = 860, 220, 84, 26, 12

Floats = NDArray[np.float64]


def line_chart(
    name: str, column: NDArray[Any], *, ends: tuple[str, str] | None = None, marked: int | None = None
) -> Markup | None:
    """Draw a column of numbers, or give None where one of them is not finite.

    `ends` is written below the first and the last step, and `marked` is the step with a larger dot.
    """
    values = np.asarray(column, dtype=np.float64)
    if not np.isfinite(values).all():
        return None
    steps = np.unique(np.linspace(0, values.size - 1, MOST_POINTS).round().astype(np.int64))
    low, high = float(values.min()), float(values.max())
    x = LEFT + steps / max(values.size - 1, 1) * (WIDTH - LEFT - EDGE)
    y = EDGE + (high - values[steps]) / ((high - low) or 1.0) * (HEIGHT - BOTTOM - EDGE)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    first, last = ends or ("step 1", f"step {values.size:,}")
    written = [number(value) for value in np.asarray(column).tolist()]
    drawn = [
        *_grid(low, high, whole=np.asarray(column).dtype.kind in "iu"),
        tag("polyline", points=points, class_="line"),
        *(_dots(x, y, written, marked) if values.size <= MOST_DOTS else []),
        tag("text", first, x=LEFT, y=HEIGHT - 6),
        tag("text", last, x=WIDTH - EDGE, y=HEIGHT - 6, text_anchor="end"),
    ]
    label = f"{name} over {counted(values.size, 'step')}, from {written[0]} to {written[-1]}"
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


def _dots(x: Floats, y: Floats, written: list[str], marked: int | None) -> list[Markup]:
    return [
        tag(
            "circle",
            tag("title", f"step {i + 1}: {written[i]}"),
            cx=f"{x[i]:.1f}",
            cy=f"{y[i]:.1f}",
            r=MARK if i == marked else DOT,
        )
        for i in range(len(written))
    ]
