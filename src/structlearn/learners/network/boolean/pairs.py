"""Pairs of states, one step apart: coded, packed, and looked over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label

Codes = NDArray[np.int64]
WORD = 64


class Inconsistency(NamedTuple):
    """A state that is followed by different states: how often it was seen, and in which nodes they differ."""

    state: dict[str, Label]
    n_pairs: int
    nodes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Pairs:
    """States with those that follow them, as codes; `labels` are the states of each node."""

    names: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    before: Codes
    after: Codes

    def __len__(self) -> int:
        return len(self.before)

    @property
    def levels(self) -> Codes:
        """How many states each node has."""
        return np.array([len(known) for known in self.labels], dtype=np.int64)

    def packed(self) -> tuple[NDArray[np.uint64], Codes]:
        """A row of bits for each state of each node before, then after, and where those of a node begin."""
        levels = np.tile(self.levels, 2)
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(levels)])
        node, code = np.repeat(np.arange(len(levels)), levels), np.arange(starts[-1])
        states = np.concatenate([self.before, self.after], axis=1)
        is_in = states.T[node] == (code - starts[node])[:, None]
        padded = np.zeros((len(node), -(-len(self) // WORD) * WORD), dtype=np.bool_)
        padded[:, : len(self)] = is_in
        return np.packbits(padded, axis=1, bitorder="little").view(np.uint64), starts

    def inconsistencies(self) -> tuple[Inconsistency, ...]:
        """The states with different followers."""
        states, place = np.unique(self.before, axis=0, return_inverse=True)
        order = np.argsort(place.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(place.ravel(), minlength=len(states)))
        found = []
        for state, rows in zip(states, np.split(order, ends[:-1]), strict=True):
            differs = (self.after[rows] != self.after[rows[0]]).any(axis=0)
            if differs.any():
                nodes = tuple(self.names[j] for j in np.flatnonzero(differs))
                found.append(Inconsistency(self.labelled(state), len(rows), nodes))
        return tuple(found)

    def labelled(self, state: Sequence[int] | Codes) -> dict[str, Label]:
        """A state in the words of the table."""
        return {
            name: known[int(code)] for name, known, code in zip(self.names, self.labels, state, strict=True)
        }
