"""What the method did, step by step."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.report.line_chart import line_chart
from structlearn.report.markup import table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

FEW_STEPS = 12
SHOWN_STEPS = 300


def section(subject: Subject) -> Section | None:
    """Draw the score, or what else was followed, and list the steps."""
    found: Mapping[str, NDArray[Any]] = getattr(subject.learner, "trace_", {})
    trace = {name: column for name, column in found.items() if not _says_nothing(column)}
    n_steps = len(next(iter(trace.values()), ()))
    if not n_steps:
        return None
    followed = _followed(trace)
    chart = None if followed is None or n_steps < 3 else line_chart(followed, trace[followed])
    steps = tag(
        "details",
        tag(
            "summary",
            f"{counted(n_steps, 'step')}"
            + (f", the first {SHOWN_STEPS} of them" if n_steps > SHOWN_STEPS else ""),
        ),
        tag("div", table(("step", *trace), _rows(trace, min(n_steps, SHOWN_STEPS))), class_="tall"),
        open=n_steps <= FEW_STEPS or chart is not None,
    )
    body = steps if chart is None else tag("div", chart, steps, class_="beside")
    return Section("trace", "Steps", body)


def _says_nothing(column: NDArray[Any]) -> bool:
    """Whether no step has a number, as of a criterion where nothing was chosen by it."""
    values = np.asarray(column)
    return values.dtype.kind == "f" and bool(np.isnan(values).all())


def _followed(trace: Mapping[str, NDArray[Any]]) -> str | None:
    for name in ("score", "criterion"):
        if name in trace:
            return name
    numeric = [name for name, column in trace.items() if np.asarray(column).dtype.kind in "iuf"]
    return numeric[-1] if numeric else None


def _rows(trace: Mapping[str, NDArray[Any]], n_shown: int) -> list[Sequence[str]]:
    columns = [np.asarray(column)[:n_shown].tolist() for column in trace.values()]
    return [(str(step), *map(_cell, cells)) for step, cells in enumerate(zip(*columns, strict=True), start=1)]


def _cell(value: object) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "–"
    return number(value) if isinstance(value, int | float) else str(value)
