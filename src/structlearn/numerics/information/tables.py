"""Information of discrete columns: the plug-in estimate, its bias taken off, or shrunken tables."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.information.binning import coded
from structlearn.numerics.information.columns import Columns, Fill, Matrix
from structlearn.numerics.information.kernels.pair_tables import (
    MOST_MASK_CELLS,
    fill_plug_in,
    fill_shrunken,
    shrinkage,
)
from structlearn.numerics.information.settings import Settings


@dataclass(frozen=True)
class Coded:
    """Columns as codes, as bits and as counts, ready for the kernels."""

    codes: NDArray[np.uint16]
    levels: NDArray[np.int64]
    masks: NDArray[np.uint64]
    first_mask: NDArray[np.int64]
    margins: NDArray[np.int64]

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.codes.shape[1])

    @property
    def n_free(self) -> NDArray[np.float64]:
        """How many states of each column occur, less one."""
        return np.asarray(np.maximum((self.margins > 0).sum(axis=1) - 1.0, 0.0))

    @cached_property
    def count_logs(self) -> NDArray[np.float64]:
        """The number k log k for each count k of rows."""
        counts = np.arange(self.n_rows + 1, dtype=np.float64)
        return counts * np.log(np.maximum(counts, 1.0))

    @property
    def entropies(self) -> NDArray[np.float64]:
        """The entropy of each column, in nats."""
        return np.asarray(np.log(self.n_rows) - self.count_logs[self.margins].sum(axis=1) / self.n_rows)

    @property
    def arrays(self) -> tuple[NDArray[np.generic], ...]:
        """What kernels take."""
        return self.codes, self.levels, self.masks, self.first_mask, self.margins


def plug_in(columns: Columns, settings: Settings) -> Fill:
    """The information of the observed frequencies; on the diagonal, entropies."""
    return _plug_in(packed(columns, settings))


def _plug_in(table: Coded) -> Fill:
    count_logs, entropies = table.count_logs, table.entropies

    def fill(start: int, end: int, out: Matrix) -> None:
        fill_plug_in(*table.arrays, count_logs, start, end, out)
        _set_diagonal(out, start, end, entropies)

    return fill


def miller_madow(columns: Columns, settings: Settings) -> Fill:
    """The plug-in estimate less its bias, (rows − 1)(columns − 1) / 2n of the states that occur."""
    table = packed(columns, settings)
    n_rows, more = table.n_rows, table.n_free
    fill_plain = _plug_in(table)

    def fill(start: int, end: int, out: Matrix) -> None:
        fill_plain(start, end, out)
        entropies = out[np.arange(start, end), np.arange(start, end)] + more[start:end] / (2.0 * n_rows)
        out[start:end, start:] -= np.outer(more[start:end], more[start:]) / (2.0 * n_rows)
        out[np.arange(start, end), np.arange(start, end)] = entropies

    return fill


def shrunken(columns: Columns, settings: Settings) -> Fill:
    """The information of each table after it is shrunk towards equal cells (Hausser and Strimmer)."""
    table = packed(columns, settings)
    is_constant = (table.margins > 0).sum(axis=1) < 2
    entropies = np.array(
        [
            _shrunken_entropy(margin[:n], table.n_rows)
            for margin, n in zip(table.margins, table.levels, strict=True)
        ]
    )

    def fill(start: int, end: int, out: Matrix) -> None:
        fill_shrunken(*table.arrays, start, end, out)
        out[start:end, is_constant] = 0.0
        out[start:end][is_constant[start:end]] = 0.0
        _set_diagonal(out, start, end, entropies)

    return fill


def _set_diagonal(out: Matrix, start: int, end: int, values: Matrix) -> None:
    out[np.arange(start, end), np.arange(start, end)] = values[start:end]


def _shrunken_entropy(counts: NDArray[np.int64], n_rows: int) -> float:
    frequencies = counts / n_rows
    if (counts > 0).sum() < 2 or n_rows < 2:
        return 0.0
    share = shrinkage(float((frequencies**2).sum()), len(counts), n_rows)
    shrunk = share / len(counts) + (1.0 - share) * frequencies
    return -float((shrunk * np.log(np.maximum(shrunk, np.finfo(np.float64).tiny))).sum())


def packed(columns: Columns, settings: Settings) -> Coded:
    """The codes, and the bits of the columns whose tables with others can be small enough for popcounts."""
    codes, levels = coded(columns, settings)
    most = int(levels.max(initial=1))
    places = codes + most * np.arange(len(codes))[:, None]
    margins = np.bincount(places.ravel(), minlength=most * len(codes)).reshape(len(codes), most)
    is_packed = 2 * levels <= MOST_MASK_CELLS
    ends = np.cumsum(np.where(is_packed, levels, 0))
    first_mask = np.where(is_packed, ends - levels, -1)
    masks = np.zeros((max(int(ends[-1]), 1) if len(ends) else 1, -(-codes.shape[1] // 64)), dtype=np.uint64)
    by_bytes = masks.view(np.uint8)
    for level in range(int(levels[is_packed].max(initial=0))):
        has_level = np.flatnonzero(is_packed & (levels > level))
        bits = np.packbits(codes[has_level] == level, axis=1, bitorder="little")
        by_bytes[first_mask[has_level] + level, : bits.shape[1]] = bits
    return Coded(codes.astype(np.uint16), levels, masks, first_mask, margins)
