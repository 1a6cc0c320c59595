"""The skeleton phase that constraint-based learners share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence.asking import Asker, SeparatedPairs, separate_pairs
from structlearn.learners.outcome import Pair, Separation
from structlearn.learners.run import Run


class Separators:
    """The separating set of each pair that has one, by position, in arrays."""

    def __init__(self, n_nodes: int, found: list[tuple[NDArray[np.int64], SeparatedPairs]]) -> None:
        widest = max((level.given.shape[1] for _, level in found), default=0)
        self.n_nodes = n_nodes
        pairs = [pairs[level.separated] for pairs, level in found]
        self.pairs = np.concatenate([*pairs, np.zeros((0, 2), dtype=np.int64)])
        self.p_value = np.concatenate([*(level.p_value for _, level in found), np.zeros(0)])
        self.given = np.full((len(self.pairs), widest), -1, dtype=np.int64)
        at = 0
        for _, level in found:
            self.given[at : at + len(level.given), : level.given.shape[1]] = level.given
            at += len(level.given)
        codes = self.pairs[:, 0] * n_nodes + self.pairs[:, 1]
        self._order = np.argsort(codes)
        self._codes = codes[self._order]

    def find(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the separator of each pair is, -1 where there is none."""
        codes = np.minimum(a, b) * self.n_nodes + np.maximum(a, b)
        at = np.minimum(np.searchsorted(self._codes, codes), max(len(self._codes) - 1, 0))
        if not len(self._codes):
            return np.full(len(codes), -1, dtype=np.int64)
        return np.where(self._codes[at] == codes, self._order[at], -1)


class NamedSeparators(Mapping[Pair, Separation]):
    """The separating sets by name; a pair is found in either order."""

    def __init__(self, names: tuple[str, ...], separators: Separators) -> None:
        self._names = names
        self._index = {name: i for i, name in enumerate(names)}
        self._separators = separators

    def __getitem__(self, pair: Pair) -> Separation:
        a, b = self._index[pair[0]], self._index[pair[1]]
        at = int(self._separators.find(np.array([a]), np.array([b]))[0])
        if at < 0:
            raise KeyError(pair)
        given = tuple(self._names[j] for j in self._separators.given[at] if j >= 0)
        return Separation(given, float(self._separators.p_value[at]))

    def __iter__(self) -> Iterator[Pair]:
        return ((self._names[a], self._names[b]) for a, b in self._separators.pairs)

    def __len__(self) -> int:
        return len(self._separators.pairs)

    def __repr__(self) -> str:
        return f"<separating sets of {len(self)} pairs>"


@dataclass(slots=True)
class Skeleton:
    """The pairs that no test separated, why the others are gone, and how it went, level by level."""

    edges: NDArray[np.int64]
    largest_p: NDArray[np.float64]
    separators: Separators
    trace: dict[str, list[int]] = field(default_factory=dict)


def prune_skeleton(
    asker: Asker, n_nodes: int, ends: "Ends", *, alpha: float, max_conditioning: int | None, run: Run
) -> Skeleton:
    """Remove edges that tests separate, with 0, 1, 2, … conditions from their neighbours."""
    left = _Pairs.all_of(n_nodes, ends)
    found: list[tuple[NDArray[np.int64], SeparatedPairs]] = []
    trace: dict[str, list[int]] = {"conditions": [], "tests": [], "removed": [], "edges": []}
    size = 0
    while max_conditioning is None or size <= max_conditioning:
        # Decisions of one size use the edges it began with, so that the order of columns cannot
        # change the answer (Colombo and Maathuis, 2014).
        neighbors = left.neighbors(n_nodes)
        asked = left.open(neighbors, size)
        if not len(asked):
            break
        n_tests, n_edges = asker.n_tests, int(left.is_edge.sum())
        is_short_cut = size > 0 and asker.knows_separators and max_conditioning is None
        if is_short_cut:
            level = asker.separate(left.pairs[asked], neighbors)
        else:
            level = separate_pairs(
                asker, left.pairs[asked], neighbors, size, alpha=alpha, must_stop=run.must_stop
            )
        found.append((left.pairs[asked], level))
        left = left.after(asked, level)
        n_left = int(left.is_edge.sum())
        for name, value in zip(trace, (size, asker.n_tests - n_tests, n_edges - n_left, n_left), strict=True):
            trace[name].append(value)
        run.show(f"{n_left} edges left after tests with {size} conditions")
        if is_short_cut or run.must_stop():
            break
        size += 1
    return Skeleton(left.pairs[left.is_edge], left.largest_p[left.is_edge], Separators(n_nodes, found), trace)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The pairs that nothing has separated yet.

    A pair that knowledge keeps apart is no edge, but its separating set is looked for too: it
    says which of its common neighbours are colliders.
    """

    pairs: NDArray[np.int64]
    is_edge: NDArray[np.bool_]
    must_stay: NDArray[np.bool_]
    largest_p: NDArray[np.float64]

    @classmethod
    def all_of(cls, n_nodes: int, ends: "Ends") -> "_Pairs":
        pairs = np.column_stack(np.triu_indices(n_nodes, k=1)).astype(np.int64)
        return cls(pairs, ends.may_be_edge(pairs), ends.must_be_edge(pairs), np.zeros(len(pairs)))

    def neighbors(self, n_nodes: int) -> Links:
        return Links(n_nodes, lines=self.pairs[self.is_edge])

    def open(self, neighbors: Links, size: int) -> NDArray[np.int64]:
        """The pairs of which an end has `size` neighbours besides the other end."""
        degree = np.diff(neighbors.neighbor_rows[0])
        most = degree[self.pairs].max(axis=1, initial=0) - self.is_edge
        return np.flatnonzero(most >= size)

    def after(self, asked: NDArray[np.int64], level: SeparatedPairs) -> "_Pairs":
        largest_p = self.largest_p.copy()
        largest_p[asked] = np.maximum(largest_p[asked], level.largest_p)
        is_left = np.ones(len(self.pairs), dtype=np.bool_)
        is_left[asked[level.separated]] = False
        is_left |= self.must_stay
        return _Pairs(self.pairs[is_left], self.is_edge[is_left], self.must_stay[is_left], largest_p[is_left])


class Ends:
    """What knowledge says about the two ends of each pair."""

    def __init__(self, names: tuple[str, ...], knowledge: Knowledge) -> None:
        self._is_empty = not knowledge
        if knowledge:
            self.required, self.forbidden = knowledge.matrices(names)

    def may_be_edge(self, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether an arrow is allowed in at least one direction."""
        if self._is_empty:
            return np.ones(len(pairs), dtype=np.bool_)
        a, b = pairs.T
        is_allowed: NDArray[np.bool_] = ~(self.forbidden[a, b] & self.forbidden[b, a])
        return is_allowed

    def must_be_edge(self, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether an arrow is required in one direction."""
        if self._is_empty:
            return np.zeros(len(pairs), dtype=np.bool_)
        a, b = pairs.T
        is_required: NDArray[np.bool_] = self.required[a, b] | self.required[b, a]
        return is_required

    def directions(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The arrows, among the edges given, that knowledge directs."""
        if self._is_empty:
            return np.zeros((0, 2), dtype=np.int64)
        a, b = pairs.T
        forward = self.required[a, b] | self.forbidden[b, a]
        backward = self.required[b, a] | self.forbidden[a, b]
        return np.concatenate([pairs[forward], pairs[backward & ~forward][:, ::-1]])
