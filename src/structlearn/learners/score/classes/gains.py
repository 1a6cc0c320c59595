"""What each change of an edge gains, for every clique of neighbours that may come before its target."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.pattern import Nodes, Pattern
from structlearn.learners.score.classes.pool import NO_MOVES, Listed
from structlearn.learners.score.kernels import class_moves
from structlearn.learners.score.kernels.class_structure import PARENT
from structlearn.scores import FamilyScores

Gains = NDArray[np.float64]
Indices = NDArray[np.int64]


class Prospects:
    """What toggling one parent gains a node, for each clique of its neighbours beside the certain parents.

    Parameters
    ----------
    before : array of int
        The cliques, in rows that end with −1.
    near : array of float
        The gains of the adjacent nodes: a row per clique, a column per node.
    gains, sources, which : arrays
        Of other nodes with a gain worth having: the gains, the nodes and the number of the clique.
    """

    def __init__(
        self, before: Indices, near: Gains, others: list[tuple[Gains, Indices]], losses: dict[int, float]
    ) -> None:
        self.before = before
        self.near = near
        self.losses = losses
        self.gains = np.concatenate([gains for gains, _ in others])
        self.sources = np.concatenate([sources for _, sources in others])
        self.which = np.repeat(np.arange(len(others)), [len(sources) for _, sources in others])


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
        self._scores = scores
        self._admission = admission
        self._least = least
        self._known: list[Prospects | None] = [None] * scores.n_nodes

    def forget(self, node: int) -> None:
        """Edges at the node have changed: nothing that is remembered holds."""
        self._known[node] = None

    def review(self, node: int, pattern: Pattern) -> None:
        """Edges beside the node have changed: forget its gains where other neighbours are cliques."""
        known = self._known[node]
        if known is not None and not np.array_equal(known.before, _cliques(pattern, node)):
            self._known[node] = None

    def insertions(self, pattern: Pattern, target: int) -> Listed:
        """Every source → target that gains and whose parents would be a clique.

        Whether it would close a cycle depends on edges far away, and is asked only of the best.
        """
        known = self._prospects(pattern, target)
        is_open = np.empty(len(known.sources), dtype=np.bool_)
        class_moves.mark_open(*pattern.rows, target, known.before, known.which, known.sources, is_open)
        return Listed(known.gains[is_open], known.sources[is_open], known.before[known.which[is_open]])

    def changes(self, pattern: Pattern, target: int) -> tuple[Listed, Listed]:
        """Every deletion, and every turn that leaves the class, of an edge at the target that gains.

        A deletion is of source → target or source — target, a turn of target → source or target — source.
        Of an arrow's turn, as of an insertion, only the best is asked whether it would close a cycle.
        """
        known = self._prospects(pattern, target)
        kinds = np.empty(known.near.shape, dtype=np.int8)
        gains = np.empty(known.near.shape)
        losses = self._losses_at(pattern, target)
        class_moves.edge_changes(*pattern.rows, target, known.before, known.near, losses, kinds, gains)
        rows, places = np.nonzero(~(gains <= self._least))
        if not len(rows):
            return NO_MOVES, NO_MOVES
        found = Listed(gains[rows, places], pattern.adjacent(target)[places], known.before[rows])
        for i in np.flatnonzero(np.isnan(found.gains)):
            loss = self._loss_beside(pattern, int(found.sources[i]), target, found.before[i])
            found.gains[i] = known.near[rows[i], places[i]] + loss
        is_deletion = kinds[rows, places] == class_moves.DELETE
        is_turn = ~is_deletion & (found.gains > self._least) & self._admission.may_join[target, found.sources]
        is_deletion &= ~self._admission.must_join[target, found.sources]
        return _without_sources(found.where(is_deletion)), found.where(is_turn)

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
        before = _cliques(pattern, node)
        adjacent, parents = pattern.adjacent(node), pattern.parents(node)
        may_be_source = self._admission.may_join[node].copy()
        may_be_source[adjacent] = False
        may_be_source[node] = False
        near, others = np.empty((len(before), len(adjacent))), []
        for i, row in enumerate(before.tolist()):
            gains = self._toggles(node, parents + tuple(member for member in row if member >= 0))
            near[i] = gains[adjacent]
            sources = np.flatnonzero((gains > self._least) & may_be_source)
            others.append((gains[sources], sources))
        lost = np.where(pattern.marks_at(node) == PARENT, near[0], -near[0])
        return Prospects(before, near, others, dict(zip(adjacent.tolist(), lost.tolist(), strict=True)))

    def _toggles(self, node: int, parents: Nodes) -> Gains:
        if self._admission.has_room(parents):
            return self._scores.toggles(node, parents)
        gains = np.full(self._scores.n_nodes, -np.inf)
        now = self._scores.local(node, parents)
        for parent in parents:
            gains[parent] = self._scores.local(node, set(parents) - {parent}) - now
        return gains


def _cliques(pattern: Pattern, node: int) -> Indices:
    found: Indices = class_moves.cliques(*pattern.rows, node)
    return found


def _without_sources(moves: Listed) -> Listed:
    """The moves with their own source not among those before the target."""
    before = np.full_like(moves.before, -1)
    for i, (row, source) in enumerate(zip(moves.before.tolist(), moves.sources.tolist(), strict=True)):
        members = [member for member in row if member != source]
        before[i, : len(members)] = members
    return moves._replace(before=before)
