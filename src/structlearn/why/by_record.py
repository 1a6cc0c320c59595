"""What the method says of a pair: tests, gains, shares of resamples, knowledge."""

from collections.abc import Iterator

from structlearn.graphs import Edge
from structlearn.why.record import Record

Pair = tuple[str, str]


def said_of_edge(edge: Edge, record: Record) -> Iterator[str]:
    """The evidence that an edge carries."""
    if edge.p_value is not None:
        level = "" if record.alpha is None else f"; the level is {record.alpha:g}"
        yield f"The largest p-value of the tests that it survived is {_written(edge.p_value)}{level}."
    if edge.weight is not None and record.weight_means == "score gain":
        change = "lower" if edge.weight >= 0 else "higher"
        yield f"Without it the score would be {abs(edge.weight):,.2f} {change}."
    elif edge.weight is not None:
        yield f"Its weight is {edge.weight:.4g}."
    if edge.confidence is not None:
        yield f"Its confidence is {edge.confidence:.1%}, a probability or the share of resamples with it."


def said_of_pair(pair: Pair, record: Record, *, joined: bool) -> Iterator[str]:
    """What is recorded of two nodes, joined or not."""
    if not joined:
        yield from _separation(pair, record)
    yield from _shares(pair, record)
    for source, target in (pair, pair[::-1]):
        if (source, target) in record.knowledge.required:
            yield f"What was known beforehand requires {source} → {target}."
        if record.knowledge.forbids(source, target):
            yield f"What was known beforehand forbids {source} → {target}."


def _separation(pair: Pair, record: Record) -> Iterator[str]:
    found = record.separations.get(pair) or record.separations.get(pair[::-1])
    if found is not None:
        given = f"Given {', '.join(found.given)}, they" if found.given else "They"
        level = "" if record.alpha is None else f", above the level {record.alpha:g}"
        yield f"{given} are independent by the test: p-value {_written(found.p_value)}{level}."


def _shares(pair: Pair, record: Record) -> Iterator[str]:
    if not record.shares:
        return
    for first, second in (pair, pair[::-1]):
        if found := record.shares.get((first, second)):
            yield (
                f"Of the resamples {found.edge:.1%} join them: {found.forward:.1%} by {first} → {second}, "
                f"{found.backward:.1%} by {second} → {first}, {found.undirected:.1%} without a direction."
            )
            return
    yield "None of the resamples joins them."


def _written(p_value: float) -> str:
    return "below 1e-300" if p_value < 1e-300 else f"{p_value:.2g}"  # less than that is 0 in floating point
