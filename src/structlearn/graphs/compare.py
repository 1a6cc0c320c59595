"""What a graph has right and wrong beside the truth."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from structlearn.errors import DataError
from structlearn.graphs.edge import ARROWS_AND_LINES, SYMMETRIC, EdgeKind, Mark
from structlearn.graphs.kinds import GraphKind
from structlearn.graphs.structure import refuse_no_graph
from structlearn.naming import listed

if TYPE_CHECKING:
    from structlearn.graphs.graph import Graph

Verdict = Literal["right", "missing", "extra", "misdirected"]
MARKS: Mapping[Mark, str] = {"-": "tail", ">": "arrow", "o": "circle"}

COUNTS = ("shd", "missing", "extra", "misdirected", "agreed")
SKELETON_RATES = ("skeleton_precision", "skeleton_recall", "skeleton_f1")
ARROW_RATES = ("arrow_precision", "arrow_recall", "arrow_f1")


class MarkCount(NamedTuple):
    """How many ends of edges have a mark: in the graph, in the truth, and at the same end in both."""

    drawn: int
    true: int
    agreed: int


@dataclass(frozen=True)
class Comparison:
    """What a graph has right and wrong beside the truth.

    An edge here is a pair of joined nodes. Precision is the share of what the graph claims that is
    true, and 1.0 where it claims nothing; recall is the share of the truth that it claims, and
    1.0 where there is nothing to find; F1 is their harmonic mean, 1.0 where neither graph has any.

    Parameters
    ----------
    missing, extra : int
        Edges of the truth alone, and of the graph alone.
    misdirected : int
        Edges of both whose marks differ.
    agreed : int
        Edges that are the same in both.
    arrows, true_arrows, agreed_arrows : int
        Directed edges of the graph, of the truth, and of both in the same direction.
    as_cpdag : (bool, bool)
        Whether the graph, and whether the truth, was taken as its CPDAG; `between` says it in words.
    graph, truth : Graph
        What was compared.

    Notes
    -----
    Both are taken as their CPDAGs. A graph that has none (a cycle, ↔ or circles, lines that no DAG
    extends) is taken as it is. The other one then still becomes its CPDAG if that graph consists of
    arrows and lines, with a line at least: a line leaves a direction open, and beside it so does the
    CPDAG. Beside arrows alone that make a cycle, and beside an ADMG, MAG or PAG, it stays as it is too.
    """

    missing: int
    extra: int
    misdirected: int
    agreed: int
    arrows: int
    true_arrows: int
    agreed_arrows: int
    as_cpdag: tuple[bool, bool]
    graph: "Graph" = field(repr=False, compare=False)
    truth: "Graph" = field(repr=False, compare=False)

    @property
    def of_classes(self) -> bool:
        """Whether the CPDAGs of both were compared."""
        return all(self.as_cpdag)

    @cached_property
    def between(self) -> str:
        """What was compared, the graph before the truth: "CPDAG and CPDAG", "PDAG and CPDAG", …."""
        pairs = zip((self.graph, self.truth), self.as_cpdag, strict=True)
        return " and ".join("CPDAG" if is_class else _named(graph.kind) for graph, is_class in pairs)

    @property
    def shd(self) -> int:
        """The structural Hamming distance: the pairs of nodes whose edges differ, in a mark or altogether."""
        return self.missing + self.extra + self.misdirected

    @property
    def skeleton_precision(self) -> float:
        """The share of the graph's edges that join what the truth joins."""
        return _share(self._shared, self._shared + self.extra)

    @property
    def skeleton_recall(self) -> float:
        """The share of the truth's edges that the graph has in any direction."""
        return _share(self._shared, self._shared + self.missing)

    @property
    def skeleton_f1(self) -> float:
        """The harmonic mean of the skeleton's precision and recall."""
        return _share(2 * self._shared, 2 * self._shared + self.extra + self.missing)

    @property
    def arrow_precision(self) -> float:
        """The share of the graph's directed edges that the truth directs the same way."""
        return _share(self.agreed_arrows, self.arrows)

    @property
    def arrow_recall(self) -> float:
        """The share of the truth's directed edges that the graph directs the same way."""
        return _share(self.agreed_arrows, self.true_arrows)

    @property
    def arrow_f1(self) -> float:
        """The harmonic mean of the arrows' precision and recall."""
        return _share(2 * self.agreed_arrows, self.arrows + self.true_arrows)

    @cached_property
    def marks(self) -> Mapping[str, MarkCount]:
        """How many tails, arrows and circles at the ends of edges are right, by the name of the mark.

        Where CPDAGs were compared, these are the marks of the CPDAGs.
        """
        drawn, true, _ = _comparable(self.graph, self.truth)
        ours, theirs = _marked_ends(drawn), _marked_ends(true)
        both = ours & theirs
        return {
            name: MarkCount(
                *(sum(n for end, n in ends.items() if end[2] == mark) for ends in (ours, theirs, both))
            )
            for mark, name in MARKS.items()
        }

    @cached_property
    def sid(self) -> int | tuple[int, int] | None:
        """The structural intervention distance: the effects of one node on another told wrongly.

        Of the n (n - 1) ordered pairs (i, j) it counts those for which adjusting for the parents that
        the graph gives i would get the effect of setting i on j wrong. The graph is taken as it is,
        not as its class: a DAG has a number, any other graph the smallest and the largest number of
        its members. None where the truth is no DAG, or the graph has no members or too large a
        class. Computed when asked for.

        References
        ----------
        .. [1] Peters and Bühlmann (2015), Structural intervention distance for evaluating causal
           graphs, Neural Computation 27.
        """
        from structlearn.graphs import intervention_distance as distance  # noqa: PLC0415, seldom asked for

        if not self.truth.is_dag or not self.graph.edge_kinds <= ARROWS_AND_LINES:
            return None
        truth = self.truth.reordered(self.graph.nodes).links
        if self.graph.is_dag:
            return distance.intervention_distance(self.graph.links, truth)
        return distance.intervention_distance_range(self.graph.links, truth)

    @property
    def _shared(self) -> int:
        return self.agreed + self.misdirected

    def to_dict(self) -> dict[str, int | float]:
        """Give the measures by name, for tables and files."""
        return {name: getattr(self, name) for name in (*COUNTS, *SKELETON_RATES, *ARROW_RATES)}

    def __str__(self) -> str:
        compared = "the CPDAGs" if self.of_classes else self.between
        kinds = self.graph.edge_kinds | self.truth.edge_kinds
        return "\n".join(
            [
                f"Structural Hamming distance {self.shd} between {compared}",
                f"  edges     {self.agreed} right, {self.missing} missing, {self.extra} extra, "
                f"{self.misdirected} misdirected",
                f"  skeleton  precision {self.skeleton_precision:.3f}, recall {self.skeleton_recall:.3f}, "
                f"F1 {self.skeleton_f1:.3f}",
                f"  arrows    precision {self.arrow_precision:.3f}, recall {self.arrow_recall:.3f}, "
                f"F1 {self.arrow_f1:.3f}",
                *([] if kinds <= ARROWS_AND_LINES else [f"  marks     {self._marks_said()}"]),
            ]
        )

    def _marks_said(self) -> str:
        return ", ".join(
            f"{n.agreed} {name}s right of {n.drawn} drawn and {n.true} true" for name, n in self.marks.items()
        )


def compare(graph: "Graph", truth: "Graph") -> Comparison:
    """Count what `graph` has right and wrong beside `truth`, which has the same nodes."""
    drawn, true, as_cpdag = _comparable(graph, truth)
    n_edges = Counter(_verdicts(drawn, true).values())
    return Comparison(
        missing=n_edges["missing"],
        extra=n_edges["extra"],
        misdirected=n_edges["misdirected"],
        agreed=n_edges["right"],
        arrows=len(drawn.directed),
        true_arrows=len(true.directed),
        agreed_arrows=len(set(drawn.directed) & set(true.directed)),
        as_cpdag=as_cpdag,
        graph=graph,
        truth=truth,
    )


def verdicts(graph: "Graph", truth: "Graph") -> dict[frozenset[str], Verdict]:
    """Judge every pair of nodes that either graph joins, as `compare` counts them."""
    drawn, true, _ = _comparable(graph, truth)
    return _verdicts(drawn, true)


def _comparable(graph: "Graph", truth: "Graph") -> tuple["Graph", "Graph", tuple[bool, bool]]:
    """Give what to compare in the place of each, and whether that is its CPDAG; see `Comparison`."""
    _refuse_other_nodes(graph, truth)
    drawn, true = _class_of(graph), _class_of(truth)
    if drawn is None and not _leaves_directions_open(graph):
        true = None
    if true is None and not _leaves_directions_open(truth):
        drawn = None
    return (
        graph if drawn is None else drawn,
        truth if true is None else true,
        (drawn is not None, true is not None),
    )


def _leaves_directions_open(graph: "Graph") -> bool:
    """Whether it has lines that stand for arrows of one direction or the other."""
    return "undirected" in graph.edge_kinds and not _has_hidden_causes(graph)


def _has_hidden_causes(graph: "Graph") -> bool:
    return graph.given_kind in {"ADMG", "MAG", "PAG"} or not graph.edge_kinds <= ARROWS_AND_LINES


def _verdicts(drawn: "Graph", true: "Graph") -> dict[frozenset[str], Verdict]:
    ours, theirs = _ends_of(drawn), _ends_of(true)
    found: dict[frozenset[str], Verdict] = dict.fromkeys(theirs, "missing")
    for pair, ends in ours.items():
        if pair not in theirs:
            found[pair] = "extra"
        else:
            found[pair] = "right" if ends == theirs[pair] else "misdirected"
    return found


def _refuse_other_nodes(graph: "Graph", truth: "Graph") -> None:
    refuse_no_graph("compare", truth)
    differing = sorted(set(graph.nodes) ^ set(truth.nodes))
    if differing:
        raise DataError(
            f"compare: both graphs need the same nodes, but only one has {listed(differing)}. "
            "Take subgraph(...) of the larger one."
        )


def _class_of(graph: "Graph") -> "Graph | None":
    if _has_hidden_causes(graph):
        return None
    try:
        return graph.to_cpdag()
    except DataError:
        return None


def _ends_of(graph: "Graph") -> dict[frozenset[str], frozenset[tuple[EdgeKind, str | None]]]:
    """Give the edges between each joined pair: the kind of each and, where ends differ, its source."""
    ends: dict[frozenset[str], frozenset[tuple[EdgeKind, str | None]]] = {}
    for edge in graph.edges:
        pair = frozenset((edge.source, edge.target))
        way = edge.kind, None if edge.kind in SYMMETRIC else edge.source
        ends[pair] = ends.get(pair, frozenset()) | {way}
    return ends


def _marked_ends(graph: "Graph") -> Counter[tuple[str, str, Mark]]:
    """Count each mark by the node that it is at and the other node."""
    found: Counter[tuple[str, str, Mark]] = Counter()
    for edge in graph.edges:
        at_source, at_target = edge.marks
        found[edge.source, edge.target, at_source] += 1
        found[edge.target, edge.source, at_target] += 1
    return found


def _named(kind: GraphKind) -> str:
    return f"{kind} graph" if kind in {"undirected", "cyclic"} else kind


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
