"""What the graph has right and wrong beside the truth."""

from structlearn.graphs.edge import ARROWS_AND_LINES
from structlearn.plots.look import VERDICTS
from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject

MEANINGS = {
    "shd": "structural Hamming distance: the pairs of nodes whose edge differs",
    "agreed": "edges that are the same in both",
    "missing": "edges of the truth that were not learned",
    "extra": "edges that were learned and are not true",
    "misdirected": "edges of both whose marks differ",
}


def section(subject: Subject) -> Section | None:
    """Compare with the truth, where it is known."""
    if subject.truth is None:
        return None
    found = subject.graph.compare(subject.truth)
    compared = "the two Markov equivalence classes (CPDAGs)" if found.of_classes else found.between
    counts = [
        (name.replace("shd", "distance"), f"{getattr(found, name)}", said) for name, said in MEANINGS.items()
    ]
    rates = [
        (words, *(f"{getattr(found, f'{part}_{rate}'):.3f}" for rate in ("precision", "recall", "f1")))
        for part, words in (("skeleton", "edges, whatever their direction"), ("arrow", "arrows"))
    ]
    colours = [tag("span", verdict, class_=f"verdict {verdict}") for verdict in VERDICTS]
    legend = tag("p", "Compared are ", compared, ". In the picture: ", joined(colours, ", "), ".")
    tables = [
        table(("", "count", "meaning"), counts, class_="narrow"),
        table(("", "precision", "recall", "F1"), rates, class_="narrow"),
    ]
    if not subject.graph.edge_kinds | subject.truth.edge_kinds <= ARROWS_AND_LINES:
        marks = [(f"{name}s", *map(str, n)) for name, n in found.marks.items()]
        tables.append(table(("marks at the ends of edges", "drawn", "true", "right"), marks, class_="narrow"))
    body = joined([legend, tag("div", *tables, class_="tables")])
    return Section("comparison", "Beside the truth", body)
