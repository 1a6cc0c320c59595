"""Rows that stand for all rows of a table, chosen by what is in them: whatever order they come in."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def even_rows(columns: Iterable[NDArray[Any]], n_all: int, n_rows: int) -> NDArray[np.int64]:
    """The numbers of so many of all rows, rising; of rows that are alike a share of their own.

    Rows are put in the order of random keys, the same for rows that are alike, and taken at even steps. The
    last bits of a key make room for the number of its row, so that keys are sorted alone.
    """
    n_bits = np.uint64(int(n_all).bit_length())
    keys = _keys(columns, n_all) >> n_bits << n_bits
    keys |= np.arange(n_all, dtype=np.uint64)
    keys.sort()
    chosen = keys[np.arange(n_rows) * n_all // n_rows] & ((np.uint64(1) << n_bits) - np.uint64(1))
    return np.sort(chosen.astype(np.int64))


def _keys(columns: Iterable[NDArray[Any]], n_all: int) -> NDArray[np.uint64]:
    """A random word for each code and column, joined by XOR (Zobrist hashing); of numbers their own bits."""
    words = np.random.default_rng(0)
    keys = np.zeros(n_all, dtype=np.uint64)
    for column in columns:
        if column.dtype.kind == "f":
            bits = (column + 0.0).astype(np.float64).view(np.uint64)  # −0 is 0
            keys ^= _mixed(bits ^ words.integers(2**64, dtype=np.uint64))
        else:
            keys ^= words.integers(2**64, size=int(column.max()) + 1, dtype=np.uint64)[column]
    return keys


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Bits of which each depends on all: the last steps of SplitMix64 (Steele, Lea and Flood, 2014)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
