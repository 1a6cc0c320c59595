"""What each change of an edge gains, for every clique of neighbours that may come before its target."""

from copy import copy
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.moves import MoveKind
from structlearn.learners.score.classes.pattern import Nodes, Pattern
from structlearn.learners.score.classes.pool import NO_MOVES, Listed
from structlearn.learners.score.kernels import class_lists, class_moves
from structlearn.scores import FamilyScores

TOGGLE_BYTES = 64 * 2**20  # of gains of nodes with a set of parents: searches come back to most of them
Gains = NDArray[np.float64]
Indices = NDArray[np.int64]


class Prospects(NamedTuple):
    """What toggling one parent gains a node, for each clique of its neighbours beside the certain parents.

    Attributes
    ----------
    before : array of int
        The cliques, in rows that end with −1.
    near : array of float
        The gains of the adjacent nodes: a row per clique, a column per node.
    losses : dict
        What the node loses with each adjacent node as a parent beside its certain ones.
    gains, sources, which : arrays
        Of other nodes with a gain worth having: the gains, the nodes and the number of the clique.
    """

    before: Indices
    near: Gains
    losses: dict[int, float]
    gains: Gains
    sources: Indices
    which: Indices


class ClassGains:
    """The moves out of a class, listed by target; gains are remembered for as long as a node's edges stay.

    Parameters
    ----------
    scores : FamilyScores
        The score.
    admission : Admission
        Which edges may be there or gone, and how many parents a node may have.
    least : float
        What a move must gain more than to be listed.
    """

    def __init__(self, scores: FamilyScores, admission: Admission, least: float) -> None:
        self._admission = admission
        self._least = least
        self._known: list[Prospects | None] = [None] * scores.n_nodes
        self._toggles = lru_cache(TOGGLE_BYTES // (8 * scores.n_nodes))(partial(_toggles, scores, admission))

    def copy(self) -> "ClassGains":
        """Another that remembers the same: what one forgets, the other does not."""
        other = copy(self)
        other._known = self._known.copy()  # noqa: SLF001, of the same class
        return other

    def forget(self, node: int) -> None:
        """Edges at the node have changed: nothing that is remembered holds."""
        self._known[node] = None

    def review(self, node: int, pattern: Pattern) -> None:
        """Edges beside the node have changed: forget its gains where other neighbours are cliques."""
        known = self._known[node]
        if known is not None and not np.array_equal(known.before, _cliques(pattern, node)):
            self._known[node] = None

    def moves(self, kind: MoveKind, pattern: Pattern, target: int) -> Listed:
        """Every move of a kind that gains."""
        if kind == "insert":
            return self.insertions(pattern, target)
        return self.deletions(pattern, target) if kind == "delete" else self.turns(pattern, target)

    def insertions(self, pattern: Pattern, target: int) -> Listed:
        """Every source → target that gains and whose parents would be a clique.

        Whether it would close a cycle depends on edges far away, and is asked only of the best.
        """
        known = self._prospects(pattern, target)
        if not len(known.gains):
            return NO_MOVES
        return Listed(
            *class_lists.insertions(
                *pattern.rows, target, known.before, known.gains, known.sources, known.which
            )
        )

    def deletions(self, pattern: Pattern, target: int) -> Listed:
        """Every deletion of source → target or source — target that gains."""
        known, must_join = self._prospects(pattern, target), self._admission.must_join[target]
        if known.near.max(initial=-np.inf) <= self._least:
            return NO_MOVES
        return Listed(
            *class_lists.deletions(*pattern.rows, target, known.before, known.near, must_join, self._least)
        )

    def turns(self, pattern: Pattern, target: int) -> Listed:
        """Every turn of target → source or target — source that gains and leaves the class.

        Of an arrow's turn, as of an insertion, only the best is asked whether it would close a cycle.
        """
        known, may_join = self._prospects(pattern, target), self._admission.may_join[target]
        losses = self._losses_at(pattern, target)
        gains, sources, before, is_half = class_lists.turns(
            *pattern.rows, target, known.before, known.near, losses, may_join, self._least
        )
        found = Listed(gains, sources, before)
        if not is_half.any():
            return found
        for i in np.flatnonzero(is_half).tolist():
            gains[i] += self._loss_beside(pattern, int(sources[i]), target, before[i])
        return found.where(gains > self._least)

    def _losses_at(self, pattern: Pattern, target: int) -> Gains:
        """What each adjacent node loses with the target as a parent beside its certain ones."""
        adjacent = pattern.adjacent(target).tolist()
        return np.array([self._prospects(pattern, node).losses[target] for node in adjacent])

    def _loss_beside(self, pattern: Pattern, source: int, target: int, before: Indices) -> float:
        """What the source loses with the target as a parent beside those before both."""
        shared = sorted([target, *np.intersect1d(before, pattern.adjacent(source)).tolist()])
        known = self._prospects(pattern, source)
        clique = known.before.tolist().index(shared + [-1] * (known.before.shape[1] - len(shared)))
        return float(known.near[clique, pattern.place(source, target)])

    def _prospects(self, pattern: Pattern, node: int) -> Prospects:
        known = self._known[node]
        if known is None:
            known = self._scored(pattern, node)
            self._known[node] = known
        return known

    def _scored(self, pattern: Pattern, node: int) -> Prospects:
        before, parents = _cliques(pattern, node), pattern.parents(node)
        toggled = np.array(
            [
                self._toggles(node, parents + tuple(member for member in row if member >= 0))
                for row in before.tolist()
            ]
        )
        near, lost, *others = class_lists.split_gains(
            *pattern.rows, node, toggled, self._admission.may_join[node], self._least
        )
        losses = dict(zip(pattern.adjacent(node).tolist(), lost.tolist(), strict=True))
        return Prospects(before, near, losses, *others)


def _toggles(scores: FamilyScores, admission: Admission, node: int, parents: Nodes) -> Gains:
    """What each node as one parent more, or one less, gains; without room, −∞ for one more."""
    if admission.has_room(parents):
        return scores.toggles(node, parents)
    gains = np.full(scores.n_nodes, -np.inf)
    now = scores.local(node, parents)
    for parent in parents:
        gains[parent] = scores.local(node, set(parents) - {parent}) - now
    return gains


def _cliques(pattern: Pattern, node: int) -> Indices:
    found: Indices = class_moves.cliques(*pattern.rows, node)
    return found
