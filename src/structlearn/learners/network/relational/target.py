"""An attribute whose parents are looked for: the scores of its families, and the moves that improve them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational import CodedFeature, Feature
from structlearn.rounding import ENOUGH
from structlearn.scores import FamilyScores, Score
from structlearn.statistics.relational import ClassView, TargetStatistics
from structlearn.statistics.relational.target import MOST_CELLS

Parents = tuple[int, ...]


class Move(NamedTuple):
    """What new parents of an attribute gain; a turned arrow changes those of two."""

    gain: float
    parents: dict[str, Parents]


class Target:
    """An attribute and the features that may be its parents, by column of its statistics.

    `allowed` says of each feature whether it may be; `required` are nodes that must stay parents.
    """

    def __init__(
        self,
        view: ClassView,
        column: int,
        score: Callable[[TargetStatistics], Score],
        allowed: Callable[[Feature], bool],
        required: Collection[str] = (),
    ) -> None:
        self.statistics = TargetStatistics(view, column)
        self.node = self.statistics.names[0]
        self.coded: tuple[CodedFeature, ...] = view.coded
        self.required = required
        self._scores = FamilyScores(score(self.statistics), self.statistics)
        self.candidates = [
            place
            for place, coded in enumerate(view.coded, start=1)
            if place != column + 1 and len(coded.labels) > 1 and allowed(coded.feature)
        ]

    def feature(self, column: int) -> Feature:
        """What a column is."""
        return self.coded[column - 1].feature

    def columns(self, features: Collection[Feature]) -> Parents:
        """Where these features are."""
        return tuple(place for place, coded in enumerate(self.coded, start=1) if coded.feature in features)

    def score(self, parents: Parents) -> float:
        """The score of a family."""
        return self._scores.local(0, parents)

    def additions(self, parents: Parents, before: float, others: Sequence[int] | None = None) -> list[Move]:
        """What each candidate gains as one more parent, on top of what was gained before."""
        free = [column for column in self.candidates if column not in parents] if others is None else others
        wider = [tuple(sorted((*parents, column))) for column in free]
        countable = [place for place, columns in enumerate(wider) if self._is_countable(columns)]
        chosen = np.array([free[place] for place in countable], dtype=np.int64)
        gains = self._scores.gains_of(0, parents, chosen) if len(chosen) else np.zeros(0)
        pairs = zip(gains.tolist(), countable, strict=True)
        return [Move(before + gain, {self.node: wider[place]}) for gain, place in pairs]

    def moves(self, parents: Parents, max_parents: int | None) -> list[Move]:
        """Every way to add, drop or swap a parent that improves the score, the best first."""
        if self.statistics.levels[0] < 2 or not self.statistics.n_rows:
            return []
        now, found = self.score(parents), []
        if max_parents is None or len(parents) < max_parents:
            found += self.additions(parents, 0.0)
        for dropped in parents:
            fewer = tuple(column for column in parents if column != dropped)
            loss = self.score(fewer) - now
            found.append(Move(loss, {self.node: fewer}))
            found += [move for move in self.additions(fewer, loss) if dropped not in move.parents[self.node]]
        return self._improving(found)

    def turns(self, parents: Parents, others: Mapping[str, tuple["Target", Parents]]) -> Iterator[Move]:
        """Every way to turn an arrow from a parent round, so that the attribute is a parent of the other."""
        now = self.score(parents)
        for dropped in parents:
            source = self.feature(dropped).source
            if source is None or source == self.node or source in self.required:
                continue
            other, its_parents = others[source]
            fewer = tuple(column for column in parents if column != dropped)
            back = [
                column
                for column in other.candidates
                if other.feature(column).source == self.node and column not in its_parents
            ]
            for move in other.additions(its_parents, self.score(fewer) - now, back):
                yield Move(move.gain, {**move.parents, self.node: fewer})

    def pair_moves(self, parents: Parents, max_parents: int | None) -> list[Move]:
        """Every way to add two parents at once that improves the score, the best first."""
        if self.statistics.levels[0] < 2 or (max_parents is not None and len(parents) + 2 > max_parents):
            return []
        found = []
        for first, others in self._pairs(parents):
            wider = tuple(sorted((*parents, first)))
            gain = self.score(wider) - self.score(parents)
            found += self.additions(wider, gain, others)
        return self._improving(found)

    def _pairs(self, parents: Parents) -> Iterator[tuple[int, list[int]]]:
        free = [column for column in self.candidates if column not in parents]
        for first in free[:-1]:
            yield first, [second for one, second in combinations(free, 2) if one == first]

    def _improving(self, moves: list[Move]) -> list[Move]:
        good = [
            move for move in moves if move.gain > ENOUGH and self._keeps_required(move.parents[self.node])
        ]
        return sorted(good, key=lambda move: -move.gain)

    def _keeps_required(self, parents: Parents) -> bool:
        sources = {self.feature(column).source for column in parents}
        return sources.issuperset(self.required)

    def _is_countable(self, parents: Parents) -> bool:
        levels: NDArray[np.float64] = self.statistics.levels[[0, *parents]].astype(np.float64)
        return float(levels.prod()) <= MOST_CELLS
