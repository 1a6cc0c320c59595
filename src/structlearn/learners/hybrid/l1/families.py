"""Which columns explain another best: sets off a path of L1 penalties, compared without shrinkage."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import ENOUGH
from structlearn.run import MustStop, Run, never
from structlearn.search.limits import Limits

Mask = NDArray[np.bool_]
Members = tuple[int, ...]


class Family(NamedTuple):
    """The columns chosen for one, and the description length of it with them."""

    members: Members
    cost: float


class Regressions(Protocol):
    """Regressions of each column on others, with a penalty and without."""

    @property
    def most_idle(self) -> int | None:
        """How many sets in a row may be no better before the path ends; None for any number."""

    def active_sets(
        self, child: int, is_free: Mask, is_allowed: Mask, must_stop: MustStop = never
    ) -> Iterator[Members]:
        """The columns in use, from the largest penalty down; those that are free are not penalised."""

    def cost(self, child: int, members: Members, must_stop: MustStop = never) -> float:
        """The description length of the column given these, without a penalty; more if it must stop."""

    def least_cost_beyond(self, child: int, members: Members) -> float:
        """What no family with more parameters than this one costs less than."""


class L1Families:
    """Chooses and remembers families.

    Parameters
    ----------
    regressions : Regressions
        What is regressed, and how.
    limits : Limits
        Which columns must be in the family of each, which may not, and how many may.
    run : Run
        When to stop; a family that is cut short is the best of its path so far.
    """

    def __init__(self, regressions: Regressions, limits: Limits, run: Run) -> None:
        self._regressions = regressions
        self.limits = limits
        self.run = run
        self._families: dict[tuple[int, bytes], Family] = {}
        self._costs: dict[tuple[int, Members], float] = {}

    def best(self, child: int, among: Mask) -> Family:
        """The family with the least cost on the path over these columns."""
        is_allowed = among & ~self.limits.closed[child]
        is_allowed[child] = False
        key = child, np.packbits(is_allowed).tobytes()
        if key not in self._families:
            self._families[key] = self._least(child, is_allowed)
        return self._families[key]

    def cost(self, child: int, members: Members, must_stop: MustStop = never) -> float:
        """The description length of a column given these; infinite where there was no time to find it."""
        if (child, members) not in self._costs:
            cost = float(self._regressions.cost(child, members, must_stop))
            if must_stop():
                return np.inf
            self._costs[child, members] = cost
        return self._costs[child, members]

    def gain(self, child: int, members: Members, without: int) -> float:
        """What the description of a column gets longer by without one of its family."""
        rest = tuple(member for member in members if member != without)
        return self.cost(child, rest) - self.cost(child, members)

    def _least(self, child: int, is_allowed: Mask) -> Family:
        is_free = is_allowed & self.limits.frozen[child]
        first = tuple(np.flatnonzero(is_free).tolist())
        best, n_idle = Family(first, self.cost(child, first)), 0
        if self.run.must_stop():
            return best
        for members in self._regressions.active_sets(child, is_free, is_allowed, self.run.must_stop):
            if len(members) > self.limits.most_parents[child]:
                continue
            if n_idle == self._regressions.most_idle or self.run.must_stop():
                break
            found = Family(members, self.cost(child, members, self.run.must_stop))
            is_better = found.cost < best.cost - ENOUGH
            best, n_idle = (found, 0) if is_better else (best, n_idle + 1)
            if best.cost <= self._regressions.least_cost_beyond(child, members):
                break
        return best
