"""An aggregate of unknown values as nodes of a network: each adds one object to what was seen before."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.data.relational import CodedFeature
from structlearn.errors import DataError
from structlearn.models.cpds import TableCPD
from structlearn.models.relational.tallies import Tally, aggregated

MOST_STATES = 1_000  # of what was seen so far; a table has their square times the states of the attribute


class Seen(NamedTuple):
    """How often each state was seen, and the sum of the numbers, in steps."""

    counts: tuple[int, ...]
    total: float

    def plus(self, code: int, steps: float, times: int) -> "Seen":
        """What was seen with one more object, to which there are so many ways."""
        counts = list(self.counts)
        counts[code] += times
        return Seen(tuple(counts), self.total + times * steps)


def seen_state(coded: CodedFeature, seen: Sequence[Seen]) -> NDArray[np.int64]:
    """The state of the feature after having seen all."""
    counts = np.array([[*each.counts, 0] for each in seen], dtype=np.int64)
    return aggregated(coded, Tally(counts, np.array([each.total for each in seen])))


def aggregate_nodes(
    name: str,
    coded: CodedFeature,
    start: Seen,
    sources: Mapping[str, int],
    steps: Sequence[float],
) -> dict[str, TableCPD]:
    """Nodes that go through the `sources`, to each of which there are so many ways; the last is `name`.

    `start` is what is known already, `steps` the number that each state of the attribute stands for.
    """
    nodes: dict[str, TableCPD] = {}
    before = [start]
    parents: list[str] = []
    for place, (source, times) in enumerate(sources.items(), start=1):
        is_last = place == len(sources)
        grown = [[each.plus(code, step, times) for code, step in enumerate(steps)] for each in before]
        after, codes = _merged(coded, grown)
        labels: tuple[Label, ...] = tuple(range(len(after)))
        if is_last:
            labels, codes = coded.labels[: coded.n_values], seen_state(coded, after)[codes]
        elif len(after) > MOST_STATES:
            raise DataError(
                f"{name!r} is an aggregate of {len(sources)} unknown values, which can be seen in more than "
                f"{MOST_STATES:,} ways. Give more evidence, or sample."
            )
        here = name if is_last else f"{name} #{place}"
        table = np.eye(len(labels))[codes]
        nodes[here] = TableCPD(table if parents else table[0], labels=labels, parents=[*parents, source])
        before, parents = after, [here]
    return nodes


def _merged(coded: CodedFeature, grown: Iterable[Sequence[Seen]]) -> tuple[list[Seen], NDArray[np.int64]]:
    """The different things that can have been seen, and which of them each is."""
    found: dict[Hashable, int] = {}
    different: list[Seen] = []
    rows = []
    for each in grown:
        row = []
        for seen in each:
            place = found.setdefault(_what_matters(coded, seen), len(different))
            if place == len(different):
                different.append(seen)
            row.append(place)
        rows.append(row)
    return different, np.array(rows, dtype=np.int64)


def _what_matters(coded: CodedFeature, seen: Seen) -> Hashable:
    """What of it the aggregate still needs to know."""
    aggregate = coded.feature.aggregate
    if aggregate == "mean":
        return seen.total  # of as many objects each
    if aggregate in {"min", "max", "exists"}:
        return int(seen_state(coded, [seen])[0])
    return seen.counts
