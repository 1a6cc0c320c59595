"""Curves from 0 to 1 in both directions, drawn by hand as the other charts of the page."""

import numpy as np
from numpy.typing import NDArray

from structlearn.report.markup import Markup, tag

SIDE, LEFT, BOTTOM, EDGE, GAP = 260, 52, 44, 12, 40
MARKS = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_POINTS = 400

Numbers = NDArray[np.float64]
Panel = tuple[str, str, Numbers, Numbers, Numbers]
"""Names across and up, the curve, and the ends, two heights, of the line of chance."""


def curve_chart(panels: list[Panel], label: str) -> Markup:
    """Draw panels side by side."""
    step = LEFT + SIDE + GAP
    drawn = [
        tag("g", *_panel(*panel), transform=f"translate({i * step} 0)") for i, panel in enumerate(panels)
    ]
    size = f"0 0 {step * len(panels)} {EDGE + SIDE + BOTTOM}"
    svg = tag("svg", *drawn, viewBox=size, role="img", aria_label=label)
    return tag("figure", svg, tag("figcaption", label), class_="chart")


def _panel(across: str, up: str, x: Numbers, y: Numbers, chance: Numbers) -> list[Markup]:
    kept = np.unique(np.linspace(0, len(x) - 1, MOST_POINTS).round().astype(np.int64))
    points = " ".join(f"{_across(a):.1f},{_up(b):.1f}" for a, b in zip(x[kept], y[kept], strict=True))
    grid = [
        part
        for mark in MARKS
        for part in (
            tag("line", x1=LEFT, x2=LEFT + SIDE, y1=f"{_up(mark):.1f}", y2=f"{_up(mark):.1f}"),
            tag("text", f"{mark:g}", x=LEFT - 8, y=f"{_up(mark) + 4:.1f}", text_anchor="end"),
            tag("text", f"{mark:g}", x=f"{_across(mark):.1f}", y=EDGE + SIDE + 16, text_anchor="middle"),
        )
    ]
    middle = EDGE + SIDE / 2
    return [
        *grid,
        tag(
            "line",
            x1=LEFT,
            x2=LEFT + SIDE,
            y1=f"{_up(chance[0]):.1f}",
            y2=f"{_up(chance[1]):.1f}",
            class_="chance",
        ),
        tag("polyline", points=points, class_="line"),
        tag("text", across, x=LEFT + SIDE / 2, y=EDGE + SIDE + 36, text_anchor="middle"),
        tag("text", up, x=12, y=middle, text_anchor="middle", transform=f"rotate(-90 12 {middle})"),
    ]


def _across(share: float) -> float:
    return LEFT + share * SIDE


def _up(share: float) -> float:
    return EDGE + (1 - share) * SIDE
