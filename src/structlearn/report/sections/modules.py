"""Modules with their programmes, the largest as pictures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np

from structlearn.plots.modules import ModulePicture, module_picture
from structlearn.report.heat_map import ABOVE, BELOW
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

if TYPE_CHECKING:
    from structlearn.learners.network.module_network import ModuleNetwork

MOST_PICTURES = 6
MOST_ROWS = 30  # of a module in its picture
MOST_SAMPLES = 200
MOST_NAMED = 12  # columns of a module in the table
WIDTH, LEFT, EDGE, TALL, GAP = 860.0, 130.0, 12.0, 14.0, 10.0
BRIGHTEST = 2.0  # deviations


def section(subject: Subject) -> Section | None:
    """List the modules, and draw the largest ones that have regulators where there are data."""
    if not hasattr(subject.learner, "programs_") or not hasattr(subject.learner, "module_graph_"):
        return None
    learner = cast("ModuleNetwork", subject.learner)
    modules = learner.modules_
    n_columns = sum(map(len, modules.values()))
    said = (
        f"{counted(len(modules), 'module')} of {counted(n_columns, 'column')}. All columns of a module "
        "follow one tree of tests; numbers behind regulators are what their splits gain, in nats."
    )
    rows = [
        (name, f"{len(modules[name]):,}", _regulators(learner, name), _some(modules[name]))
        for name in modules
    ]
    listed = table(("module", "columns", "regulators", "which"), rows)
    regulated = [name for name in modules if learner.regulators_[name]][:MOST_PICTURES]
    return Section(
        "modules", "Modules", joined([tag("p", said), listed, *_shown(subject, learner, regulated)])
    )


def _regulators(learner: "ModuleNetwork", module: str) -> str:
    return (
        ", ".join(f"{name} ({number(gain)})" for name, gain in learner.regulators_[module].items()) or "none"
    )


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")


def _shown(subject: Subject, learner: "ModuleNetwork", modules: list[str]) -> Iterator[Markup]:
    for module in modules:
        yield tag("h3", module)
        if subject.dataset is not None and subject.dataset.n_rows <= MOST_SAMPLES:
            yield _picture(module, module_picture(learner, subject.dataset, module))
        yield tag("pre", str(learner.programs_[module]))


def _picture(module: str, drawn: ModulePicture) -> Markup:
    n_samples = drawn.values.shape[1]
    wide = (WIDTH - LEFT - EDGE) / n_samples
    names = [*drawn.regulators, *drawn.members[:MOST_ROWS]]
    values = np.vstack([drawn.regulator_values, drawn.values[:MOST_ROWS]])
    tops = [EDGE + TALL * i + (GAP if i >= len(drawn.regulators) else 0.0) for i in range(len(names))]
    bottom = tops[-1] + TALL
    cells = [
        tag(
            "rect",
            x=f"{LEFT + wide * j:.1f}",
            y=f"{tops[i]:.0f}",
            width=f"{wide + 0.2:.1f}",
            height=TALL,
            fill=ABOVE if value > 0.0 else BELOW,
            fill_opacity=f"{min(abs(value) / BRIGHTEST, 1.0):.2f}",
        )
        for i, row in enumerate(values.tolist())
        for j, value in enumerate(row)
    ]
    labels = [
        tag("text", name[:18], x=LEFT - 6, y=f"{top + 11:.0f}", text_anchor="end")
        for name, top in zip(names, tops, strict=True)
    ]
    lines = [
        tag(
            "path",
            d=f"M{LEFT + wide * end:.1f},{EDGE - 4:.0f}V{bottom + 4:.0f}",
            style="stroke: currentColor; stroke-width: 2",
        )
        for end in drawn.ends
    ]
    label = f"{module}: {counted(n_samples, 'sample')} by leaf, regulators above, a line at every split"
    size = f"0 0 {WIDTH:.0f} {bottom + EDGE:.0f}"
    svg = tag("svg", *cells, *labels, *lines, viewBox=size, role="img", aria_label=label)
    return tag("figure", svg, tag("figcaption", label), class_="chart")
