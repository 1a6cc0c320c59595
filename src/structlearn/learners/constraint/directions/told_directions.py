"""Which way edges point by what was set in some rows.

If b → a and a was set, b is what it was: given its parents it depends neither on a nor on whether a was set.
If a → b, nothing separates the two, and what was done to a shows in b. A column that was only shifted goes on
to depend on its parents, so that its dependence alone says nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker, Subsets, separate_pairs
from structlearn.independence.interventional import Interventional
from structlearn.statistics import Statistics
from structlearn.statistics.experiments import Experiments

FEWEST_ROWS = 20  # with fewer, a dependence is easily missed, and the arrow would be turned


@dataclass(frozen=True)
class ToldDirections:
    """What the rows of experiments say of the edges of a skeleton.

    Parameters
    ----------
    experiments : Experiments
        What was set in which rows.
    asker : Asker
        A test of any rows; it counts the questions.
    lines : Links
        The skeleton.
    max_conditioning : int or None
        The most columns to condition on.
    """

    experiments: Experiments
    asker: Asker
    lines: Links
    max_conditioning: int | None

    def arrows(self) -> Iterator[tuple[int, int]]:
        """The edges with a direction that experiments on one end or both agree on, as time allows."""
        for a, b in self.lines.lines.tolist():
            if self.asker.must_stop():
                return
            said = {self._leads(a, b), _turned(self._leads(b, a))} - {None}
            if len(said) == 1:
                yield (a, b) if said.pop() else (b, a)

    def _leads(self, a: int, b: int) -> bool | None:
        """Whether the rows in which a was set and b was not say a → b, or b → a; None if neither."""
        if self.experiments.n_set_alone(a, b) < FEWEST_ROWS:
            return None
        rows = self.experiments.where_set(a, b)
        if rows is not None and self._is_separated(rows, a, b):
            return False
        if not self._is_separated(self.experiments.with_sign(a, b, at=a), a, b):
            return True
        shows_in_a = not self._is_separated(self.experiments.with_sign(a, b, at=b), a, b, most=0)
        if rows is None:
            return False if shows_in_a else None
        return None if shows_in_a else True

    def _is_separated(self, rows: Statistics, a: int, b: int, most: int | None = None) -> bool:
        """Whether some neighbours of b, but a, separate the two in these rows."""
        n_others = len(self.lines.neighbors(b)) - 1
        asker = Asker(self.asker.test, rows, alpha=self.asker.alpha, must_stop=self.asker.must_stop)
        sizes = range(1 + min(each for each in (n_others, self.max_conditioning, most) if each is not None))
        pair = np.array([[b, a]])
        found = any(
            len(separate_pairs(asker, Subsets(pair, self.lines, size, both_ends=False)).separated)
            for size in sizes
            if not asker.must_stop()
        )
        self.asker.n_tests += asker.n_tests
        return found


def told_arrows(asker: Asker, lines: Links, max_conditioning: int | None) -> list[tuple[int, int]]:
    """The arrows that experiments tell; none where nothing was set, or where time is up."""
    test = asker.test
    if not isinstance(test, Interventional):
        return []
    plain = Asker(test.test, asker.statistics, alpha=asker.alpha, must_stop=asker.must_stop)
    found = list(ToldDirections(test.experiments, plain, lines, max_conditioning).arrows())
    asker.n_tests += plain.n_tests
    return [] if asker.must_stop() else found


def _turned(leads: bool | None) -> bool | None:
    return None if leads is None else not leads
