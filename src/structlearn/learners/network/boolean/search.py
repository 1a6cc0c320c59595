"""The cheapest sets of inputs of every node, among all sets of one size."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.network.boolean.functions import Functions
from structlearn.learners.network.boolean.kernels.input_sets import ONE_ERROR, cheapest_sets, cost_of
from structlearn.learners.network.boolean.pairs import Codes, Pairs
from structlearn.run import Pace, Run
from structlearn.statistics.blocks import in_blocks

NO_LIMIT = np.iinfo(np.int64).max
ROOM = 64  # sets of one cost that are kept at first; where there are more, the search is done once more
FIRST_TARGETS, MOST_TARGETS = 4, 4096  # before it is known how long one takes, and however little it does
NEVER, MUST = -1, 1

Sets = NDArray[np.int64]


@dataclass(frozen=True)
class Cheapest:
    """For each of `targets` the least cost and the sets that have it, and the next cost with one set."""

    targets: Codes
    costs: NDArray[np.int64]
    sets: tuple[Sets, ...]
    next_sets: Sets


@dataclass(frozen=True)
class Costs:
    """What sets cost: what patterns leave open, by `prices` or in errors; `units` for each pattern."""

    units: Codes
    floors: Codes
    prices: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.int64))


class Search:
    """Goes through sets of inputs of bit-packed states; `may` is (inputs, targets) as the kernel has it."""

    def __init__(
        self, pairs: Pairs, may: NDArray[np.int8], run: Run, n_jobs: int, functions: Functions = "any"
    ) -> None:
        self.pairs, self.may, self.run, self.n_jobs, self.functions = pairs, may, run, n_jobs, functions
        self.masks, self.starts = pairs.packed()

    def of_size(self, size: int, targets: Codes, costs: Costs, *, most: Codes | None = None) -> Cheapest:
        """The cheapest sets of a size; only those that cost no more than `most`, where it is given."""
        limits = np.full(len(targets), NO_LIMIT) if most is None else most
        found = np.stack([limits, limits], axis=1)
        if size == 0:
            return self._without_inputs(targets, costs, found)
        counts, kept = self._look(size, targets, costs, found, ROOM)
        sets = [each[1 : count + 1] for each, count in zip(kept, counts.tolist(), strict=True)]
        crowded = np.flatnonzero(counts > ROOM)
        if len(crowded):
            again = np.repeat(found[crowded, :1], 2, axis=1)
            some = Costs(costs.units[crowded], costs.floors[crowded], costs.prices)
            counts, more = self._look(size, targets[crowded], some, again, int(counts.max()))
            for place, each, count in zip(crowded.tolist(), more, counts.tolist(), strict=True):
                sets[place] = each[1 : count + 1]
        return Cheapest(targets, found, tuple(each.copy() for each in sets), kept[:, 0].copy())

    def _look(
        self, size: int, targets: Codes, costs: Costs, found: NDArray[np.int64], room: int
    ) -> tuple[Codes, NDArray[np.int64]]:
        """Fill `found`, and give the numbers of cheapest sets and the sets."""
        n_columns, n_words = len(self.may), self.masks.shape[1]
        counts, pace = np.zeros(len(targets), dtype=np.int64), Pace(FIRST_TARGETS, most=MOST_TARGETS)
        kept = np.zeros((len(targets), room + 1, size), dtype=np.int64)
        for first in range(n_columns - size + 1):
            self.run.show(f"sets of {size}", first, n_columns)
            if self.run.must_stop():
                break

            def look(block: slice, first: int = first) -> None:
                cheapest_sets(
                    self.masks,
                    self.starts,
                    targets[block],
                    first,
                    self.may,
                    costs.prices,
                    costs.units[block],
                    costs.floors[block],
                    found[block],
                    counts[block],
                    kept[block],
                )

            cost = math.comb(n_columns - first - 1, size - 1) * n_words * 8.0
            start = 0
            while start < len(targets) and not self.run.must_stop():
                n_here = min(pace.n_at_once, len(targets) - start)

                def shifted(block: slice, start: int = start) -> None:
                    look(slice(start + block.start, start + block.stop))

                with pace.keep(n_here):
                    in_blocks(shifted, n_here, cost=cost * n_here, n_jobs=self.n_jobs)
                start += n_here
        return counts, kept

    def _without_inputs(self, targets: Codes, costs: Costs, found: NDArray[np.int64]) -> Cheapest:
        """What the empty set costs, where nothing must be an input."""
        everything = np.bitwise_or.reduce(self.masks[self.starts[0] : self.starts[1]], axis=0)[None]
        n_rows = np.array([len(self.pairs)], dtype=np.int64)
        is_free = ~(self.may[:, targets] == MUST).any(axis=0)
        for t, target in enumerate(targets.tolist()):
            output = slice(*self.starts[len(self.may) + target :][:2])
            cost = cost_of(everything, n_rows, self.masks[output], costs.prices, costs.units[t], NO_LIMIT)
            cost = max(cost, int(costs.floors[t])) if is_free[t] else NO_LIMIT
            found[t] = (cost if cost <= found[t, 0] else NO_LIMIT), NO_LIMIT
        sets = tuple(np.zeros((int(cost < NO_LIMIT), 0), dtype=np.int64) for cost in found[:, 0])
        return Cheapest(targets, found, sets, np.zeros((len(targets), 0), dtype=np.int64))


def prices_of_information(n_pairs: int) -> Codes:
    """What counts cost where n·H(output | inputs) is minimised: n·log2 n in the parts of costs."""
    counts = np.arange(n_pairs + 1)
    return np.rint(ONE_ERROR * counts * np.log2(np.maximum(counts, 1))).astype(np.int64)
