"""The tests by which RFCI does without a second stage: edges that rules rely on are tested again.

References
----------
.. [1] Colombo, Maathuis, Kalisch and Richardson (2012), Learning high-dimensional directed acyclic graphs
   with latent and selection variables, Annals of Statistics 40, algorithms 3.1 to 3.3.
"""

from collections.abc import Iterable
from itertools import combinations, pairwise

import numpy as np

from structlearn.graphs.links import Positions
from structlearn.independence.asking import Asker, SeparatedPairs
from structlearn.learners.constraint.directions.orientation import unshielded_triples
from structlearn.learners.constraint.marks.marked_edges import Path
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.skeleton import Skeleton

Question = Path


class EdgeRemovedError(Exception):
    """A test separated an edge of a path: what was made of it has to be made again."""


class ConfirmedEdges:
    """A skeleton that loses edges to further tests; `skeleton` is what is left.

    Parameters
    ----------
    asker : Asker
        What answers the tests.
    skeleton : Skeleton
        The skeleton to begin with.
    known_pairs : KnownPairs
        Edges that must stay are not tested.
    """

    def __init__(self, asker: Asker, skeleton: Skeleton, known_pairs: KnownPairs) -> None:
        self._asker, self._known_pairs = asker, known_pairs
        self.skeleton = skeleton
        self._asked: set[Question] = set()

    def confirm_triples(self) -> None:
        """Test a, b and b, c of each unshielded a, b, c given what separates a and c, but b.

        An independence removes the edge; the triples that come of it are next, until all are confirmed.
        """
        while not self._asker.must_stop() and self._remove(self._about_triples()):
            pass

    def confirm_path(self, path: Path) -> None:
        """Test each two neighbours on a path t, …, c given every subset of what separates t and c."""
        between = self._separator(path[0], path[-1])
        questions = [
            (*sorted(pair), *given)
            for pair in pairwise(path)
            for size in range(len(between) + 1)
            for given in combinations([v for v in between if v not in pair], size)
        ]
        if self._remove(questions):
            self.confirm_triples()
            raise EdgeRemovedError

    def _about_triples(self) -> list[Question]:
        return [
            (*sorted(pair), *(v for v in self._separator(a, c) if v != b))
            for a, b, c in unshielded_triples(self.skeleton.lines, self._asker.must_stop).tolist()
            if self._is_separated(a, c)
            for pair in ((a, b), (b, c))
        ]

    def _remove(self, questions: Iterable[Question]) -> bool:
        """Ask what has not been asked, and remove the edges that are separated; whether there were any."""
        fresh = [question for question in dict.fromkeys(questions) if question not in self._asked]
        self._asked.update(fresh)
        width = max(map(len, fresh), default=2)
        rows = np.array([[*q, *[-1] * (width - len(q))] for q in fresh], dtype=np.int64).reshape(-1, width)
        rows = rows[~self._known_pairs.must_be_edge(rows[:, :2])]
        p_values = self._asker.p_values_of_any_size(rows)
        first: dict[tuple[int, int], tuple[list[int], float]] = {}
        for (a, b, *others), p in zip(rows.tolist(), p_values.tolist(), strict=True):
            if p > self._asker.alpha and (a, b) not in first:
                first[a, b] = self._smallest((a, b), [v for v in others if v >= 0], p)
        place = {(a, b): i for i, (a, b) in enumerate(self.skeleton.edges.tolist())}
        asked = np.array([place[pair] for pair in first], dtype=np.int64)
        given = np.array([[*s, *[-1] * (width - 2 - len(s))] for s, _ in first.values()], dtype=np.int64)
        p_value = np.array([p for _, p in first.values()])
        level = SeparatedPairs(np.arange(len(first)), given.reshape(len(first), width - 2), p_value, p_value)
        self.skeleton = self.skeleton.without(asked, level)
        return bool(first)

    def _smallest(self, pair: tuple[int, int], given: list[int], p: float) -> tuple[list[int], float]:
        """Leave out what the independence does not need."""
        for node in tuple(given):
            without = [v for v in given if v != node]
            p_without = float(self._asker.p_values(np.array([[*pair, *without]], dtype=np.int64))[0])
            if p_without > self._asker.alpha:
                given, p = without, p_without
        return given, p

    def _at(self, a: int, c: int) -> int:
        return int(self.skeleton.separators.find(np.array([a]), np.array([c]))[0])

    def _is_separated(self, a: int, c: int) -> bool:
        return self._at(a, c) >= 0

    def _separator(self, a: int, c: int) -> list[int]:
        given: Positions = self.skeleton.separators.given[self._at(a, c)]
        return [v for v in given.tolist() if v >= 0]
