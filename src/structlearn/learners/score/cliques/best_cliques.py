"""The best of all decomposable graphs of bounded width, by dynamic programming over sets of nodes."""

import math

from structlearn.learners.score.cliques.decomposable import Attachment, Clique, CliqueGains, subsets
from structlearn.run import Run

Nodes = frozenset[int]


def n_steps(n_nodes: int, width: int) -> int:
    """About how many steps the search takes: a clique, and each other node here, there or nowhere."""
    return sum(
        math.comb(n_nodes, size) * 3 ** (n_nodes - size) for size in range(min(width + 1, n_nodes) + 1)
    )


class BestCliques:
    """What can hang from a clique, and how it does so with the largest gain.

    What hangs from a clique falls into pieces. A piece begins with a node that is attached to a
    part of the clique, and the rest of the piece hangs from the two together.
    """

    def __init__(self, gains: CliqueGains, width: int, run: Run) -> None:
        self._gains = gains
        self._width = width
        self._run = run
        self._hung: dict[tuple[Clique, Nodes], tuple[float, Clique, Nodes]] = {}
        self._pieces: dict[tuple[Clique, Nodes], tuple[float, int]] = {}

    def attachments(self) -> list[Attachment]:
        """The attachments of the best graph; not the best where time ran out."""
        everything = frozenset(range(self._gains.n_nodes))
        self._hang((), everything)
        return self._read((), everything)

    def _hang(self, clique: Clique, nodes: Nodes) -> float:
        """The most that these nodes gain where they hang from a clique."""
        if not nodes:
            return 0.0
        key = clique, nodes
        if key not in self._hung:
            self._hung[key] = max(self._ways(clique, nodes), key=lambda way: round(way[0], 9))
        return self._hung[key][0]

    def _ways(self, clique: Clique, nodes: Nodes) -> list[tuple[float, Clique, Nodes]]:
        """Each part of the clique and each piece with the first node, and what they and the rest gain."""
        first, *others = sorted(nodes)
        parts = subsets(clique, self._width)
        ways = []
        for members in subsets(others, len(others)):
            piece = frozenset((first, *members))
            rest = self._hang(clique, nodes - piece)
            ways += [(self._piece(part, piece) + rest, part, piece) for part in parts]
            if self._run.must_stop():
                break
        return ways

    def _piece(self, clique: Clique, nodes: Nodes) -> float:
        """The most that these nodes gain where one is attached to the whole clique and leads the rest."""
        key = clique, nodes
        if key not in self._pieces:
            self._pieces[key] = max(
                ((self._led(clique, node, nodes), node) for node in sorted(nodes)),
                key=lambda way: round(way[0], 9),
            )
        return self._pieces[key][0]

    def _led(self, clique: Clique, node: int, nodes: Nodes) -> float:
        gained = float(self._gains.of(clique)[node])
        if gained == -math.inf:
            return gained
        return gained + self._hang(tuple(sorted((*clique, node))), nodes - {node})

    def _read(self, clique: Clique, nodes: Nodes) -> list[Attachment]:
        """The attachments behind the gain of `_hang`."""
        found: list[Attachment] = []
        while nodes:
            _, part, piece = self._hung[clique, nodes]
            _, node = self._pieces[part, piece]
            found += [(node, part), *self._read(tuple(sorted((*part, node))), piece - {node})]
            nodes -= piece
        return found
