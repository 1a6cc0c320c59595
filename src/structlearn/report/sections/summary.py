"""A graph in time, folded to one node for each variable."""

from structlearn.plots import svg
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import listed

SHOWN = 300  # rows: more are in the table of edges


def section(subject: Subject) -> Section | None:
    """Draw what acts on what at some lag, and list the lags; None of a graph that is not in time."""
    graph = subject.graph
    if not len(graph) or not all("lag" in graph.facts.get(node, {}) for node in graph.nodes):
        return None
    lags: dict[tuple[str, str], list[int]] = {}
    for edge in graph.edges:
        ends = graph.facts[edge.source], graph.facts[edge.target]
        lags.setdefault((ends[0]["variable"], ends[1]["variable"]), []).append(ends[0]["lag"])
    said = "An arrow wherever one variable acts on another at some lag, or within a step (lag 0)."
    rows = [(a, b, listed([str(lag) for lag in sorted(found)])) for (a, b), found in sorted(lags.items())]
    # The page has a picture with such names already.
    picture = tag("figure", Markup(svg(graph.summary()).replace(' id="', ' id="summary-')))
    listing = table(("from", "to", "lags"), rows[:SHOWN]) if rows else None
    parts = [tag("p", said), picture, *([listing] if listing is not None else [])]
    return Section("summary", "Summary over time", joined(parts))
