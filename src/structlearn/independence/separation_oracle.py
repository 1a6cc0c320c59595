"""The truth as a test: independence is separation in a graph."""

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.graphs.separation import d_separated_many, separated_many
from structlearn.independence.protocol import Answers, Questions


class SeparationOracle:
    """Answer by d-separation in a DAG, by separation in an undirected graph: p-value 1 or 0.

    Parameters
    ----------
    graph : Graph
        A DAG, a graph that extends to one, or an undirected graph; its nodes are the columns.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph if graph.is_undirected else graph.to_dag()

    def many(self, statistics: None, questions: Questions) -> Answers:  # noqa: ARG002, the truth needs no data
        """Answer many questions with the same number of conditions."""
        nothing = np.full(len(questions), math.nan)
        return Answers(nothing, nothing, self._separated(questions).astype(np.float64))

    def separators(self, pairs: NDArray[np.int64], neighbors: Links) -> NDArray[np.int64]:
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

    def _widest_questions(self, pairs: NDArray[np.int64], neighbors: Links, width: int) -> Questions:
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
        if self._graph.is_undirected:
            return separated_many(self._graph.links, questions)
        return d_separated_many(self._graph.links, questions)

    @cached_property
    def _is_useful(self) -> NDArray[np.bool_]:
        """Which nodes can help to separate each node: its ancestors; in an undirected graph, all."""
        n_nodes = len(self._graph)
        if self._graph.is_undirected:
            return np.ones((n_nodes, n_nodes), dtype=np.bool_)
        above = np.zeros((n_nodes, n_nodes), dtype=np.bool_)
        index = {name: i for i, name in enumerate(self._graph.nodes)}
        for node in (index[name] for name in self._graph.topological_order()):
            parents = self._graph.links.parents(node)
            above[node, parents] = True
            above[node] |= above[parents].any(axis=0)
        return above
