"""A new database with the objects and references of another, and values drawn from a model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational import Attribute
from structlearn.data.relational.skeleton import UNKNOWN, Skeleton
from structlearn.errors import DataError
from structlearn.models.relational.dependency import Dependency
from structlearn.models.relational.sight import Sight
from structlearn.models.relational.tallies import refuse_unseen
from structlearn.naming import listed

Codes = NDArray[np.int64]


class Sampling:
    """Draws every attribute of every object, each after what it depends on."""

    def __init__(
        self, skeleton: Skeleton, dependencies: Mapping[str, Dependency], rng: np.random.Generator
    ) -> None:
        self._skeleton, self._dependencies, self._rng = skeleton, dependencies, rng
        self._sights = {
            node: [Sight(skeleton, parent) for parent in each.parents] for node, each in dependencies.items()
        }
        self._stored = {
            node: codes for each in skeleton.objects.values() for node, codes in each.codes.items()
        }
        self.codes = {node: np.full(len(codes), UNKNOWN) for node, codes in self._stored.items()}
        self.numbers: dict[str, NDArray[np.float64]] = {}
        self._pools = {
            node: pool for each in skeleton.objects.values() for node, pool in each.numbers.items()
        }

    def draw(self) -> None:
        """Draw all there is, in rounds: whatever depends on nothing that is still to be drawn."""
        waiting = list(self._dependencies)
        while waiting:
            n_drawn = sum(self._draw_ready(node) for node in waiting)
            waiting = [node for node in waiting if (self.codes[node] == UNKNOWN).any()]
            if waiting and not n_drawn:
                raise DataError(
                    "The references of this database lead from an object back to itself, so that "
                    f"{listed(waiting)} would depend on itself."
                )

    def columns(self, attribute: Attribute) -> list[Any]:
        """The values of an attribute, as the database would have them."""
        if not attribute.cuts:
            return [attribute.labels[code] for code in self.codes[attribute.node]]
        numbers = self.numbers[attribute.node]
        is_whole = attribute.stored == "whole"
        return [int(x) if is_whole and x.is_integer() else x for x in numbers.tolist()]

    def _draw_ready(self, node: str) -> int:
        """Draw an attribute for the objects whose parents all have been, and say for how many."""
        is_ready = self.codes[node] == UNKNOWN
        for sight in self._sights[node]:
            if sight.feature.source is not None:
                is_gap = self.codes[sight.feature.source][sight.ends] == UNKNOWN
                is_ready[sight.starts[is_gap]] = False
        ready = np.flatnonzero(is_ready)
        if not len(ready):
            return 0
        parents = []
        for sight in self._sights[node]:
            seen = sight.codes(self.codes, self.numbers)[ready]
            refuse_unseen(node, sight.coded, seen)
            parents.append(seen)
        self.codes[node][ready] = self._dependencies[node].cpd.sample(parents, len(ready), self._rng)
        self._draw_numbers(self._skeleton.schema.attribute(node), ready)
        return len(ready)

    def _draw_numbers(self, attribute: Attribute, ready: Codes) -> None:
        if not attribute.is_ordered:
            return
        numbers = self.numbers.setdefault(attribute.node, np.full(len(self.codes[attribute.node]), np.nan))
        codes = self.codes[attribute.node][ready]
        for code in np.unique(codes).tolist():
            chosen = ready[codes == code]
            numbers[chosen] = self._rng.choice(self._numbers_of(attribute, code), len(chosen))

    def _numbers_of(self, attribute: Attribute, code: int) -> Sequence[float] | NDArray[np.float64]:
        """What a state may stand for: of an interval the numbers that the database has in it."""
        if attribute.numbers is not None:
            return [attribute.numbers[code]]
        stored: NDArray[np.float64] = self._pools[attribute.node][self._stored[attribute.node] == code]
        if len(stored):
            return stored
        # No number here: the end of the interval that belongs to it, or the next whole number above.
        if code == len(attribute.cuts):
            return [float(np.floor(attribute.cuts[-1]) + 1)]
        end = attribute.cuts[code]
        return [float(np.floor(end)) if attribute.stored == "whole" else end]


def sampled(
    skeleton: Skeleton, dependencies: Mapping[str, Dependency], rng: np.random.Generator
) -> dict[str, dict[str, list[Any]]]:
    """Tables by name, with the keys and references that there are and new values."""
    drawn = Sampling(skeleton, dependencies, rng)
    drawn.draw()
    return {
        name: {
            **{column: list(values) for column, values in objects.columns.items()},
            **{each.name: drawn.columns(each) for each in objects.entity.attributes},
        }
        for name, objects in skeleton.objects.items()
    }
