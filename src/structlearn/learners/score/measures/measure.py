"""By what candidate parents are chosen, given the network so far."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np

from structlearn.errors import OptionError
from structlearn.learners.score.measures.gaussian_discrepancy import GaussianDiscrepancy
from structlearn.learners.score.measures.table_discrepancy import TableDiscrepancy
from structlearn.run import Run
from structlearn.scores import FamilyScores, score_for
from structlearn.search.promises import Promises
from structlearn.search.space import Space
from structlearn.statistics.column_sorts import both_kinds, sort_of

MeasureName = Literal["score", "discrepancy", "shield", "mutual-information"]
MEASURES: tuple[MeasureName, ...] = ("score", "discrepancy", "shield", "mutual-information")


class Measure(Protocol):
    """How much each column promises as one more parent of another."""

    def of(self, parents: Sequence[Sequence[int]], run: Run) -> Promises:
        """The promises, given the parents that each node has."""


class Gain:
    """What one more parent adds to a score, per row."""

    def __init__(self, scores: FamilyScores, size: float) -> None:
        self._scores = scores
        self._size = size

    def of(self, parents: Sequence[Sequence[int]], run: Run) -> Promises:
        """The gains; those that time does not allow for are impossible."""
        values = np.full((len(parents), len(parents)), -np.inf)
        for child, members in enumerate(parents):
            if run.must_stop():
                break
            run.show("ranking candidates", child, len(parents))
            values[child] = self._scores.toggles(child, members) / self._size
        return Promises(values, 0.0)


class WithoutParents:
    """Another measure of the network without arcs, whatever the network is; found once."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self._known: Promises | None = None

    def of(self, parents: Sequence[Sequence[int]], run: Run) -> Promises:
        """The promises of columns that have no parents."""
        if self._known is None:
            self._known = self._measure.of([() for _ in parents], run)
        return self._known


def measure_for(space: Space, name: MeasureName, *, samples: int | None) -> Measure:
    """The measure of that name for columns of these kinds.

    The likelihood gains, from one more parent, the information that parent and child share given
    the other parents, per row: I(child; parent | parents).
    """
    statistics = space.statistics
    if name == "score":
        return Gain(space.scores, statistics.size)
    if name == "discrepancy":
        return _discrepancy(space, samples)
    likelihoods = FamilyScores(score_for(space.owner, "loglik", statistics), statistics)
    information = Gain(likelihoods, statistics.size)
    return information if name == "shield" else WithoutParents(information)


def _discrepancy(space: Space, samples: int | None) -> Measure:
    sort = sort_of(space.statistics)
    if sort == "discrete":
        return TableDiscrepancy(space.statistics, samples, space.rng)
    if sort == "continuous":
        return GaussianDiscrepancy(space.statistics)
    raise OptionError(
        f"{space.owner}(measure='discrepancy'): the columns are of two kinds, "
        f"{both_kinds(space.statistics)}, and the discrepancy of such a network has no simple form. "
        "Use measure='score' or measure='shield'."
    )
