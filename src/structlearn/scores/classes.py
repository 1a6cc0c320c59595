"""The scores of all DAGs that a graph stands for."""

import math
from collections.abc import Iterable

from structlearn.graphs.links import Links
from structlearn.graphs.members import Summary
from structlearn.scores.families import FamilyScores

MOST_PARTS = 2_000  # to look into: some ten thousand families, scored one by one in seconds
Ends = tuple[float, float]


def ends_of_class(families: FamilyScores, links: Links) -> Ends | None:
    """The worst and the best score of the members; None where there are too many parts to look into."""

    def of_family(child: int, parents: frozenset[int]) -> Ends:
        score = families.local(child, parents)
        return score, score

    return Summary(leaf=of_family, together=_added, either=_spanned, most_parts=MOST_PARTS).of(links)


def _added(ends: Iterable[Ends]) -> Ends:
    worst, best = zip(*ends, strict=True)
    return math.fsum(worst), math.fsum(best)


def _spanned(ends: Iterable[Ends]) -> Ends:
    worst, best = zip(*ends, strict=True)
    return min(worst), max(best)
