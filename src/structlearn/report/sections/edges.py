"""The table of edges, the strongest first, tied to the picture."""

from collections.abc import Mapping, Sequence

from structlearn.graphs import Edge, Graph
from structlearn.graphs.compare import Verdict, verdicts
from structlearn.graphs.ranking import weight_strength
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, evidence, strongest_first

MEASURES: Mapping[str, str] = {
    "confidence": "A probability, or the share of resamples that have the edge.",
    "score gain": "What the score would lose without the edge.",
    "weight": "How strong the connection is, with its sign; its page among the methods says in what unit.",
    "p-value": "The largest of the tests that the edge survived.",
}
_FIELDS = {"confidence": "confidence", "score gain": "weight", "weight": "weight", "p-value": "p_value"}

Judged = Mapping[frozenset[str], Verdict]


def section(subject: Subject) -> Section | None:
    """List every edge with what speaks for it."""
    graph = subject.graph
    if not graph.edges:
        return None
    judged: Judged = {} if subject.truth is None else verdicts(graph, subject.truth)
    weight = subject.learner.weight_means
    named = [name for name in MEASURES if _FIELDS[name] != "weight" or name == weight]
    measures = [name for name in named if any(_value(edge, name) is not None for edge in graph.edges)]
    place = {edge: i for i, edge in enumerate(graph.edges)}
    shares = _shares(graph, measures)
    rows = [
        _row(edge, place[edge], measures, judged, share=shares[edge])
        for edge in strongest_first(graph.edges, weight)
    ]
    body = tag(
        "table",
        tag("thead", _head(measures, judged)),
        tag("tbody", *rows),
        class_="edges",
        data_sortable=True,
    )
    return Section(
        "edges",
        "Edges",
        joined([_filter(len(rows)), tag("div", body, class_="scroll tall"), _notes(measures)]),
    )


def _filter(n_edges: int) -> Markup:
    field = tag(
        "input",
        type="search",
        data_filter="edges",
        placeholder="Filter by name",
        aria_label="Filter edges by name",
    )
    return tag(
        "div",
        field,
        tag("output", counted(n_edges, "edge"), data_count="edges", data_total=n_edges),
        class_="tools",
    )


def _head(measures: Sequence[str], judged: Judged) -> Markup:
    columns = ["source", "", "target", *measures, *(["beside truth"] if judged else [])]
    cells = [
        tag("th", tag("button", name, type="button") if name else "", scope="col", title=MEASURES.get(name))
        for name in columns
    ]
    return tag("tr", *cells)


def _row(edge: Edge, index: int, measures: Sequence[str], judged: Judged, *, share: float) -> Markup:
    known = evidence(edge, "weight" if "weight" in measures else "score gain")
    cells = [
        tag("td", edge.source),
        tag("td", edge.sign, class_="mark"),
        tag("td", edge.target),
        *(
            tag("td", known.get(name, "–"), class_="number", data_value=_value(edge, name))
            for name in measures
        ),
    ]
    if judged:
        verdict = judged[frozenset((edge.source, edge.target))]
        cells.append(tag("td", verdict, class_=f"verdict {verdict}"))
    said = ", ".join(f"{name} {text}" for name, text in known.items()) or "no measure of evidence"
    return tag(
        "tr",
        *cells,
        data_edge=index,
        data_name=str(edge),
        data_evidence=said,
        tabindex=0,
        style=f"--share: {share:.3f}",
    )


def _notes(measures: Sequence[str]) -> Markup:
    return tag(
        "p", *(joined([tag("strong", name), f": {MEASURES[name]} "]) for name in measures), class_="quiet"
    )


def _value(edge: Edge, measure: str) -> float | None:
    value: float | None = getattr(edge, _FIELDS[measure])
    return value


def _shares(graph: Graph, measures: Sequence[str]) -> Mapping[Edge, float]:
    """How long the bar of each edge is: by confidence, else by weight; what gains nothing has none."""
    if "confidence" in measures:
        return {edge: edge.confidence or 0.0 for edge in graph.edges}
    sizes = {edge: max(weight_strength(graph, edge) or 0.0, 0.0) for edge in graph.edges}
    largest = max(sizes.values(), default=0.0)
    return {edge: size / largest if largest > 0 else 0.0 for edge, size in sizes.items()}
