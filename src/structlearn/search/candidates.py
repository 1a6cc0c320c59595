"""Candidate parents that somebody chose before the search: another method, a person or a quick look."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.naming import no_such
from structlearn.options import Either, Instance, OrNone, Whole
from structlearn.scores import Score
from structlearn.scores.protocol import BoundedScore, Families, SetScore, SetTerms
from structlearn.statistics import Statistics

Candidates = NDArray[np.bool_]
GivenCandidates = Graph | Mapping[str, Iterable[str]]
CANDIDATES = OrNone(
    Either((Instance(Graph, ""), Instance(Mapping, "")), "which columns may be parents of which"),
    "all of all others",
)
CountedCandidates = int | GivenCandidates
COUNTED_CANDIDATES = OrNone(
    Either(
        (Whole(1, ""), Instance(Mapping, ""), Instance(Graph, "")),
        "the nodes that parents are chosen from: how many, which ones by node, or the neighbours in a graph",
    ),
    "all",
)


def candidate_matrix(owner: str, names: tuple[str, ...], candidates: GivenCandidates) -> Candidates:
    """Which columns may be parents of each, with a row per child.

    The ends of an edge of a graph may be parents of each other, whatever its direction. A mapping names the
    candidates of each column; a column that it does not mention has none.
    """
    place = {name: i for i, name in enumerate(names)}
    chosen = np.zeros((len(names), len(names)), dtype=np.bool_)
    for child, parents in _by_child(candidates).items():
        for name in (child, *parents):
            if name not in place:
                raise OptionError(no_such("column", name, names, owner=f"{owner}(candidates=…)"))
            chosen[place[child], place[name]] = child != name
    return chosen


def given_and_counted(candidates: CountedCandidates | None) -> tuple[GivenCandidates | None, int | None]:
    """The candidates that are named, and how many are to be found: one of the two at most."""
    if isinstance(candidates, Graph | Mapping):
        return candidates, None
    return None, candidates


class AmongCandidates:
    """A score that promises nothing of columns that are no candidates: a search leaves them unscored."""

    def __init__(self, score: Score, chosen: Candidates) -> None:
        self.is_equivalent = bool(getattr(score, "is_equivalent", False))
        self.is_quick = bool(getattr(score, "is_quick", False))
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

    def set_terms(self, statistics: Statistics) -> SetTerms | None:
        """Those of the score: where all families are scored at once, those that are ruled out do no harm."""
        return self._score.set_terms(statistics) if isinstance(self._score, SetScore) else None


def _by_child(candidates: GivenCandidates) -> dict[str, tuple[str, ...]]:
    if isinstance(candidates, Graph):
        return {node: tuple(candidates.adjacent(node)) for node in candidates.nodes}
    return {child: tuple(parents) for child, parents in candidates.items()}
