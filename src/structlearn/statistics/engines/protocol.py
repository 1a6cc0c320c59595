"""What an engine answers that has the rows: a database, a file read piece by piece, a cluster.

Everything here is of a size that does not grow with the rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.data.columns import RawTable
from structlearn.rounding import LARGEST_WHOLE

Holds = Literal["text", "truth", "numbers"]
MISSING = -1  # the code of a value that is not there


@dataclass(frozen=True, slots=True)
class Look:
    """What a first pass over a column shows.

    `values` are the different values, in any order, or None for numbers of which there are many or some
    not whole, unless they were asked for. Where `has_order`, their order is that of the source, and values
    that do not occur may be among them. The last three are of numbers only: the ends, whole ones beyond 2^53
    as integers (`end_of`), and the mean, which may be about right.
    """

    name: str
    holds: Holds
    n_present: int
    values: tuple[Label, ...] | None = None
    has_order: bool = False
    smallest: float = 0.0
    largest: float = 0.0
    mean: float = 0.0


def end_of(value: Any) -> float:
    """The smallest or largest number of a column; a whole one that no float may hold stays as it is."""
    is_long = isinstance(value, Integral) and abs(int(value)) > LARGEST_WHOLE
    return int(value) if is_long else float(value)


@dataclass(frozen=True, slots=True)
class Survey:
    """What a first pass over a table shows: its rows, the sum of their weights and its columns."""

    n_rows: int
    size: float
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """How the numbers of a column are measured where they are summed: (value - origin) / unit.

    Whole numbers beyond 2^53 are counted from `start`, as integers, before any of that.
    """

    origin: float
    unit: float
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Coding:
    """How an engine is to count and sum: the labels of each column, and the scale of each of numbers."""

    labels: tuple[tuple[Label, ...] | None, ...]
    scales: tuple[Scale | None, ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows that agree in some discrete columns, and in which of some continuous columns they miss.

    `codes` is (groups, discrete columns), MISSING where the value is; `rows` are the rows of each group and
    `sizes` the sums of their weights. `present` is (groups, continuous columns); `means` and `products`, the
    sums of products of distances from those means, are on the scale of the coding, zero where missing.
    """

    codes: NDArray[np.int64]
    rows: NDArray[np.int64]
    sizes: NDArray[np.float64]
    present: NDArray[np.bool_]
    means: NDArray[np.float64]
    products: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Some rows as they were read, and their weights, where rows have any."""

    table: RawTable
    weights: NDArray[np.float64] | None


@dataclass(slots=True)
class Ledger:
    """What was asked of an engine: questions, rows that it went through, bytes of its answers."""

    round_trips: int = 0
    rows_scanned: int = 0
    bytes_moved: int = 0

    def note(self, *, rows: int, answer: int) -> None:
        """Count one question."""
        self.round_trips += 1
        self.rows_scanned += rows
        self.bytes_moved += answer


@dataclass(frozen=True, slots=True)
class PackedRows:
    """Rows as codes of discrete columns and numbers of continuous ones, masked where missing."""

    codes: list[NDArray[np.integer]]
    numbers: list[NDArray[np.float64]]
    weights: NDArray[np.float64] | None


class Engine(Protocol):
    """A place where rows are and can be grouped and summed; columns are numbered as `names` has them."""

    title: str
    names: tuple[str, ...]
    ledger: Ledger

    def survey(self, kinds: Mapping[str, Kind]) -> Survey:
        """Look at every column once; `kinds` are those that are known already."""

    def code_by(self, coding: Coding) -> None:
        """Count and sum in this way from here on."""

    def groups(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int], most: int
    ) -> Groups | None:
        """The groups of the rows that have all of the `complete` columns; None if more than `most`.

        None too where the engine expects more and would take long to find out.
        """

    def tables(self, sets: Sequence[Sequence[int]], complete: Sequence[int]) -> list[Groups]:
        """The groups by each of several sets of discrete columns, in one go.

        Rows that lack a value in one of the set's columns are not counted there.
        """

    def power_sums(self, columns: Sequence[int], complete: Sequence[int]) -> NDArray[np.float64]:
        """The sums of the powers 0 to 4 of continuous columns, on their scales, by weight; a row each.

        They are of the rows that have the column, and all of the `complete` ones.
        """

    def sample(self, n_rows: int, seed: int) -> Sample:
        """That many rows drawn at random without replacement, or all if there are fewer."""


@runtime_checkable
class PacksRows(Protocol):
    """An engine in this process, whose rows may come over as a byte a column."""

    def packed(
        self, discrete: Sequence[int], continuous: Sequence[int], complete: Sequence[int]
    ) -> PackedRows:
        """The rows that have all of the `complete` columns."""
