"""An equivalence class of DAGs: its CPDAG, beside one of its members."""

from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs.links import Links
from structlearn.learners.score.kernels import class_members, class_structure
from structlearn.learners.score.kernels.class_structure import CHILD, LINE, PARENT

Nodes = tuple[int, ...]
Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Pattern:
    """A CPDAG and a member in compressed rows; never changed.

    Where experiments tell directions, it is the interventional essential graph.

    Parameters
    ----------
    starts, others : arrays of int
        Where the row of each node starts, and the sorted nodes adjacent to each, row after row.
    is_above : array of bool
        Beside each of these whether it is the parent of the row's node in the member.
    is_told : array of bool, optional
        Of which pairs of nodes experiments tell the direction.
    """

    def __init__(self, starts: Rows, others: Rows, is_above: Flags, is_told: Flags | None = None) -> None:
        self.starts = starts
        self.others = others
        self.is_above = is_above
        self.marks = np.zeros(len(others), dtype=np.int8)
        self.is_told = is_told
        class_structure.label(starts, others, is_above, self.marks)
        if is_told is not None:
            class_structure.label_told(starts, others, is_above, is_told, self.marks)

    @classmethod
    def of(cls, dag: Links, is_told: Flags | None = None) -> "Pattern":
        """The class of a DAG."""
        starts, others = dag.adjacent_rows
        nodes = np.repeat(np.arange(dag.n_nodes), np.diff(starts))
        arrows = dag.arrows[:, 0] * dag.n_nodes + dag.arrows[:, 1]
        return cls(starts, others, np.isin(others * dag.n_nodes + nodes, arrows), is_told)

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.starts) - 1

    @property
    def rows(self) -> tuple[Rows, Rows, NDArray[np.int8]]:
        """The CPDAG: where rows start, who is adjacent, and what each is to the row's node."""
        return self.starts, self.others, self.marks

    @property
    def arrows(self) -> tuple[Rows, Rows, Flags]:
        """The member: where rows start, who is adjacent, and who of these is a parent of the row's node."""
        return self.starts, self.others, self.is_above

    def adjacent(self, node: int) -> Rows:
        """The nodes that share an edge with this one."""
        return self.others[self.starts[node] : self.starts[node + 1]]

    def parents(self, node: int) -> Nodes:
        """The nodes with an arrow to this one in every member."""
        return self._marked(node, PARENT)

    def children(self, node: int) -> Nodes:
        """The nodes with an arrow from this one in every member."""
        return self._marked(node, CHILD)

    def neighbors(self, node: int) -> Nodes:
        """The nodes with a line to this one."""
        return self._marked(node, LINE)

    def is_joined(self, node: int, other: int) -> bool:
        """Whether there is an edge between two nodes."""
        return bool(class_structure.find(self.starts, self.others, node, other) >= 0)

    def place(self, node: int, other: int) -> int:
        """Where an adjacent node is among those of `node`."""
        return int(class_structure.find(self.starts, self.others, node, other) - self.starts[node])

    def is_lined(self, node: int, other: int) -> bool:
        """Whether there is a line between two nodes."""
        place = class_structure.find(self.starts, self.others, node, other)
        return bool(place >= 0 and self.marks[place] == LINE)

    def member(self) -> list[Nodes]:
        """The parents of every node in one DAG of the class."""
        return [self.parents_in_member(node) for node in range(self.n_nodes)]

    def parents_in_member(self, node: int) -> Nodes:
        """The parents of one node in that DAG."""
        row = slice(self.starts[node], self.starts[node + 1])
        return tuple(self.others[row][self.is_above[row]].tolist())

    def most_parents(self, besides: Collection[int] = ()) -> int:
        """The most parents that a node has in one DAG of the class, and thus in every other.

        Within a part that lines join it is the size of the largest clique less one, beside the parents that
        its nodes share. DAGs without the nodes `besides` are of one class, too.
        """
        is_above = self.is_above
        if besides:
            nodes = np.repeat(np.arange(self.n_nodes), np.diff(self.starts))
            is_above = is_above & ~np.isin(np.stack([nodes, self.others]), list(besides)).any(axis=0)
        return int(class_members.most_parents(self.starts, is_above))

    @cached_property
    def links(self) -> Links:
        """The CPDAG as arrows and lines."""
        nodes = np.repeat(np.arange(self.n_nodes), np.diff(self.starts))
        ends = np.column_stack([self.others, nodes])
        is_line = (self.marks == LINE) & (self.others < nodes)
        return Links(self.n_nodes, arrows=ends[self.marks == PARENT], lines=ends[is_line])

    @cached_property
    def reach(self) -> tuple[Rows, NDArray[np.uint64]]:
        """The part of each node that lines join, and the bits of the nodes that each part leads to."""
        found: tuple[Rows, NDArray[np.uint64]] = class_structure.reach_of_parts(
            self.starts, self.others, self.marks
        )
        return found

    def directed_from(self, *starts: Nodes) -> Flags:
        """Another member: the parts that these nodes are in directed anew, from them on."""
        is_above = self.is_above.copy()
        for first in starts:
            nodes = np.array(first, dtype=np.int64)
            class_structure.direct_lines(self.starts, self.others, self.marks, nodes, is_above)
        return is_above

    def with_arrow(self, source: int, target: int, is_above: Flags) -> "Pattern":
        """The class of a member, given by its arrows, with one arrow more."""
        starts, others, above = class_members.with_arrow(self.starts, self.others, is_above, source, target)
        return Pattern(starts, others, above, self.is_told)

    def without_edge(self, source: int, target: int, is_above: Flags) -> "Pattern":
        """The class of a member, given by its arrows, with one arrow less."""
        starts, others, above = class_members.without_edge(self.starts, self.others, is_above, source, target)
        return Pattern(starts, others, above, self.is_told)

    def with_turned(self, source: int, target: int, is_above: Flags) -> "Pattern":
        """The class of a member, given by its arrows, with target → source turned."""
        find = class_structure.find
        is_above[find(self.starts, self.others, source, target)] = False
        is_above[find(self.starts, self.others, target, source)] = True
        return Pattern(self.starts, self.others, is_above, self.is_told)

    def _marked(self, node: int, mark: int) -> Nodes:
        row = slice(self.starts[node], self.starts[node + 1])
        return tuple(self.others[row][self.marks[row] == mark].tolist())
