"""How well the order of the edges by strength finds the true ones."""

import numpy as np

from structlearn.errors import DataError
from structlearn.graphs.ranking import RankingComparison, strengths
from structlearn.report.curve_chart import curve_chart
from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject


def section(subject: Subject) -> Section | None:
    """Draw the curves, where the truth is known and edges differ in strength."""
    found = _found(subject)
    if found is None:
        return None
    figures = [
        ("area under the curve of true and false positive rates", f"{found.auroc:.3f}", "0.500"),
        ("area under precision and recall", f"{found.aupr:.3f}", f"{found.chance_aupr:.3f}"),
        (
            f"precision of the {found.n_true:,} strongest pairs",
            f"{found.early_precision:.3f}",
            f"{found.chance_aupr:.3f}",
        ),
    ]
    said = tag(
        "p",
        f"All {found.n_pairs:,} pairs of nodes, the strongest first and pairs without an edge last; ties "
        f"in random order. {found.n_true:,} of them are true.",
    )
    chart = curve_chart(
        [
            ("false positive rate", "true positive rate", *found.roc, np.array([0.0, 1.0])),
            ("recall", "precision", *found.precision_recall(), np.full(2, found.chance_aupr)),
        ],
        f"True over false positives, and precision over recall; broken lines are chance. {found}",
    )
    body = joined([said, chart, table(("", "here", "chance"), figures, class_="narrow")])
    return Section("ranking", "Strongest edges first", body)


def _found(subject: Subject) -> RankingComparison | None:
    if subject.truth is None:
        return None
    try:
        if len(set(strengths(subject.graph).values())) < 2:
            return None  # a graph in no order has no curve
        return subject.graph.compare_ranking(subject.truth)
    except DataError:  # every pair is true, or none, or only some edges have a strength
        return None
