"""From whatever a user has in hand to columns as they were read."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import few_words
from structlearn.data.addresses import is_address, shown
from structlearn.data.choosing import Choose, all_of, wanted_of
from structlearn.data.columns import Mask, RawColumn, RawTable, unread
from structlearn.data.model_columns import is_unused
from structlearn.data.text_in_arrow import in_one_piece, is_in_arrow
from structlearn.data.unnamed_columns import without_index
from structlearn.data.values import settled, sorted_labels
from structlearn.errors import DataError, DataTypeError
from structlearn.naming import listed
from structlearn.reading import Reading

_ACCEPTED = (
    "a pandas, polars or pyarrow frame, a 2-D numpy array, a dict of columns, a path to a CSV, Excel or "
    "Parquet file, a DuckDB relation or a Dataset"
)


def read(data: Any, reading: Reading | None = None, choose: Choose = all_of) -> RawTable:
    """A table of any accepted type as it was read; columns that are not chosen are there, but unread."""
    table = without_index(_read(data, reading, choose), reading)
    if not any(is_unused(column.name) for column in table.columns):
        return table
    kept = (_blank(column) if is_unused(column.name) else column for column in table.columns)
    return RawTable(tuple(kept), table.notes)


def _blank(column: RawColumn) -> RawColumn:
    return RawColumn(column.name, np.zeros(column.n_rows, dtype=np.int64))


def _read(data: Any, reading: Reading | None, choose: Choose) -> RawTable:
    if isinstance(data, RawTable):
        return data
    reading = Reading() if reading is None else reading
    if isinstance(data, str) and is_address(data):
        raise DataError(f"{shown(data)} is the address of a database: pass sl.source(address, table=…).")
    if isinstance(data, str | Path):
        from structlearn.data.files import read_path  # noqa: PLC0415, starts DuckDB

        return read_path(Path(data), reading, choose)
    reading.refuse_of_files("a table in memory")
    return RawTable(_read_columns(data, choose))


def _read_columns(data: Any, choose: Choose) -> tuple[RawColumn, ...]:
    if isinstance(data, np.ndarray):
        names = data.dtype.names
        if names and data.ndim == 1:  # records, as numpy.genfromtxt(…, names=True) has them
            return _read_mapping({name: data[name] for name in names}, choose)
        return _read_array(data, choose)
    if isinstance(data, Mapping):
        return _read_mapping(data, choose)
    if isinstance(data, list | tuple):
        raise DataError(
            "A list of rows is not a table: it has no column names and no types. Pass numpy.array(rows), "
            "a pandas or polars frame, or a dict of columns."
        )
    return _read_foreign(data, choose)


def checked_names(names: Iterable[Any]) -> tuple[str, ...]:
    """The names of columns as strings that differ.

    Names 0, 1, 2, … are those of a frame that was given none, and get an x in front; other integers are kept.
    """
    found = tuple(names)
    if found and all(_is_integer(name) for name in found):
        is_counted = list(found) == list(range(len(found)))
        found = tuple(f"x{name}" if is_counted else f"{name}" for name in found)
    for name in found:
        if not isinstance(name, str):
            raise DataError(
                f"Column names are strings, not {name!r} (a {type(name).__name__}). Rename the columns, "
                "for example with frame.columns = [str(c) for c in frame.columns]."
            )
    repeated = [name for name, count in Counter(found).items() if count > 1]
    if repeated:
        raise DataError(
            f"Column names must differ, but {listed(repeated)} occurs more than once. Rename them."
        )
    return tuple(str(name) for name in found)


def no_columns(n_rows: int) -> tuple[RawColumn, ...]:
    """Raise the error for a table without columns, in the words that scikit-learn looks for."""
    raise DataError(
        f"Found a table with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required."
        " Pass a table with at least one column."
    )


def _read_array(array: NDArray[Any], choose: Choose) -> tuple[RawColumn, ...]:
    if array.ndim != 2:
        raise DataError(
            f"A table has two dimensions, this array has {array.ndim}. Reshape your data: "
            "array.reshape(-1, 1) for one column, array.reshape(1, -1) for one row."
        )
    if not isinstance(array, np.ma.MaskedArray):
        array = np.asarray(array)
    names = [f"x{j}" for j in range(array.shape[1])]
    return _read_each(names, list(array.T), choose, _read_flat) or no_columns(array.shape[0])


def _read_each(
    names: Sequence[str],
    columns: Iterable[Any],
    choose: Choose,
    read_one: Callable[[str, Any], RawColumn],
) -> tuple[RawColumn, ...]:
    """The columns of these names, each read by a function of its name and itself if it is wanted."""
    wanted = wanted_of(names, choose)
    return tuple(
        read_one(name, column) if name in wanted else unread(name)
        for name, column in zip(names, columns, strict=True)
    )


def _read_mapping(columns: Mapping[Any, Any], choose: Choose) -> tuple[RawColumn, ...]:
    names = checked_names(columns)
    read_columns = _read_each(names, columns.values(), choose, _read_values)
    wanted = wanted_of(names, choose)
    lengths = {column.name: column.n_rows for column in read_columns if column.name in wanted}
    if len(set(lengths.values())) > 1:
        first = next(iter(lengths))
        other = next(name for name in lengths if lengths[name] != lengths[first])
        raise DataError(
            f"Columns must be of one length, but {first!r} has {lengths[first]:,} rows and {other!r} has "
            f"{lengths[other]:,}."
        )
    return read_columns or no_columns(0)


def _read_values(name: str, values: Any) -> RawColumn:
    if isinstance(values, list | tuple | range):
        # numpy would turn [1, "a"] into text and [1, True] into numbers.
        return _read_flat(name, _object_array(values))
    if not isinstance(values, np.ndarray):
        import narwhals as nw  # noqa: PLC0415, only for data frames

        series = nw.from_native(_with_categories(values), series_only=True, pass_through=True)
        if isinstance(series, nw.Series):
            return _read_series(name, series)
    array = np.asanyarray(values)
    if array.ndim != 1:
        raise DataError(
            f"Column {name!r} is given as {type(values).__name__} with {array.ndim} dimensions; a column has "
            "one. Pass a list, a numpy array or a series."
        )
    return _read_flat(name, array)


def _read_flat(name: str, array: NDArray[Any]) -> RawColumn:
    few = few_words.of_array(array)
    return settled(name, array) if few is None else RawColumn(name, few[0], words=tuple(few[1]))


def _with_categories(values: Any) -> Any:
    """An array of categories as a series of its library: numpy would lose their order and the unused ones."""
    module = type(values).__module__.partition(".")[0]
    if module == "pandas" and hasattr(getattr(values, "dtype", None), "categories"):
        import pandas as pd  # noqa: PLC0415, its array is in hand

        return pd.Series(values)
    if module == "pyarrow" and type(values).__name__ == "DictionaryArray":
        import pyarrow as pa  # noqa: PLC0415, as above

        return pa.chunked_array([values])
    return values


def _read_foreign(data: Any, choose: Choose) -> tuple[RawColumn, ...]:
    """Read a table of another library's type."""
    module = type(data).__module__
    if module.startswith("scipy.sparse"):
        raise DataTypeError("A sparse matrix is not supported; pass matrix.toarray() if that fits in memory.")
    if module.partition(".")[0] in {"duckdb", "_duckdb"}:
        from structlearn.data.relations import read_relation  # noqa: PLC0415, starts DuckDB

        return read_relation(data, choose)
    # Before narwhals, which has other words for names that are the same.
    checked_names(_own_names(data, module))
    import narwhals as nw  # noqa: PLC0415, only for data frames

    if module.startswith("pyarrow") and type(data).__name__ == "RecordBatch":
        data = _table_of_batch(data)
    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return _read_frame(frame, choose)
    return _read_array_like(data, choose)


def _table_of_batch(batch: Any) -> Any:
    import pyarrow as pa  # noqa: PLC0415, its batch is in hand

    return pa.Table.from_batches([batch])


def _own_names(data: Any, module: str) -> Iterable[Any]:
    if module.startswith("pandas"):
        return getattr(data, "columns", ())
    return data.schema.names if module.startswith("pyarrow") and hasattr(data, "schema") else ()


def _read_frame(frame: Any, choose: Choose) -> tuple[RawColumn, ...]:
    names = checked_names(frame.columns)
    return _read_each(names, frame.iter_columns(), choose, _read_series) or no_columns(len(frame))


def _read_series(name: str, series: Any) -> RawColumn:
    """Read a narwhals series."""
    import narwhals as nw  # noqa: PLC0415, only for data frames

    dtype = series.dtype  # which takes a look at the rows, where they are Python objects
    if dtype.is_temporal():
        return settled(name, _object_array(series.to_list()))
    if isinstance(dtype, nw.List | nw.Array | nw.Struct | nw.Binary):
        raise DataError(
            f"Column {name!r} holds {dtype}; each value must be a string, True or False, or a number. "
            "Split it into columns of such values, or drop it."
        )
    if isinstance(dtype, nw.String):
        return _read_text(name, series)
    missing = _missing(series)
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _read_categorical(name, series, missing)
    if missing.any() and (dtype.is_integer() or dtype == nw.Boolean):
        # Filled first, because numpy has no integers or booleans with gaps and would make them floats.
        series = series.fill_null(0 if dtype.is_integer() else False)
    if dtype.is_decimal() or isinstance(dtype, nw.Int128 | nw.UInt128):
        # numpy has no such numbers, and not all of them are floats.
        return settled(name, _object_array(series.to_list()), missing=missing)
    return settled(name, series.to_numpy(), missing=missing)


def _missing(series: Any) -> Mask:
    """Where no value is; most columns are whole, and most libraries know it without a look at the rows."""
    if _is_known_to_be_whole(series):
        return np.zeros(len(series), dtype=np.bool_)
    native = series.to_native()
    if series.implementation.is_pandas() and hasattr(native, "cat"):
        gaps: Mask = native.array.codes < 0
        return gaps
    found: Mask = series.is_null().to_numpy().astype(bool)
    return found


def _is_known_to_be_whole(series: Any) -> bool:
    native = series.to_native()
    if series.implementation.is_pandas():
        if isinstance(native.dtype, np.dtype):
            return native.dtype.kind in "iub"
        return is_in_arrow(native) and native.array.__arrow_array__().null_count == 0
    if series.implementation.is_pyarrow() and hasattr(native.type, "value_type"):
        # A gap may be among the values that others refer to, where it is not counted.
        return hasattr(native.type, "index_type") and not any(
            chunk.null_count or chunk.dictionary.null_count for chunk in native.chunks
        )
    return bool(series.null_count() == 0)


def _read_text(name: str, series: Any) -> RawColumn:
    few = few_words.of_series(series)
    if few is not None:
        return RawColumn(name, few[0], words=tuple(few[1]))
    missing, numbered = _missing(series), _numbered(series)
    if numbered is None or not all(type(word) is str for word in numbered[1]):
        # Text beside None, NaN or numbers in a column of Python objects.
        return settled(name, _object_array(series.to_list()), missing=missing)
    numbers, words = numbered
    gone = missing if missing.any() else None
    return RawColumn(name, numbers if gone is None else numbers[~gone], gone, words=tuple(words))


def _read_categorical(name: str, series: Any, missing: Mask) -> RawColumn:
    """Keep the categories in the order declared; where none was declared, sort them."""
    numbered = _numbered(series)
    if numbered is None:
        return _read_categories(name, series, missing)
    numbers, words = numbered
    types = set(map(type, words))
    if len(types) != 1 or not types <= {str, int, float, bool}:
        return _read_categories(name, series, missing)
    labels = _declared(series)
    if labels is None:
        labels = list(sorted_labels(words[code] for code in _seen(numbers[~missing]).tolist()))
    if types != {str}:
        return settled(name, np.array(words)[numbers], missing=missing, categories=labels)
    gone = missing if missing.any() else None
    return RawColumn(name, numbers if gone is None else numbers[~gone], gone, tuple(labels), tuple(words))


def _seen(numbers: NDArray[Any]) -> NDArray[Any]:
    """The different ones of numbers that are 0 or more, in order."""
    if numbers.size == 0 or numbers.max() > numbers.size:
        return np.unique(numbers)
    return np.flatnonzero(np.bincount(numbers))


def _read_categories(name: str, series: Any, missing: Mask) -> RawColumn:
    """Read categories of any type, value by value."""
    values, categories = series.to_list(), _declared(series)
    if categories is None:
        categories = list(sorted_labels(_object_array(values)[~missing].tolist()))
    if not all(isinstance(label, str | Real | np.bool_) for label in categories):
        # Intervals, say, from pandas.cut: their text is the label.
        values, categories = [str(value) for value in values], [str(label) for label in categories]
    return settled(name, _object_array(values), missing=missing, categories=categories)


def _declared(series: Any) -> list[Any] | None:
    import narwhals as nw  # noqa: PLC0415, only for data frames

    native = series.to_native()
    if series.implementation.is_pandas() and hasattr(native, "cat"):  # which a dictionary of arrow has not
        categories: list[Any] = native.array.categories.tolist()
        return categories
    if isinstance(series.dtype, nw.Enum):
        return list(series.dtype.categories)
    if series.implementation.is_pandas() and hasattr(native.dtype, "pyarrow_dtype"):
        native = native.array.__arrow_array__()
    if not getattr(getattr(native, "type", None), "ordered", False):
        return None
    known = native.unify_dictionaries().combine_chunks().dictionary.to_pylist()
    return [label for label in dict.fromkeys(known) if label is not None]


def _numbered(series: Any) -> few_words.Numbered | None:
    """A number for each value and the different ones, by the frame's own library: Python is ten times slower.

    What is missing has any number. None where the library cannot do it.
    """
    native = series.to_native()
    if series.implementation.is_pandas():
        if hasattr(native, "cat"):
            return native.array.codes, native.array.categories.tolist()
        if not is_in_arrow(native):
            numbers, different = native.factorize()
            return numbers, different.tolist()
        native = in_one_piece(native.array.__arrow_array__())
    elif series.implementation.is_polars():
        try:
            native = native.to_arrow()
        except ModuleNotFoundError:  # pyarrow
            return None
    elif series.implementation.is_pyarrow():
        native = in_one_piece(native)
    else:
        return None
    coded = native if hasattr(native, "dictionary") else native.dictionary_encode()
    indices = coded.indices.fill_null(0) if coded.indices.null_count else coded.indices
    return indices.to_numpy(), coded.dictionary.to_pylist()


def _object_array(items: Sequence[Any]) -> NDArray[Any]:
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _read_array_like(data: Any, choose: Choose) -> tuple[RawColumn, ...]:
    if hasattr(data, "rows_are_elsewhere"):
        raise DataTypeError(
            f"The rows of {data!r} are not in memory, and this needs them there. Draw some, as in "
            "sl.source(data, sample_rows=100_000), or read all: where='memory'."
        )
    if not hasattr(data, "__array__"):
        raise DataTypeError(f"An object of type {type(data).__name__} is not a table. Pass {_ACCEPTED}.")
    return _read_array(np.asarray(data), choose)


def _is_integer(name: Any) -> bool:
    return isinstance(name, int | np.integer) and not isinstance(name, bool)
