"""What a method hands back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import EdgeKind
from structlearn.run import Status

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class EdgeEvidence:
    """What speaks for an edge; None where the method does not say.

    `score_gain` is what the score would lose without the edge; `p_value` is the largest of the
    tests that the edge survived; `confidence` is a probability or a share of resamples.
    """

    score_gain: float | None = None
    p_value: float | None = None
    confidence: float | None = None


def edges_of(evidence: Mapping[Pair, EdgeEvidence], kind: EdgeKind) -> list[Edge]:
    """An edge for each pair, with what speaks for it: no other is made of it later."""
    return [
        Edge(*pair, kind, known.score_gain, known.p_value, known.confidence)
        for pair, known in evidence.items()
    ]


@dataclass(frozen=True, slots=True)
class MarkEvidence:
    """What speaks for a mark at an end of an edge: the rule that set it, and the nodes that it looked at."""

    rule: str
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """Why there is no edge between two nodes: given these, they are independent at this p-value."""

    given: tuple[str, ...]
    p_value: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method hands back; `fit` publishes each field that is there as `field_`.

    Arrays in `by_node` have an entry per node, those in `by_pair` a row and a column, in the order of the
    graph's nodes here; they are published in the order of the table's columns, nodes that are no columns
    behind them. `extra` holds what only this method has, by name. `claims` makes what a certificate says.
    """

    graph: Graph
    status: Status = Status.COMPLETE
    score: float | None = None
    trace: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    evidence: Mapping[Pair, EdgeEvidence] = field(default_factory=dict)
    separating_sets: Mapping[Pair, Separation] | None = None
    conflicts: tuple[str, ...] | None = None
    n_tests: int | None = None
    by_node: Mapping[str, Any] = field(default_factory=dict)
    by_pair: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    claims: Callable[[], Mapping[str, Any]] | None = None
