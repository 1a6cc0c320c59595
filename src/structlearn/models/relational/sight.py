"""What the objects of a skeleton see through the features of a model."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational import CodedFeature
from structlearn.data.relational.chains import is_single
from structlearn.data.relational.skeleton import UNKNOWN, Places, Skeleton
from structlearn.models.relational.tallies import Tally, aggregated, in_steps

Codes = NDArray[np.int64]


class Sight:
    """The ways along the chain of one feature, from each object of its class to those that it sees."""

    def __init__(self, skeleton: Skeleton, coded: CodedFeature) -> None:
        self.coded = coded
        self.feature = coded.feature
        self.n = skeleton.objects[self.feature.base].n
        chain = self.feature.chain
        if chain:
            self.starts, self.ends = skeleton.ways(chain)
        else:
            self.starts = self.ends = np.arange(self.n)
        self._is_counted = self._with_a_beginning(skeleton)

    @property
    def is_aggregated(self) -> bool:
        """Whether an object may see several others."""
        return self.feature.aggregate is not None

    def sources(self, place: int) -> Places:
        """The objects that one sees, each as often as there are ways to it."""
        low, high = np.searchsorted(self.starts, [place, place + 1])
        return self.ends[low:high]

    def codes(self, codes: Mapping[str, Codes], numbers: Mapping[str, NDArray[np.float64]]) -> Codes:
        """The state of the feature for every object, of what is known of all."""
        if self.feature.aggregate == "count":
            return self.counted
        source = str(self.feature.source)
        seen = codes[source][self.ends]
        if not self.is_aggregated:
            found = np.full(self.n, self.coded.n_values)
            found[self.starts] = np.where(seen == UNKNOWN, self.coded.n_values, seen)
            return found
        attribute = self.feature.attribute
        assert attribute is not None  # noqa: S101, only counts have none
        levels, steps = len(attribute.labels), np.zeros(len(seen))
        if source in numbers:
            steps = np.nan_to_num(in_steps(attribute, numbers[source][self.ends]))
        filled = np.where(seen == UNKNOWN, levels, seen)
        tally = Tally.of(self.starts, filled, steps, (self.n, levels + 1))
        return aggregated(self.coded, tally)

    @cached_property
    def counted(self) -> Codes:
        """The state of a count for every object; references decide it, not values."""
        starts = self.starts
        tally = Tally.of(starts, np.zeros(len(starts), dtype=np.int64), np.zeros(len(starts)), (self.n, 1))
        return np.where(self._is_counted, aggregated(self.coded, tally), self.coded.n_values)

    def _with_a_beginning(self, skeleton: Skeleton) -> NDArray[np.bool_]:
        """Which objects have the one object from which a count begins."""
        chain = self.feature.chain
        first = next((place for place, link in enumerate(chain) if link.is_inverse), 0)
        if is_single(chain) or not first:
            return np.ones(self.n, dtype=np.bool_)
        return np.isin(np.arange(self.n), skeleton.ways(chain[:first])[0])
