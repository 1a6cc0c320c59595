"""Separating sets: by position for the algorithms, by name for people."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import SeparatedPairs
from structlearn.outcome import Pair, Separation


class Separators:
    """The separating set of each pair that has one, by position, in arrays."""

    def __init__(self, n_nodes: int, found: list[tuple[NDArray[np.int64], SeparatedPairs]]) -> None:
        widest = max((level.given.shape[1] for _, level in found), default=0)
        self.n_nodes = n_nodes
        pairs = [pairs[level.separated] for pairs, level in found]
        self.pairs = np.concatenate([*pairs, np.zeros((0, 2), dtype=np.int64)])
        self.p_value = np.concatenate([*(level.p_value for _, level in found), np.zeros(0)])
        # Node numbers are small, and the sets of wide tables many. Behind them is room for the empty one.
        self._given_and_none = np.full((len(self.pairs) + 1, widest), -1, dtype=np.int32)
        self.given = self._given_and_none[:-1]
        at = 0
        for _, level in found:
            self.given[at : at + len(level.given), : level.given.shape[1]] = level.given
            at += len(level.given)
        codes = self.pairs[:, 0] * n_nodes + self.pairs[:, 1]
        self._order = np.argsort(codes, kind="stable")  # the first of the sets of a pair that must stay
        self._codes = codes[self._order]

    def joined(self, found: list[tuple[NDArray[np.int64], SeparatedPairs]]) -> "Separators":
        """These and others that were found of further pairs."""
        every = np.arange(len(self.pairs))
        known = SeparatedPairs(every, self._given_and_none[:-1], self.p_value, self.p_value)
        return Separators(self.n_nodes, [(self.pairs, known), *found])

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((a, b) for a, b in self.pairs.tolist())

    def p_values(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float64]:
        """The p-value of each pair's separator, NaN where there is none."""
        at = self.find(a, b)
        return np.append(self.p_value, np.nan)[at]

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
        a, b = np.array([self._index[pair[0]]]), np.array([self._index[pair[1]]])
        at = int(self._separators.find(a, b)[0])
        if at < 0:
            raise KeyError(pair)
        given = tuple(self._names[j] for j in self._separators.given[at] if j >= 0)
        return Separation(given, float(self._separators.p_values(a, b)[0]))

    def __iter__(self) -> Iterator[Pair]:
        return ((self._names[a], self._names[b]) for a, b in self._separators)

    def __len__(self) -> int:
        return len(self._separators)

    def __repr__(self) -> str:
        return f"<separating sets of {len(self)} pairs>"
