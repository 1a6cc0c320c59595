"""Why each edge is there, and why pairs that came close to one have none: in sentences, to unfold."""

from structlearn.outcome import Pair
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, strongest_first

SHOWN_EDGES = 100
SHOWN_ABSENT = 30


def section(subject: Subject) -> Section | None:
    """Answer `graph.why` for the strongest edges, and for pairs that nearly have one."""
    graph = subject.graph
    edges = strongest_first(graph.edges, subject.learner.weight_means)[:SHOWN_EDGES]
    pairs = dict.fromkeys((edge.source, edge.target) for edge in edges if edge.source != edge.target)
    there = [_answer(subject, pair, f"{pair[0]} and {pair[1]}") for pair in pairs]
    absent = [_answer(subject, pair, f"not {pair[0]} and {pair[1]}") for pair in _close_calls(subject)]
    if not there and not absent:
        return None
    left = len(graph.edges) - len(edges)
    code = tag("code", f"graph.why(a, b{', data=table' if _are_columns(subject) else ''})")
    more = f" Not shown: {counted(left, 'weaker edge')}." if left > 0 else ""
    said = tag(
        "p", "What speaks for each edge and against others. In Python, ", code, " answers for any pair.", more
    )
    return Section("why", "Why", joined([said, *there, *absent]))


def _answer(subject: Subject, pair: Pair, title: str) -> Markup:
    sentences = subject.graph.why(*pair).sentences
    return tag("details", tag("summary", title), tag("ul", *(tag("li", each) for each in sentences)))


def _are_columns(subject: Subject) -> bool:
    """Whether the nodes are columns of the table, which can then be asked too."""
    columns = subject.graph.nodes if subject.dataset is None else subject.dataset.names
    in_time = any("lag" in facts for facts in subject.graph.facts.values())
    return not in_time and set(subject.graph.nodes) <= set(columns)


def _close_calls(subject: Subject) -> list[Pair]:
    """Pairs without an edge, the closest to one first: by p-value, or by their share of resamples."""
    record = subject.graph.record
    if record is None:
        return []
    closeness = {pair: -found.p_value for pair, found in record.separations.items()}
    closeness |= {pair: found.edge for pair, found in record.shares.items()}
    joined_pairs = {frozenset((edge.source, edge.target)) for edge in subject.graph.edges}
    open_pairs = [pair for pair in closeness if frozenset(pair) not in joined_pairs]
    return sorted(open_pairs, key=lambda pair: (-closeness[pair], pair))[:SHOWN_ABSENT]
