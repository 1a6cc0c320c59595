"""Which nodes of an instance graph bear on a question."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational.skeleton import UNKNOWN
from structlearn.errors import DataError
from structlearn.models.relational.grounding import Grounding, Node

MOST_NODES = 5_000  # exact answers take seconds there


def with_ancestors(grounding: Grounding, nodes: Iterable[Node]) -> list[Node]:
    """Some nodes and all that they depend on."""
    found: dict[Node, None] = {}
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            _refuse_many(found)
            waiting += grounding.parents(node)
    return list(found)


def bearing_on(grounding: Grounding, asked: Node) -> list[Node]:
    """What is not known and bears on the node asked for, and what is known and depends on any of it.

    What is known cuts the ways that it lies on, and what leads to nothing known says nothing.
    """
    children = _Children(grounding)
    found: dict[Node, None] = {}
    waiting = [asked]
    while waiting:
        node = waiting.pop()
        if node in found:
            continue
        found[node] = None
        _refuse_many(found)
        waiting += [parent for parent in grounding.parents(node) if not grounding.is_known(parent)]
        if not grounding.is_known(node):
            waiting += children.telling(node)
    return list(found)


class _Children:
    """The nodes that depend on a node, as far as they or what depends on them are known."""

    def __init__(self, grounding: Grounding) -> None:
        self._grounding = grounding
        self._arrows = [
            (sight.feature.source, child, sight.starts, sight.ends)
            for child, sights in grounding.sights.items()
            for sight in sights
            if sight.feature.source is not None
        ]
        self._tells = {node: codes != UNKNOWN for node, codes in grounding.known.items()}
        while self._spread():
            pass

    def telling(self, node: Node) -> list[Node]:
        return [
            (child, start)
            for source, child, starts, ends in self._arrows
            if source == node[0]
            for start in np.unique(starts[ends == node[1]]).tolist()
            if self._tells[child][start]
        ]

    def _spread(self) -> bool:
        """Let each node tell whose child tells; say whether that changed any."""
        has_changed = False
        for source, child, starts, ends in self._arrows:
            new: NDArray[np.int64] = ends[self._tells[child][starts]]
            has_changed |= not bool(self._tells[source][new].all())
            self._tells[source][new] = True
        return has_changed


def _refuse_many(found: dict[Node, None]) -> None:
    if len(found) > MOST_NODES:
        raise DataError(
            f"The network would have more than {MOST_NODES:,} attributes of objects. Choose fewer with "
            "entities=, give more evidence, or take a part of the database."
        )
