"""Candidate parents that somebody else chose, for any search that changes one arc at a time."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.learners.score.candidates import Candidates
from structlearn.learners.score.climb import Limits
from structlearn.options import Either, Instance, OrNone
from structlearn.scores import Score
from structlearn.scores.protocol import BoundedScore, Families
from structlearn.statistics import Statistics

GivenCandidates = Graph | Mapping[str, Iterable[str]]
CANDIDATES = OrNone(
    Either((Instance(Graph, ""), Instance(Mapping, "")), "which columns may be parents of which"),
    "all of all others",
)


def candidate_matrix(owner: str, names: tuple[str, ...], candidates: GivenCandidates) -> Candidates:
    """Which columns may be parents of each, with a row per child.

    The ends of an edge of a graph may be parents of each other, whatever its direction. A mapping names the
    candidates of each column; a column that it does not mention has none.
    """
    place = {name: i for i, name in enumerate(names)}
    chosen = np.zeros((len(names), len(names)), dtype=np.bool_)
    for child, parent in _pairs(candidates):
        for name in (child, parent):
            if name not in place:
                raise OptionError(
                    f"{owner}(candidates=…): there is no column {name!r}; there are {', '.join(names)}."
                )
        chosen[place[child], place[parent]] = child != parent
    return chosen


def narrowed(
    names: tuple[str, ...], knowledge: Knowledge, max_parents: int | None, chosen: Candidates
) -> Limits:
    """The limits of a search among candidates; required arcs are allowed whatever they say."""
    limits = Limits(names, knowledge, max_parents)
    limits.closed |= ~(chosen | limits.frozen)
    return limits


class AmongCandidates:
    """A score that promises nothing of columns that are no candidates: a search leaves them unscored."""

    def __init__(self, score: Score, chosen: Candidates) -> None:
        self.is_equivalent = bool(getattr(score, "is_equivalent", False))
        self._score = score
        self._bounds = score if isinstance(score, BoundedScore) else None
        self._most = np.where(chosen, np.inf, -np.inf)

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        return self._score.local(statistics, families)

    def most_gains(
        self, statistics: Statistics, family: tuple[int, ...], *, now: float, alone: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """What each column can add at most: a column that is no candidate, not even nothing."""
        most: NDArray[np.float64] = self._most[family[0]]
        if self._bounds is None:
            return most
        return np.minimum(most, self._bounds.most_gains(statistics, family, now=now, alone=alone))


def _pairs(candidates: GivenCandidates) -> list[tuple[str, str]]:
    if isinstance(candidates, Graph):
        ends = [(edge.source, edge.target) for edge in candidates.edges]
        return ends + [(b, a) for a, b in ends]
    return [(child, parent) for child, parents in candidates.items() for parent in parents]
