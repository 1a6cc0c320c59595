"""What a column is: as it was read, and once it is codes with labels or numbers."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

Kind = Literal["discrete", "continuous"]
Label = str | int | float | bool
Mask = NDArray[np.bool_]
Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]

KINDS: tuple[Kind, ...] = ("discrete", "continuous")


@dataclass(frozen=True, eq=False)
class RawColumn:
    """A column as it was read: the values that are there, and where none is.

    `present` has one value per row that is not missing: booleans, numbers, or objects that are
    strings (or a mixture of plain scalars). Where the source numbers its values, `words` are the
    different ones and `present` their numbers. `categories` are the labels where the source has a
    list of its own.
    """

    name: str
    present: NDArray[Any]
    missing: Mask | None = None
    categories: tuple[Label, ...] | None = None
    words: tuple[Label, ...] | None = None

    @property
    def n_rows(self) -> int:
        """How many rows, with and without a value."""
        return self.present.size if self.missing is None else self.missing.size

    @property
    def is_number(self) -> bool:
        """Whether the values are stored as numbers."""
        return self.words is None and self.present.dtype.kind in "iuf"

    @property
    def is_object(self) -> bool:
        """Whether the values are text, or a mixture."""
        return self.words is not None or self.present.dtype == object

    def in_one_piece(self) -> "RawColumn":
        """The same column, its values beside each other; those of an array's rows are far apart."""
        return replace(self, present=np.ascontiguousarray(self.present))

    def of_rows(self, rows: Mask | None) -> "RawColumn":
        """The values in some of the rows; None for all of them."""
        if rows is None or rows.all():
            return self
        kept = rows if self.missing is None else rows[~self.missing]
        return replace(self, present=self.present[kept], missing=_taken(self.missing, rows))

    def different(self) -> set[Any]:
        """The different values."""
        return set(self.present.tolist() if self.words is None else self.words)

    def value(self, position: int) -> Any:
        """The value at a position among those present."""
        return self.present[position] if self.words is None else self.words[self.present[position]]

    def row_of(self, position: int) -> int:
        """The row of the value at `position` among those present."""
        return position if self.missing is None else int(np.flatnonzero(~self.missing)[position])

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """One value per row, zero where the row has none."""
        if self.missing is None:
            return values
        rows = np.zeros(self.missing.size, dtype=values.dtype)
        rows[~self.missing] = values
        return rows


def unread(name: str) -> RawColumn:
    """A column that is there and that nobody wants: it was not looked at."""
    return RawColumn(name, np.zeros(0, dtype=np.bool_))


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns as they were read, of which `Dataset` makes its own, and notes on how they were read."""

    columns: tuple[RawColumn, ...]
    notes: tuple[str, ...] = ()

    def noted(self, note: str) -> Self:
        """The same table with another note in front."""
        return type(self)(self.columns, (note, *self.notes))


@dataclass(frozen=True, eq=False)
class DiscreteColumn:
    """A column of categories: row i has the label `labels[codes[i]]`.

    `missing` marks the rows without a value (their code is 0), and is None where there are none.
    """

    name: str
    codes: Codes
    labels: tuple[Label, ...]
    missing: Mask | None = None
    kind: ClassVar[Kind] = "discrete"

    @property
    def levels(self) -> int:
        """The number of labels, seen or not."""
        return len(self.labels)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.codes.size

    def take(self, rows: NDArray[Any]) -> Self:
        """The same column for some of the rows, with all its labels."""
        return type(self)(self.name, self.codes[rows], self.labels, _taken(self.missing, rows))

    def decoded(self) -> NDArray[Any]:
        """The label of each row, None where it is missing."""
        labels = _array_of(self.labels)
        if self.missing is None:
            return labels[self.codes]
        values = np.full(self.n_rows, None, dtype=object)
        values[~self.missing] = labels[self.codes[~self.missing]]
        return values

    def raw(self) -> RawColumn:
        """The column as it would have been read, its labels a list of their own."""
        present = self.codes if self.missing is None else self.codes[~self.missing]
        if all(isinstance(label, str) for label in self.labels):
            return RawColumn(self.name, present, self.missing, self.labels, self.labels)
        return RawColumn(self.name, _array_of(self.labels)[present], self.missing, self.labels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DiscreteColumn):
            return NotImplemented
        return (
            (self.name, self.labels) == (other.name, other.labels)
            and np.array_equal(self.codes, other.codes)
            and _same(self.missing, other.missing)
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, so not hashed


@dataclass(frozen=True, eq=False)
class ContinuousColumn:
    """A column of numbers; `missing` marks the rows without one (their value is 0.0).

    `exact` has the whole numbers themselves where some are beyond 2^53, so that `values` are rounded.
    """

    name: str
    values: NDArray[np.float64]
    missing: Mask | None = None
    exact: NDArray[np.int64] | NDArray[np.uint64] | None = None
    kind: ClassVar[Kind] = "continuous"

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.values.size

    def take(self, rows: NDArray[Any]) -> Self:
        """The same column for some of the rows."""
        exact = None if self.exact is None else self.exact[rows]
        return type(self)(self.name, self.values[rows], _taken(self.missing, rows), exact)

    def decoded(self) -> NDArray[Any]:
        """The number of each row; NaN where it is missing, None beside whole numbers beyond 2^53."""
        if self.missing is None:
            return self.values if self.exact is None else self.exact
        if self.exact is not None:
            values: NDArray[Any] = self.exact.astype(object)
            values[self.missing] = None
            return values
        return np.where(self.missing, np.nan, self.values)

    def raw(self) -> RawColumn:
        """The column as it would have been read."""
        values = self.values if self.exact is None else self.exact
        return RawColumn(self.name, values if self.missing is None else values[~self.missing], self.missing)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContinuousColumn):
            return NotImplemented
        return (
            self.name == other.name
            and np.array_equal(self.values, other.values)
            and _same(self.missing, other.missing)
            and _same(self.exact, other.exact)
        )

    __hash__ = None  # type: ignore[assignment]  # equal by value, so not hashed


Column = DiscreteColumn | ContinuousColumn


def _taken(missing: Mask | None, rows: NDArray[Any]) -> Mask | None:
    if missing is None:
        return None
    taken: Mask = missing[rows]
    return taken if taken.any() else None


def _same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def _array_of(labels: tuple[Label, ...]) -> NDArray[Any]:
    """An array of booleans or of integers where all labels are; otherwise of the labels themselves."""
    types = {type(label) for label in labels}
    if types == {bool}:
        return np.array(labels, dtype=bool)
    if types == {int} and all(-(2**63) <= label < 2**63 for label in labels if isinstance(label, int)):
        return np.array(labels, dtype=np.int64)
    if float in types and types <= {int, float}:
        return np.array(labels, dtype=np.float64)
    return np.array(labels, dtype=object)
