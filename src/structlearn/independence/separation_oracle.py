"""The truth as a test: independence is separation in a graph."""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Oracle
from structlearn.graphs import Graph
from structlearn.graphs.separation import ancestor_matrix, d_separated_many, separated_many
from structlearn.independence.asking import ConditionLists
from structlearn.independence.protocol import Answers, Questions


class SeparationOracle:
    """Answer by separation in a graph, as `Graph.m_separated` does: p-value 1 or 0.

    Parameters
    ----------
    graph : Graph
        A DAG, a graph that extends to one, an undirected graph, or one with hidden causes.
    columns : sequence of str, optional
        The nodes that questions are about, by position; the others are hidden. All, if not given.
    selected : iterable of str
        Nodes that every question is given besides.
    """

    def __init__(
        self, graph: Graph, columns: Sequence[str] | None = None, *, selected: Iterable[str] = ()
    ) -> None:
        place = {name: i for i, name in enumerate(graph.nodes)}
        nothing = np.empty(0, dtype=np.int64)
        self._is_undirected = graph.is_undirected
        self._links, given = (graph.links, nothing) if graph.is_undirected else graph.canonical_links()
        self._place = np.array(
            [place[name] for name in (graph.nodes if columns is None else columns)], dtype=np.int64
        )
        self._given = np.array([*(place[name] for name in selected), *given], dtype=np.int64)

    @classmethod
    def of(cls, oracle: Oracle, columns: Sequence[str]) -> Self:
        """Answer questions about the columns of an `Oracle`, in this order."""
        return cls(oracle.graph, columns, selected=oracle.selected)

    def many(self, statistics: None, questions: Questions) -> Answers:  # noqa: ARG002, the truth needs no data
        """Answer many questions with the same number of conditions."""
        nothing = np.full(len(questions), math.nan)
        return Answers(nothing, nothing, self._separated(questions).astype(np.float64))

    def separators(self, pairs: NDArray[np.int64], neighbors: ConditionLists) -> NDArray[np.int64]:
        """A minimal set of neighbours of an end that separates each pair, -1 in the unused places.

        A pair that no such set separates has -2 in its first place. If any subset of C separates x
        and y in a DAG, then so do the ancestors of x and y that are in C [1]_: one question
        instead of one for each subset. What the separation does not need is then left out.

        References
        ----------
        .. [1] van der Zander, Liśkiewicz and Textor (2014), Constructing separators and adjustment
           sets in ancestral graphs, UAI.
        """
        most = int(np.diff(neighbors.neighbor_rows[0]).max(initial=0))
        found = np.full((len(pairs), 2 + max(most, 1)), -2, dtype=np.int64)
        for ends in (pairs, pairs[:, ::-1]):
            missing = np.flatnonzero(found[:, 2] == -2)
            questions = self._widest_questions(ends[missing], neighbors, found.shape[1])
            separated = self._separated(questions)
            found[missing[separated]] = questions[separated]
        self._leave_out_the_needless(found)
        return found[:, 2:]

    def _widest_questions(self, pairs: NDArray[np.int64], neighbors: ConditionLists, width: int) -> Questions:
        """Each pair given all neighbours of its first end that could help."""
        questions = np.full((len(pairs), width), -1, dtype=np.int64)
        questions[:, :2] = pairs
        for row in questions:
            x, y = row[:2]
            around = neighbors.neighbors(x)
            members = around[(self._is_useful[x] | self._is_useful[y])[around] & (around != y)]
            row[2 : 2 + len(members)] = members
        return questions

    def _leave_out_the_needless(self, questions: Questions) -> None:
        for place in range(2, questions.shape[1]):
            rows = np.flatnonzero(questions[:, place] >= 0)
            without = questions[rows]
            without[:, place] = -1
            needless = self._separated(without)
            questions[rows[needless], place] = -1

    def _separated(self, questions: Questions) -> NDArray[np.bool_]:
        asked = np.where(questions < 0, -1, self._place[questions])
        if self._given.size:
            asked = np.column_stack([asked, np.tile(self._given, (len(asked), 1))])
        return (
            separated_many(self._links, asked)
            if self._is_undirected
            else d_separated_many(self._links, asked)
        )

    @cached_property
    def _is_useful(self) -> NDArray[np.bool_]:
        """Which columns can help to separate each column: its ancestors and those of what is given.

        In an undirected graph, all.
        """
        n_columns = len(self._place)
        if self._is_undirected:
            return np.ones((n_columns, n_columns), dtype=np.bool_)
        above = ancestor_matrix(self._links)
        useful: NDArray[np.bool_] = (above | above[self._given].any(axis=0))[np.ix_(self._place, self._place)]
        return useful
