"""A table ready to learn from: typed, coded columns."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data.choosing import chosen_by, only
from structlearn.data.coding import continuous, discrete, look_up, smallest
from structlearn.data.columns import Column, DiscreteColumn, Kind, Label, RawColumn, RawTable
from structlearn.data.far_values import FarValues
from structlearn.data.gaps import refuse_gaps
from structlearn.data.interpretation import interpreted
from structlearn.data.kinds import (
    check_kinds,
    infer_kind,
    warn_of_identifier,
    warn_of_labels,
)
from structlearn.data.order_in_time import warn_of_time
from structlearn.data.orientation import row_names_of, transposed, warn_if_transposed
from structlearn.data.readers import checked_names, read
from structlearn.data.repeated_rows import warn_of_copies
from structlearn.data.shown_rows import dataset_html
from structlearn.data.values import plain
from structlearn.data.weights import checked_weights
from structlearn.errors import DataError, DataNote, OptionError, warn
from structlearn.naming import has_no, no_such
from structlearn.options import OneOf, OrNone, check_options
from structlearn.reading import Reading
from structlearn.whole_files import path_of

if TYPE_CHECKING:
    from structlearn.data.discretization import Discretization

SHOWN_COLUMNS = 8
ROWS = OrNone(OneOf(("independent",), "what the order of the rows means"), "it may be that of time")


class Dataset:
    """Columns of one length, each discrete or continuous; never changes once made.

    Parameters
    ----------
    data : frame, array, mapping, path, relation or Dataset
        A pandas, polars or pyarrow frame; a 2-D numpy array (its columns are named x0, x1, …); a
        dict of columns; a path to a .csv, .csv.gz, .tsv, .txt, .xlsx or .parquet file; a DuckDB relation.
    kinds : mapping of str to "discrete" or "continuous", optional
        The kinds of some columns. Those of the others are inferred: text, booleans and
        categoricals are discrete; so are whole numbers with at most two different values, or with
        at most twenty that occur twice or more on average; everything else is continuous.
    weights : array of n_rows numbers, optional
        How many rows each row counts for. Their sum is the size of the sample in tests and scores, which
        refuse weights that sum to less than two rows and warn of others that look like shares.
    transpose : bool, optional
        True if the table has its variables in rows: its first column of text, or the index of a pandas
        frame, then names them. By default a table that looks so is warned of, and taken as it is.
    rows : "independent", optional
        That the order of the rows means nothing. By default learners warn of rows that look like a series.
    **reading
        How the table is written, where its own look does not tell: `na`, `decimal`, `dates`, `separator`,
        `header`, `skip`, `encoding`, `sheet`, `columns` and `drop`: `help(structlearn.reading.Reading)`.

    Notes
    -----
    Nothing is dropped or filled in. Missing values stay missing (see `missing`), and what was inferred can be
    seen (`kinds`, `inferred`, `notes`) and overruled. Text that is numbers in writing is read as numbers,
    with a note. Labels are sorted; a categorical keeps the order of its categories, seen or not.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.Dataset({"smoker": ["yes", "no", "no"], "age": [31.5, 40.0, 28.0]})
    >>> data
    <Dataset: 3 rows; smoker (discrete, 2 levels), age (continuous)>
    >>> data.labels
    {'smoker': ('no', 'yes')}
    """

    def __init__(
        self,
        data: Any,
        *,
        kinds: Mapping[str, Kind] | None = None,
        weights: ArrayLike | None = None,
        transpose: bool | None = None,
        rows: Literal["independent"] | None = None,
        **reading: Any,
    ) -> None:
        check_options("Dataset", {"rows": ROWS}, {"rows": rows})
        how = _checked_reading(data, reading)
        if transpose:
            data = _turned(data, how)
        self._columns, self._inferred, self._notes, self._discretization = _typed(
            data, {} if kinds is None else kinds, how, weights, looked_at=transpose is None
        )
        if isinstance(data, Dataset):
            weights = data.weights if weights is None else weights
        elif weights is None and rows is None and self._inferred and not isinstance(data, _Typed):
            warn_of_copies(self._columns)
        self._weights = None if weights is None else checked_weights(weights, self.n_rows)
        self._rows = data.rows if rows is None and isinstance(data, Dataset) else rows
        self._selected: Dataset | None = None  # the last one: fits ask for the same columns again

    @classmethod
    def from_columns(
        cls,
        columns: Iterable[Column],
        *,
        weights: ArrayLike | None = None,
        inferred: Iterable[str] = frozenset(),
        notes: Iterable[str] = (),
        discretization: "Discretization | None" = None,
        rows: Literal["independent"] | None = None,
    ) -> Self:
        """Make a data set of columns that are typed already."""
        typed = _Typed(tuple(columns), frozenset(inferred), tuple(notes), discretization)
        _check_shape(typed.columns)
        return cls(typed, weights=weights, rows=rows)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the order given."""
        return self._columns

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """How much each row counts, or None where all count the same."""
        return self._weights

    @property
    def rows(self) -> Literal["independent"] | None:
        """Whether somebody said that the order of the rows means nothing."""
        return self._rows

    @property
    def inferred(self) -> frozenset[str]:
        """The names of the columns whose kind nobody gave."""
        return self._inferred

    @property
    def notes(self) -> tuple[str, ...]:
        """How the table was read, where that is not plain; also said as warnings of the category DataNote."""
        return self._notes

    @property
    def discretization(self) -> "Discretization | None":
        """Where columns were cut into bins, to do the same with new rows; None where none was."""
        return self._discretization

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self._columns[0].n_rows

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self._columns)

    @property
    def kinds(self) -> dict[str, Kind]:
        """The kind of every column."""
        return {column.name: column.kind for column in self._columns}

    @property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The labels of every discrete column, in the order of their codes."""
        return {column.name: column.labels for column in self._columns if isinstance(column, DiscreteColumn)}

    @property
    def missing(self) -> dict[str, int]:
        """How many values are missing, for the columns where some are."""
        return {c.name: int(c.missing.sum()) for c in self._columns if c.missing is not None}

    def column(self, name: str) -> Column:
        """The column of that name."""
        try:
            return self._columns[self.names.index(name)]
        except ValueError:
            raise DataError(no_such("column", name, self.names)) from None

    def select(self, names: Iterable[str]) -> "Dataset":
        """Some of the columns, in the order asked for."""
        asked = tuple(names)
        if asked == self.names:
            return self
        selected = self._selected  # which another thread may replace meanwhile
        if selected is None or selected.names != asked:
            by_name = dict(zip(self.names, self._columns, strict=True))
            columns = tuple(by_name.get(name) or self.column(name) for name in asked)
            inferred = self._inferred & {column.name for column in columns}
            selected = self._selected = self._with(columns, self._weights, inferred)
        return selected

    def take(self, rows: ArrayLike) -> "Dataset":
        """Some of the rows, by position or by a mask; labels stay, seen or not."""
        positions = np.asarray(rows)
        columns = tuple(column.take(positions) for column in self._columns)
        weights = None if self._weights is None else self._weights[positions]
        return self._with(columns, weights, self._inferred)

    def complete(self, owner: str, *, advice: str | None = None) -> Self:
        """Return this data set, or raise a DataError in the name of `owner` if values are missing."""
        refuse_gaps(owner, self.missing, self.n_rows, advice=advice)
        return self

    def align(self, labels: Mapping[str, Sequence[Label]]) -> "Dataset":
        """Code the named columns by the given labels, in that order.

        A column that is continuous here but has labels there becomes discrete. A value that is not
        among the labels is a DataError.
        """
        wanted = {name: tuple(plain(label) for label in found) for name, found in labels.items()}
        for name in wanted:
            self.column(name)
        columns = tuple(
            _aligned(column, wanted[column.name]) if column.name in wanted else column
            for column in self._columns
        )
        return self._with(columns, self._weights, self._inferred)

    def _with(
        self, columns: Iterable[Column], weights: ArrayLike | None, inferred: Iterable[str]
    ) -> "Dataset":
        """Other columns of the same table."""
        kept = tuple(columns)
        cuts = self._discretization and self._discretization.restricted([column.name for column in kept])
        return Dataset.from_columns(
            kept,
            weights=weights,
            inferred=inferred,
            notes=self._notes,
            discretization=cuts,
            rows=self._rows,
        )

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """The values of each column: labels, not codes; None or NaN where missing."""
        return {column.name: column.decoded() for column in self._columns}

    def save(self, path: str | PathLike[str]) -> None:
        """Write the table to a .csv, .tsv or .parquet file; case weights are not written."""
        from structlearn.data.writers import write_table  # noqa: PLC0415, starts DuckDB

        write_table(self._columns, path_of(path))

    def __len__(self) -> int:
        return self.n_rows

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dataset):
            return NotImplemented
        if (self._weights is None) != (other._weights is None):
            return False
        if self._weights is not None and not np.array_equal(self._weights, np.asarray(other._weights)):
            return False
        return self._columns == other._columns

    __hash__ = None  # type: ignore[assignment]  # equal by value, so not hashed

    def __repr__(self) -> str:
        shown = [_in_words(column) for column in self._columns[:SHOWN_COLUMNS]]
        rest = len(self._columns) - len(shown)
        more = [f"… and {rest} more columns"] if rest else []
        weighted = "" if self._weights is None else ", weighted"
        return f"<Dataset: {self.n_rows:,} rows{weighted}; {', '.join([*shown, *more])}>"

    def _repr_html_(self) -> str:
        return dataset_html(self._columns, weighted=self._weights is not None)


class _Typed(NamedTuple):
    columns: tuple[Column, ...]
    inferred: frozenset[str]
    notes: tuple[str, ...] = ()
    discretization: "Discretization | None" = None


def _checked_reading(data: Any, options: Mapping[str, Any]) -> Reading:
    """The options of reading; a table that is read already takes none."""
    unknown = [name for name in options if name not in Reading.options]
    if unknown:
        known = ["kinds", "weights", "transpose", "rows", *Reading.options]
        raise TypeError(has_no("Dataset", "option", unknown[0], known, shown=len(known)))
    check_options("Dataset", Reading.options, options)
    if options and isinstance(data, Dataset):
        raise OptionError(
            f"Dataset({next(iter(options))}=…): this table is read already. Say it where that is done."
        )
    return Reading(**options)


def _turned(data: Any, reading: Reading) -> RawTable:
    """The table with its rows for columns."""
    if not isinstance(data, Dataset):
        table = read(data, reading)
        return RawTable(transposed(table.columns, row_names_of(data)), table.notes)
    if data.weights is not None:
        raise DataError(
            "transpose: the weights of rows mean nothing for columns; give them to the turned table."
        )
    return RawTable(transposed([column.raw() for column in data.columns]))


def _typed(
    data: Any, kinds: Mapping[str, Kind], reading: Reading, weights: ArrayLike | None, *, looked_at: bool
) -> _Typed:
    if isinstance(data, _Typed):
        return data
    if isinstance(data, Dataset):
        return _rekinded(data, kinds)
    choose = chosen_by(reading)
    table = read(data, reading, choose)
    names = checked_names(column.name for column in table.columns)
    check_kinds(kinds, names)
    table = only(table, checked_names(choose(names)))
    _check_rows(table.columns)
    table = interpreted(table, kinds, reading)
    for note in table.notes:
        warn(note, DataNote)
    raw = table.columns
    warn_of_time(raw, data, kinds)
    on_its_side = looked_at and warn_if_transposed(raw, row_names_of(data), kinds)
    for column in raw[on_its_side:]:
        if column.name not in kinds:
            warn_of_identifier(column)
            warn_of_labels(column)
    counts = None if weights is None else checked_weights(weights, raw[0].n_rows) > 0.0
    columns, far = list[Column](), FarValues()
    for column in (column.in_one_piece() for column in raw):
        columns.append(_coded(column, kinds.get(column.name) or infer_kind(column.of_rows(counts))))
        if column.name not in kinds and (counts is None or counts.all()):
            far.look_at(column, columns[-1])
    far.warn()
    return _Typed(tuple(columns), frozenset(column.name for column in raw) - frozenset(kinds), table.notes)


def _rekinded(dataset: Dataset, kinds: Mapping[str, Kind]) -> _Typed:
    check_kinds(kinds, dataset.names)
    columns = tuple(
        column
        if kinds.get(column.name, column.kind) == column.kind
        else _coded(column.raw(), kinds[column.name])
        for column in dataset.columns
    )
    return _Typed(columns, dataset.inferred - frozenset(kinds), dataset.notes, dataset.discretization)


def _coded(column: RawColumn, kind: Kind) -> Column:
    return discrete(column) if kind == "discrete" else continuous(column)


def _aligned(column: Column, labels: tuple[Label, ...]) -> DiscreteColumn:
    if isinstance(column, DiscreteColumn) and column.labels == labels:
        return column
    raw = column.raw()
    codes = smallest(look_up(raw, labels), len(labels))
    return DiscreteColumn(column.name, raw.spread(codes), labels, column.missing)


def _check_rows(raw: Sequence[RawColumn]) -> None:
    if raw[0].n_rows == 0:
        raise DataError(
            f"Found a table with 0 sample(s) (shape=(0, {len(raw)})) while a minimum of 1 is required. "
            "Pass a table with at least one row."
        )


def _check_shape(columns: Sequence[Column]) -> None:
    checked_names(column.name for column in columns)
    if not columns:
        raise DataError("A data set needs at least one column.")
    if len({column.n_rows for column in columns}) > 1:
        raise DataError("The columns of a data set must be of one length.")
    if columns[0].n_rows == 0:
        raise DataError("A data set needs at least one row.")


def _in_words(column: Column) -> str:
    if isinstance(column, DiscreteColumn):
        return f"{column.name} (discrete, {column.levels} level{'' if column.levels == 1 else 's'})"
    return f"{column.name} (continuous)"
