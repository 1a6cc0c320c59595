"""What each change of an edge gains, for every clique of neighbours that may come before its target."""

from collections.abc import Iterable
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.moves import MoveKind
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.pool import NO_MOVES, Listed
from structlearn.learners.score.classes.toggles import Gains, Toggles
from structlearn.learners.score.kernels import class_lists, class_moves
from structlearn.scores import FamilyScores
from structlearn.scores.families import Family

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
        self._toggles = Toggles(scores, admission)

    def copy(self) -> "ClassGains":
        """Another that remembers the same: what one forgets, the other does not."""
        other = copy(self)
        other._known = self._known.copy()  # noqa: SLF001, of the same class
        return other

    def of_deletions(self, admission: Admission) -> "ClassGains":
        """Another that remembers the same, for deletions alone: within other limits, whatever they gain."""
        other = self.copy()
        strict = admission.adding_nothing()
        other.__dict__.update(_admission=strict, _least=-np.inf, _toggles=self._toggles.within(strict))
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

    def prepare(self, pattern: Pattern, targets: Iterable[int]) -> None:
        """Score what is forgotten of some targets at once."""
        forgotten = [node for node in targets if self._known[node] is None]
        before = [_cliques(pattern, node) for node in forgotten]
        families = [_families(pattern, node, rows) for node, rows in zip(forgotten, before, strict=True)]
        self._toggles.prepare(family for found in families for family in found)
        for node, rows, found in zip(forgotten, before, families, strict=True):
            self._known[node] = self._split(pattern, node, rows, np.array([*map(self._toggles.of, found)]))

    def _prospects(self, pattern: Pattern, node: int) -> Prospects:
        if self._known[node] is None:
            self.prepare(pattern, [node])
        known = self._known[node]
        assert known is not None  # noqa: S101, prepared
        return known

    def _split(self, pattern: Pattern, node: int, before: Indices, toggled: Gains) -> Prospects:
        near, lost, *others = class_lists.split_gains(
            *pattern.rows, node, toggled, self._admission.may_join[node], self._least
        )
        losses = dict(zip(pattern.adjacent(node).tolist(), lost.tolist(), strict=True))
        return Prospects(before, near, losses, *others)


def _families(pattern: Pattern, node: int, before: Indices) -> list[Family]:
    """The node with its certain parents and those before it, for each row of these."""
    parents = pattern.parents(node)
    return [
        (node, tuple(sorted((*parents, *(member for member in row if member >= 0)))))
        for row in before.tolist()
    ]


def _cliques(pattern: Pattern, node: int) -> Indices:
    found: Indices = class_moves.cliques(*pattern.rows, node)
    return found
