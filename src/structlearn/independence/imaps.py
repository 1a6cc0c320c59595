"""Whether a graph is an I-map: whether every independence it states holds, in data or in the truth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from structlearn.data import Dataset, Oracle
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.independence.checked import checked_answers
from structlearn.independence.from_function import PairwiseTest
from structlearn.independence.protocol import IndependenceTest
from structlearn.independence.registry import TEST, test_for
from structlearn.independence.separation_oracle import SeparationOracle
from structlearn.options import Between, Rules, check_options
from structlearn.statistics import Statistics, opened, statistics_of

RULES: Rules = {"alpha": Between(0, 1, "the significance level of each test"), "test": TEST}


@dataclass(frozen=True, slots=True)
class Statement:
    """That x and y are independent given some nodes, and what a test says: dependent if p ≤ alpha."""

    x: str
    y: str
    given: tuple[str, ...]
    p_value: float

    def __str__(self) -> str:
        given = f" | {', '.join(self.given)}" if self.given else ""
        return f"{self.x} ⊥ {self.y}{given} (p = {self.p_value:.3g})"


def is_imap(
    graph: Graph,
    source: Any,
    *,
    test: str | IndependenceTest | PairwiseTest | None = None,
    alpha: float = 0.05,
) -> bool:
    """Whether every independence that the graph states holds; see `imap_violations`.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.independence.imaps import is_imap
    >>> fork = sl.Graph("abc", directed=["ba", "bc"])
    >>> is_imap(sl.Graph("abc", directed=["ab", "bc"]), fork), is_imap(sl.Graph("abc"), fork)
    (True, False)
    """
    return not imap_violations(graph, source, test=test, alpha=alpha)


def imap_violations(
    graph: Graph,
    source: Any,
    *,
    test: str | IndependenceTest | PairwiseTest | None = None,
    alpha: float = 0.05,
) -> tuple[Statement, ...]:
    """Find the independences that the graph states and that do not hold.

    In a DAG each node is independent of each node before it in a topological order, given its
    parents; in an undirected graph, of every other node, given its neighbours. All other
    independences follow from these where pairwise ones imply joint ones, as in the truth and in
    Gaussian data.

    Parameters
    ----------
    graph : Graph
        A DAG, a graph that extends to one, or an undirected graph.
    source : Graph, Oracle, or anything `Dataset` takes
        The truth, or data; it has the nodes of the graph, and may have others.
    test : str, IndependenceTest or None, default None
        The test for data; by default G² for discrete columns and Fisher's z for continuous ones.
    alpha : float, default 0.05
        A statement is violated when the p-value of its test is not larger.

    Returns
    -------
    tuple of Statement
        None are violated if the graph is an I-map. The smallest p-values come first.
    """
    asked = _Source(graph.nodes, source, owner="is_imap", test=test, alpha=alpha)
    answered = asked.answer(list(_statements(graph)))
    violated = [statement for statement in answered if statement.p_value <= alpha]
    return tuple(sorted(violated, key=lambda statement: statement.p_value))


def is_minimal_imap(
    graph: Graph,
    source: Any,
    *,
    test: str | IndependenceTest | PairwiseTest | None = None,
    alpha: float = 0.05,
) -> bool:
    """Whether the graph is an I-map and would not be without any one of its edges."""
    if not is_imap(graph, source, test=test, alpha=alpha):
        return False
    asked = _Source(graph.nodes, source, owner="is_minimal_imap", test=test, alpha=alpha)
    return all(statement.p_value <= alpha for statement in asked.answer(list(_edge_statements(graph))))


def minimal_imap(
    order: Sequence[str],
    source: Any,
    *,
    test: str | IndependenceTest | PairwiseTest | None = None,
    alpha: float = 0.05,
) -> Graph:
    """Build the DAG along an order that states as much as holds: each node's parents shield it.

    The parents of a node are the nodes before it, less, in turn from the first one on, each that
    it is independent of given the others that are left. In the truth the result is the only
    minimal I-map of that order; where some columns determine others it depends on the turns.

    Parameters
    ----------
    order : sequence of str
        The nodes; arrows point forward.
    source, test, alpha
        As for `imap_violations`.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.independence.imaps import minimal_imap
    >>> collider = sl.Graph("abc", directed=["ac", "bc"])
    >>> minimal_imap(["c", "a", "b"], collider).directed
    (('c', 'a'), ('c', 'b'), ('a', 'b'))
    """
    if isinstance(order, Graph | Oracle | Dataset):
        raise OptionError(
            "minimal_imap(order=…): the order of the nodes comes first, and then the data or the graph."
        )
    nodes = Graph(order).nodes
    asked = _Source(nodes, source, owner="minimal_imap", test=test, alpha=alpha)
    arrows = []
    for place, node in enumerate(nodes):
        parents = _shield(asked, node, nodes[:place], alpha)
        arrows += [(parent, node) for parent in parents]
    return Graph(nodes, directed=arrows)


def _shield(asked: "_Source", node: str, before: Sequence[str], alpha: float) -> list[str]:
    """Drop nodes that are independent of `node` given those left, until there is none."""
    left = list(before)
    n_before = -1
    while n_before != len(left):
        n_before = len(left)
        for other in tuple(left):
            given = tuple(name for name in left if name != other)
            if asked.answer([(node, other, given)])[0].p_value > alpha:
                left.remove(other)
    return left


Asked = tuple[str, str, tuple[str, ...]]


class _Source:
    """Data or the truth, asked by name."""

    def __init__(
        self,
        nodes: Sequence[str],
        source: Any,
        *,
        owner: str,
        test: str | IndependenceTest | PairwiseTest | None,
        alpha: float,
    ) -> None:
        check_options(owner, RULES, {"alpha": alpha, "test": test})
        truth = Oracle(source) if isinstance(source, Graph) else source
        known = truth if isinstance(truth, Oracle) else opened(truth)
        missing = [name for name in nodes if name not in known.names]
        if missing:
            raise DataError(
                f"{owner}: the source has no {missing[0]!r}; it has {', '.join(known.names[:8])}."
            )
        if isinstance(known, Oracle):
            self._statistics: Statistics | None = None
            self._test: IndependenceTest = SeparationOracle.of(known, known.names)
            names = known.names
        else:
            if isinstance(known, Dataset):
                known = known.select(list(nodes))  # what other columns miss does not matter
            self._statistics = statistics_of(known, list(nodes), owner=owner)
            self._test = test_for(owner, test, self._statistics)
            names = tuple(nodes)
        self._place = {name: i for i, name in enumerate(names)}

    def answer(self, asked: Sequence[Asked]) -> list[Statement]:
        """Ask those with equally many conditions together."""
        answered = []
        for _, group in groupby(sorted(asked, key=_n_given), key=_n_given):
            batch = list(group)
            rows = [[self._place[name] for name in (x, y, *given)] for x, y, given in batch]
            answers = checked_answers(self._test, self._statistics, np.array(rows, dtype=np.int64))
            p_values = answers.p_value.tolist()
            answered += [Statement(*question, p) for question, p in zip(batch, p_values, strict=True)]
        return answered


def _n_given(asked: Asked) -> int:
    return len(asked[2])


def _statements(graph: Graph) -> Iterator[Asked]:
    if graph.is_undirected:
        for node in graph.nodes:
            around = graph.neighbors(node)
            yield from ((node, other, around) for other in graph.nodes if other not in {node, *around})
        return
    dag = graph.to_dag()
    order = dag.topological_order()
    for place, node in enumerate(order):
        parents = dag.parents(node)
        yield from ((node, other, parents) for other in order[:place] if other not in parents)


def _edge_statements(graph: Graph) -> Iterator[Asked]:
    """State for each edge what would have to hold if it were not there."""
    dag = graph if graph.is_undirected else graph.to_dag()
    for edge in dag.edges:
        around = dag.neighbors(edge.target) if graph.is_undirected else dag.parents(edge.target)
        yield edge.target, edge.source, tuple(name for name in around if name != edge.source)
