"""What factors a table has, or how active its regulators are: numbers as colours."""

from typing import Any

import numpy as np

from structlearn.report.heat_map import MOST_CELLS, heat_map
from structlearn.report.markup import joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted

MOST_ROWS = 60  # of a picture that one can read


def section(subject: Subject) -> Section | None:
    """Show the loadings of columns on factors, or the activities of regulators."""
    learner = subject.learner
    if getattr(learner, "activities_", None):
        return _activities(learner)
    if getattr(learner, "loadings_", None) and getattr(learner, "rank_", 0):
        return _loadings(learner)
    return None


def _loadings(learner: Any) -> Section:
    names = [name for name in learner.graph_.nodes if name in learner.loadings_][:MOST_ROWS]
    values = np.array([learner.loadings_[name] for name in names])[:, : MOST_CELLS // len(names)]
    factors = [f"factor {k + 1}" for k in range(values.shape[1])]
    said = f"{counted(learner.rank_, 'factor')} of {counted(len(learner.loadings_), 'column')}. " + (
        "Columns with the same colours are in one module; the first are shown."
        if len(names) < len(learner.loadings_)
        else "Columns with the same colours are in one module."
    )
    picture = heat_map("how much of each factor a column has", values, names, factors)
    return Section("factors", "Factors", joined([tag("p", said), picture]))


def _activities(learner: Any) -> Section:
    names = list(learner.activities_)[:MOST_ROWS]
    values = np.array([learner.activities_[name] for name in names])
    n_samples = values.shape[1]
    values = values[:, : MOST_CELLS // len(names)]
    samples = [f"row {i + 1}" for i in range(values.shape[1])]
    said = (
        f"{counted(len(learner.activities_), 'regulator')}. They leave {100 * learner.residual_:.2g} % of "
        "the sum of squares of their genes."
    )
    if len(names) < len(learner.activities_) or len(samples) < n_samples:
        said += f" The first {len(names)} are shown, in the first {counted(len(samples), 'row')}."
    picture = heat_map("activity of each regulator in each row", values, names, samples)
    return Section("factors", "Activities", joined([tag("p", said), picture]))
