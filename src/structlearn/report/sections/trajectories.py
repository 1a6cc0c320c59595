"""Time courses beside the system that was fitted to them."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.plots.trajectories import COLOURS, HasTrajectory
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

Floats = NDArray[np.float64]
MOST_NODES = 6
MOST_COURSES = 6
WIDTH, HEIGHT, LEFT, BOTTOM, EDGE = 860, 220, 84, 26, 12
ROOM = 0.1  # beyond the data, per their spread


def section(subject: Subject) -> Section | None:
    """Draw the first nodes, and say how far the system is from the data and whether it is stable."""
    trajectories: Sequence[HasTrajectory] = getattr(subject.learner, "trajectories_", ())
    stability = getattr(subject.learner, "stability_", None)
    if stability is None:
        return None
    options = subject.learner.get_params(deep=False)
    in_steps = "lags" in options or options.get("method") == "var-lasso"
    said = [tag("p", _stability(float(stability), in_steps=in_steps))]
    if trajectories:
        said.append(tag("p", _error(float(getattr(subject.learner, "trajectory_error_", math.nan)))))
    nodes = list(trajectories[0].measured)[:MOST_NODES] if trajectories else []
    charts = [_chart(node, trajectories[:MOST_COURSES]) for node in nodes]
    return Section("trajectories", "Trajectories" if trajectories else "Stability", joined([*said, *charts]))


def _stability(stability: float, *, in_steps: bool) -> str:
    what = "modulus" if in_steps else "real part"
    verdict = "is stable" if stability < (1.0 if in_steps else 0.0) else "is not stable"
    return f"The largest eigenvalue of the system has {what} {number(stability)}: it {verdict}."


def _error(error: float) -> str:
    if not math.isfinite(error):
        return "Dots are measured; run from the first of them, the system leaves all bounds."
    return (
        "Dots are measured, lines are the system from the first of them on. They are apart by "
        f"{number(100 * error)} % of the size of the measurements."
    )


def _chart(node: str, trajectories: Sequence[HasTrajectory]) -> Markup:
    times = np.concatenate([course.times for course in trajectories])
    seen = np.concatenate([course.measured[node] for course in trajectories])
    spread = float(np.ptp(seen)) or 1.0
    low, high = float(seen.min()) - ROOM * spread, float(seen.max()) + ROOM * spread
    first, last = float(times.min()), float(times.max())

    def points(course: HasTrajectory, values: Floats) -> list[tuple[float, float]]:
        x = LEFT + (course.times - first) / ((last - first) or 1.0) * (WIDTH - LEFT - EDGE)
        bounded = np.clip(np.nan_to_num(values, nan=high, posinf=high, neginf=low), low, high)
        y = EDGE + (high - bounded) / (high - low) * (HEIGHT - BOTTOM - EDGE)
        return list(zip(x.tolist(), y.tolist(), strict=True))

    drawn: list[Markup] = []
    for value in (float(seen.min()), float(seen.max())):
        y = EDGE + (high - value) / (high - low) * (HEIGHT - BOTTOM - EDGE)
        drawn.append(tag("line", x1=LEFT, x2=WIDTH - EDGE, y1=f"{y:.1f}", y2=f"{y:.1f}"))
        drawn.append(tag("text", number(value), x=LEFT - 8, y=f"{y + 4:.1f}", text_anchor="end"))
    for k, course in enumerate(trajectories):
        colour = COLOURS[k % len(COLOURS)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points(course, course.fitted[node]))
        drawn.append(tag("polyline", points=line, fill="none", stroke=colour, stroke_width="1.6"))
        drawn += [
            tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="2.5", style=f"fill: {colour}")
            for x, y in points(course, course.measured[node])
        ]
    drawn.append(tag("text", f"time {number(first)}", x=LEFT, y=HEIGHT - 6))
    drawn.append(tag("text", number(last), x=WIDTH - EDGE, y=HEIGHT - 6, text_anchor="end"))
    label = f"{node}: {counted(len(trajectories), 'course')}, measured and fitted"
    svg = tag("svg", *drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label)
    return tag("figure", svg, tag("figcaption", label), class_="chart")
