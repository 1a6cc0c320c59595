"""The regression tree of a module: grown split by split, and cut back where that did not pay."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from structlearn.learners.network.modules.kernels.splits import best_split
from structlearn.learners.network.modules.problem import Flags, Floats, Places, Problem, normal_gammas
from structlearn.scores.kernels.trees import midpoint


@dataclass
class Vertex:
    """A leaf with its arrays or, with a regulator, a test: arrays at most at the threshold go to `low`.

    The threshold is in the units of the table, so that no rounding moves a row to the other side.
    """

    inside: Flags
    depth: int = 0
    idle: int = 0
    regulator: int = -1
    threshold: float = 0.0
    gain: float = 0.0
    low: "Vertex | None" = None
    high: "Vertex | None" = None

    def leaves(self) -> Iterator["Vertex"]:
        """The leaves from left to right."""
        if self.low is None or self.high is None:
            yield self
            return
        yield from self.low.leaves()
        yield from self.high.leaves()

    def splits(self) -> Iterator["Vertex"]:
        """The tests, the first one first."""
        if self.low is not None and self.high is not None:
            yield self
            yield from self.low.splits()
            yield from self.high.splits()


@dataclass(frozen=True)
class Program:
    """The tree of a module; `regulators` are places among all columns."""

    root: Vertex

    @cached_property
    def leaf_of(self) -> Places:
        """The number of the leaf that each array comes to."""
        found = np.zeros(len(self.root.inside), dtype=np.int64)
        for number, leaf in enumerate(self.root.leaves()):
            found[leaf.inside] = number
        return found

    @cached_property
    def n_leaves(self) -> int:
        """How many leaves there are."""
        return sum(1 for _ in self.root.leaves())

    @cached_property
    def parents(self) -> list[int]:
        """The regulators that the tree asks for."""
        return sorted({split.regulator for split in self.root.splits()})


def single_leaf(n_arrays: int) -> Program:
    """The programme of a module without regulators."""
    return Program(Vertex(np.ones(n_arrays, dtype=np.bool_)))


@dataclass
class Grower:
    """Grows the tree of one module from the sums over its members in each array; a split has a penalty."""

    problem: Problem
    totals: Floats
    squares: Floats
    n_members: int
    penalty: float

    def grown(self, required: list[int], is_allowed: Flags) -> Program | None:
        """The tree, first with a split on each required regulator; None where one cannot be made."""
        root = Vertex(np.ones(self.problem.n_arrays, dtype=np.bool_))
        for regulator in required:
            if not self._force(root, regulator):
                return None
        waiting = [(leaf, self._best(leaf, is_allowed)) for leaf in root.leaves()]
        while waiting:
            place = max(range(len(waiting)), key=lambda k: waiting[k][1][0])
            leaf, (gain, regulator, cut) = waiting.pop(place)
            if gain <= 0.0 and (regulator < 0 or leaf.idle >= self.problem.options.lookahead):
                continue
            is_new = not self._is_used(root, regulator)
            self._split(leaf, regulator, cut, gain)
            waiting += [
                (below, self._best(below, is_allowed)) for below in (leaf.low, leaf.high) if below is not None
            ]
            most = self.problem.options.max_regulators
            if is_new and most is not None and self._n_used(root) >= most:
                is_allowed = is_allowed & self._used(root)
                waiting = [(leaf, self._best(leaf, is_allowed)) for leaf, _ in waiting]
        _cut_back(root, set(required))
        return Program(root)

    def likelihood(self, program: Program) -> float:
        """The score of a tree for these members: that of its leaves, less what its splits cost."""
        n_leaves = program.n_leaves
        sizes = self.n_members * np.bincount(program.leaf_of, minlength=n_leaves).astype(np.float64)
        sums = np.bincount(program.leaf_of, self.totals, n_leaves)
        squares = np.bincount(program.leaf_of, self.squares, n_leaves)
        found = normal_gammas(sizes, np.asarray(sums, float), np.asarray(squares, float), self.problem.prior)
        return float(found.sum()) - self.penalty * (n_leaves - 1)

    def gains(self, program: Program) -> dict[int, float]:
        """By regulator, what its splits gain for these members, the penalty taken off."""
        found: dict[int, float] = {}
        for split in program.root.splits():
            if split.low is not None and split.high is not None:
                parts = self._of(split.low.inside) + self._of(split.high.inside)
                gain = parts - self._of(split.inside) - self.penalty
                found[split.regulator] = found.get(split.regulator, 0.0) + gain
        return found

    def _of(self, inside: Flags) -> float:
        sizes = np.array([float(inside.sum() * self.n_members)])
        sums, squares = self.totals[None, inside].sum(axis=1), self.squares[None, inside].sum(axis=1)
        return float(normal_gammas(sizes, sums, squares, self.problem.prior)[0])

    def best_first(self, is_allowed: Flags) -> int | None:
        """The regulator, of these, whose first split would gain most; None where none would gain."""
        root = Vertex(np.ones(self.problem.n_arrays, dtype=np.bool_))
        gain, regulator, _ = self._best_among(root, is_allowed, self.problem.options.min_leaf)
        return int(self.problem.regulators[regulator]) if gain > 0.0 else None

    def _best(self, leaf: Vertex, is_allowed: Flags) -> tuple[float, int, int]:
        options, most = self.problem.options, self.problem.options.max_depth
        if (most is not None and leaf.depth >= most) or options.max_regulators == 0:
            return -np.inf, -1, -1
        return self._best_among(leaf, is_allowed, options.min_leaf)

    def _best_among(self, leaf: Vertex, is_allowed: Flags, least: int) -> tuple[float, int, int]:
        problem = self.problem
        gain, regulator, cut = best_split(
            problem.orders, problem.is_cut, is_allowed, leaf.inside, self.totals, self.squares,
            self._constants, self.n_members, least, problem.prior,
        )  # fmt: skip
        return gain - self.penalty, regulator, cut

    @cached_property
    def _constants(self) -> Floats:
        return self.problem.constants(self.n_members)

    def _split(self, leaf: Vertex, regulator: int, cut: int, gain: float) -> None:
        values = self.problem.measured[self.problem.regulators[regulator]]
        is_low = np.zeros(len(values), dtype=np.bool_)
        is_low[self.problem.orders[regulator, : cut + 1]] = True
        low, high = leaf.inside & is_low, leaf.inside & ~is_low
        leaf.regulator, leaf.gain = int(self.problem.regulators[regulator]), gain
        leaf.threshold = float(midpoint(float(values[low].max()), float(values[high].min())))
        idle = leaf.idle + 1 if gain <= 0.0 else 0
        leaf.low, leaf.high = Vertex(low, leaf.depth + 1, idle), Vertex(high, leaf.depth + 1, idle)

    def _force(self, root: Vertex, regulator: int) -> bool:
        """Split the leaf where a required regulator gains most, whatever it gains."""
        is_allowed = self.problem.regulators == regulator
        for least in (self.problem.options.min_leaf, 1):
            found = [(leaf, self._best_among(leaf, is_allowed, least)) for leaf in root.leaves()]
            leaf, (gain, place, cut) = max(found, key=lambda pair: pair[1][0])
            if place >= 0:
                self._split(leaf, place, cut, gain)
                return True
        return False

    def _is_used(self, root: Vertex, regulator: int) -> bool:
        return any(split.regulator == self.problem.regulators[regulator] for split in root.splits())

    def _n_used(self, root: Vertex) -> int:
        return len({split.regulator for split in root.splits()})

    def _used(self, root: Vertex) -> Flags:
        return np.isin(self.problem.regulators, [split.regulator for split in root.splits()])


def _cut_back(vertex: Vertex, required: set[int]) -> float:
    """Make a leaf of every test that lost more than the tests below it gained; give the gain of the rest."""
    if vertex.low is None or vertex.high is None:
        return 0.0
    gained = vertex.gain + _cut_back(vertex.low, required) + _cut_back(vertex.high, required)
    if gained <= 0.0 and not any(split.regulator in required for split in vertex.splits()):
        vertex.low = vertex.high = None
        vertex.regulator = -1
        return 0.0
    return gained
