"""An equivalence class of DAGs as sets: its CPDAG, beside one of its members."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from structlearn.graphs.equivalence import consistent_extension
from structlearn.graphs.links import Links

Sets = list[set[int]]
Arrow = tuple[int, int]


class Pattern:
    """A CPDAG: parents, children, undirected neighbours and all adjacent nodes of each node.

    Parameters
    ----------
    member : sequence of sets of int
        The parents of each node in a DAG of the class; kept, and never changed.
    """

    def __init__(self, member: Sequence[set[int]]) -> None:
        self.member = member
        self._reached: dict[tuple[int, tuple[int, ...]], int] = {}
        self.parents: Sets = _compelled(member)
        self.children: Sets = [set() for _ in member]
        self.neighbors: Sets = [set() for _ in member]
        for node, above in enumerate(member):
            for other in above:
                if other in self.parents[node]:
                    self.children[other].add(node)
                else:
                    self.neighbors[other].add(node)
                    self.neighbors[node].add(other)
        self.adjacent: Sets = [
            parents | children | neighbors
            for parents, children, neighbors in zip(self.parents, self.children, self.neighbors, strict=True)
        ]

    @classmethod
    def of(cls, dag: Links) -> "Pattern":
        """The class of a DAG."""
        return cls([set(dag.parents(node).tolist()) for node in range(dag.n_nodes)])

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.member)

    @cached_property
    def links(self) -> Links:
        """The CPDAG in compressed rows."""
        arrows = [(a, b) for b, sources in enumerate(self.parents) for a in sorted(sources)]
        lines = [(a, b) for a, others in enumerate(self.neighbors) for b in sorted(others) if a < b]
        return Links(self.n_nodes, arrows=arrows, lines=lines)

    def reached(self, start: int, avoiding: tuple[int, ...]) -> int:
        """The nodes, as bits, that lines and arrows lead to from `start` without its neighbours `avoiding`.

        Arrows lead out of the part that lines join for good, and from then on everywhere below.
        """
        key = (start, avoiding)
        if key not in self._reached:
            near, waiting = {start}, [start]
            while waiting:
                fresh = self.neighbors[waiting.pop()].difference(near, avoiding)
                near |= fresh
                waiting.extend(fresh)
            self._reached[key] = self._with_all_below(near, self._below)
        return self._reached[key]

    @cached_property
    def _below(self) -> list[int]:
        """For each node the bits of the nodes that lines join it to, and of all below them."""
        below = [0] * self.n_nodes
        parts = self._parts()
        part_of = {node: part for part in parts for node in part}
        n_waiting = {part: sum(len(self.children[node]) for node in part) for part in parts}
        ready = [part for part in parts if n_waiting[part] == 0]
        for part in ready:
            reached = self._with_all_below(part, below)
            for node in part:
                below[node] = reached
                for parent in self.parents[node]:
                    above = part_of[parent]
                    n_waiting[above] -= 1
                    if n_waiting[above] == 0:
                        ready.append(above)
        return below

    def _parts(self) -> list[tuple[int, ...]]:
        parts: list[tuple[int, ...]] = []
        seen: set[int] = set()
        for node in range(self.n_nodes):
            if node not in seen:
                parts.append(tuple(self._joined_to(node)) if self.neighbors[node] else (node,))
                seen.update(parts[-1])
        return parts

    def member_with(self, chosen: Iterable[Arrow]) -> list[set[int]] | None:
        """The parents in a DAG of the class that has these arrows for lines; None without any.

        What lines do not join is directed independently, so only the parts with chosen arrows
        are directed anew.
        """
        chosen = set(chosen)
        member = list(self.member)
        left = {node for arrow in chosen for node in arrow}
        while left:
            part = self._joined_to(min(left))
            left -= part.keys()
            arrows = [(part[a], part[b]) for a, b in chosen if a in part]
            directed = consistent_extension(self._lines_among(part, arrows))
            if directed is None:
                return None
            nodes = list(part)
            for node in nodes:
                member[node] = set(self.parents[node])
            for a, b in directed.tolist():
                member[nodes[b]].add(nodes[a])
        return member

    def _with_all_below(self, nodes: Iterable[int], below: list[int]) -> int:
        bits = 0
        for node in nodes:
            bits |= 1 << node
            for child in self.children[node]:
                bits |= below[child]
        return bits

    def _joined_to(self, node: int) -> dict[int, int]:
        """The nodes that lines join to this one, each with a position among them."""
        part = {node: 0}
        waiting = [node]
        while waiting:
            for other in sorted(self.neighbors[waiting.pop()] - part.keys()):
                part[other] = len(part)
                waiting.append(other)
        return part

    def _lines_among(self, part: dict[int, int], arrows: list[Arrow]) -> Links:
        settled = set(arrows) | {(b, a) for a, b in arrows}
        pairs = [(i, part[other]) for node, i in part.items() for other in self.neighbors[node]]
        lines = [(i, j) for i, j in pairs if i < j and (i, j) not in settled]
        return Links(len(part), arrows=sorted(arrows), lines=sorted(lines))


def _compelled(member: Sequence[set[int]]) -> Sets:
    """The parents that a node has in every DAG of the class, by Chickering's (1995) labels.

    `structlearn.graphs.equivalence.cpdag` does the same on compressed rows, which a search that
    changes one edge at a time would spend its time on making.
    """
    rank = [0] * len(member)
    compelled: Sets = [set()] * len(member)
    for place, node in enumerate(_parents_first(member)):
        rank[node] = place
        parents = member[node]
        if parents:
            latest = max(parents, key=rank.__getitem__)
            is_free = parents - {latest} <= member[latest] and compelled[latest] <= parents
            compelled[node] = compelled[latest] if is_free else parents
    return compelled


def _parents_first(member: Sequence[set[int]]) -> list[int]:
    children: list[list[int]] = [[] for _ in member]
    n_waiting = [len(parents) for parents in member]
    for node, parents in enumerate(member):
        for parent in parents:
            children[parent].append(node)
    order = [node for node, n in enumerate(n_waiting) if n == 0]
    for node in order:
        for child in children[node]:
            n_waiting[child] -= 1
            if n_waiting[child] == 0:
                order.append(child)
    return order
