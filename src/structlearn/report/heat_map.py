"""A matrix as coloured cells, drawn by hand: a picture library would weigh more than the page."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.report.markup import Markup, tag
from structlearn.report.wording import number

WIDTH, LEFT, TOP, EDGE = 860, 150, 26, 12
TALLEST, WIDEST = 22, 60
MOST_CELLS = 6000  # more of them make a page slow, and are narrower than a dot
ABOVE, BELOW = "#b2182b", "#2166ac"  # red and blue that the colour-blind can tell apart


def heat_map(
    name: str, values: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str]
) -> Markup | None:
    """Draw a cell for each number, red above 0 and blue below; None where there are none or too many."""
    if not values.size or values.size > MOST_CELLS or not np.isfinite(values).all():
        return None
    largest = float(np.abs(values).max()) or 1.0
    wide = min((WIDTH - LEFT - EDGE) / len(columns), WIDEST)
    cells = [
        tag(
            "rect",
            tag("title", f"{rows[i]}, {columns[j]}: {number(value)}"),
            x=f"{LEFT + j * wide:.1f}",
            y=TOP + i * TALLEST,
            width=f"{wide:.1f}",
            height=TALLEST,
            fill=ABOVE if value > 0.0 else BELOW,
            fill_opacity=f"{abs(value) / largest:.2f}",
        )
        for i, row in enumerate(values.tolist())
        for j, value in enumerate(row)
    ]
    labels = [
        tag("text", row[:20], x=LEFT - 8, y=TOP + i * TALLEST + 15, text_anchor="end")
        for i, row in enumerate(rows)
    ]
    ends = [tag("text", columns[0], x=LEFT, y=TOP - 8)]
    if len(columns) > 1:
        right = LEFT + wide * len(columns)
        ends.append(tag("text", columns[-1], x=f"{right:.1f}", y=TOP - 8, text_anchor="end"))
    height = TOP + TALLEST * len(rows) + EDGE
    svg = tag("svg", *cells, *labels, *ends, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=name)
    return tag("figure", svg, tag("figcaption", name), class_="chart")
