"""Tables of Spark: each partition is coded once on its executor and kept there as packed bytes."""

import pickle
import re
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

from structlearn.data.readers import checked_names
from structlearn.errors import DataError, needing
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.partitions import PartitionedEngine
from structlearn.statistics.engines.partitions.travelling import FAN, Told

with needing("pyspark", "A table of Spark", install="structlearn[spark]"):
    from pyspark.sql import functions
    from pyspark.storagelevel import StorageLevel

# What goes from one worker to another: the partition, the number of the piece in it, and bytes.
SCHEMA = "part long, piece long, content binary"
ROWS_PER_PIECE = 1 << 20  # so that an executor holds no more rows than these uncoded
PIECES_PER_PART = 1 << 20


def engine_of(frame: Any, choice: Choice) -> PartitionedEngine:
    """The engine of a pyspark.sql.DataFrame, or of a part of it."""
    if not hasattr(frame, "mapInArrow"):
        raise DataError(f"Of Spark a DataFrame is a table, not a {type(frame).__name__}. Make one first.")
    with _clear_errors():
        names = choice.names(checked_names(frame.columns))
        kept = frame if choice.filter is None else frame.filter(choice.filter)
        wanted = [*names, *([] if choice.weights is None else [choice.weights])]
        # Not all that Spark does knows how to quote, so that columns go by numbers there.
        columns = [functions.col(_quoted(name)).alias(f"c{j}") for j, name in enumerate(wanted)]
        parts = SparkParts(kept.select(columns), wanted)
    return PartitionedEngine(parts, names, choice.weights)


class SparkParts:
    """Partitions of a table on the executors of a session; on one machine they are processes of their own."""

    title = "Spark"

    def __init__(self, frame: Any, names: list[str]) -> None:
        self._frame, self._names = frame, names
        self._pieces = frame

    def ask_tables(self, work: Callable[[Any, int], Any], join: Callable[[Sequence[Any]], Any]) -> Told:
        """Let executors look at the rows of their parts, and join what they tell in a tree."""
        with _clear_errors():
            told = self._told_of_tables(work)
            return _in_a_tree(told, self._n_parts, join) or Told.by(work, self._empty(), 0)

    def keep(self, pack: Callable[[Any, int], Any]) -> None:
        """Let executors pack their parts, and keep that; what a lost one kept is packed again by others."""
        with _clear_errors():
            self._pieces = self._told_of_tables(pack).persist(StorageLevel.MEMORY_AND_DISK)
        weakref.finalize(self, _let_go, self._pieces)

    def ask_pieces(self, work: Callable[[Any], Any], join: Callable[[Sequence[Any]], Any]) -> Told:
        """Let executors look at what they keep, and join what they tell in a tree."""
        with _clear_errors():
            told = self._pieces.mapInArrow(lambda batches: _of_pieces(batches, work), SCHEMA)
            found = _in_a_tree(told, self._n_parts, join)
        if found is None:
            raise DataError("Spark: the table has no rows any more. Learn when nobody writes to it.")
        return found

    def _told_of_tables(self, work: Callable[[Any, int], Any]) -> Any:
        names = self._names
        return self._frame.mapInArrow(lambda batches: _of_tables(batches, names, work), SCHEMA)

    @cached_property
    def _n_parts(self) -> int:
        number = functions.spark_partition_id().alias("part")
        [last] = self._frame.select(number).agg({"part": "max"}).collect()
        return 1 + (last[0] or 0)

    def _empty(self) -> Any:
        return self._frame.limit(0).toArrow().rename_columns(self._names)


def _of_tables(batches: Iterable[Any], names: list[str], work: Callable[[Any, int], Any]) -> Iterator[Any]:
    """On an executor: what some work tells of each million rows of a partition."""
    import pyarrow as pa  # noqa: PLC0415, on the executor
    from pyspark import TaskContext  # noqa: PLC0415, on the executor

    context = TaskContext.get()
    part = 0 if context is None else context.partitionId()
    for piece, some in enumerate(_together(batches)):
        table = pa.Table.from_batches(some).rename_columns(names)
        yield _sent(part, piece, Told.by(work, table, part * PIECES_PER_PART + piece))


def _together(batches: Iterable[Any]) -> Iterator[list[Any]]:
    """Batches as they come, up to about so many rows."""
    some: list[Any] = []
    n_rows = 0
    for batch in batches:
        some.append(batch)
        n_rows += batch.num_rows
        if n_rows >= ROWS_PER_PIECE:
            yield some
            some, n_rows = [], 0
    if n_rows:
        yield some


def _of_pieces(batches: Iterable[Any], work: Callable[[Any], Any]) -> Iterator[Any]:
    """On an executor: what some work tells of each piece that it keeps."""
    for part, piece, kept in _received(batches):
        yield _sent(part, piece, Told.by(work, kept.answer))


def _sent(part: int, piece: int, told: Told) -> Any:
    import pyarrow as pa  # noqa: PLC0415, on the executor

    content = pickle.dumps(told, protocol=5)
    columns = {"part": [part], "piece": [piece], "content": pa.array([content], pa.binary())}
    return pa.RecordBatch.from_pydict(columns)


def _received(batches: Iterable[Any]) -> Iterator[tuple[int, int, Told]]:
    for batch in batches:
        for row in batch.to_pylist():
            yield row["part"], row["piece"], pickle.loads(row["content"])  # noqa: S301, sent by ourselves


def _in_a_tree(told: Any, n_parts: int, join: Callable[[Sequence[Any]], Any]) -> Told | None:
    """Join answers in the order of their parts, so that the same rows give the same digits."""
    while n_parts > FAN:
        above = functions.floor(functions.col("part") / FAN).alias("above")
        told = told.groupBy(above).applyInArrow(lambda key, table: _joined(key, table, join), SCHEMA)
        n_parts = -(-n_parts // FAN)
    answers = sorted((row.part, row.piece, bytes(row.content)) for row in told.collect())
    found = [pickle.loads(content) for _, _, content in answers]  # noqa: S301, sent by ourselves
    return Told.joined(join, found) if len(found) > 1 else next(iter(found), None)


def _joined(key: tuple[Any, ...], table: Any, join: Callable[[Sequence[Any]], Any]) -> Any:
    """On an executor: what several parts tell together."""
    import pyarrow as pa  # noqa: PLC0415, on the executor

    told = sorted(_received(table.to_batches()), key=lambda row: row[:2])
    found = Told.joined(join, [answer for _, _, answer in told])
    return pa.Table.from_batches([_sent(key[0].as_py(), 0, found)])


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _let_go(pieces: Any) -> None:
    with suppress(Exception):  # a session that ended has let go of them
        pieces.unpersist()


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Say in one line what went wrong, whatever of Spark, Java or Python raised it."""
    try:
        with warnings.catch_warnings():
            # It is said at every call, of a package that nothing here goes through.
            warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
            yield
    except DataError:
        raise
    except Exception as error:
        raise DataError(f"Spark cannot answer: {_reason(error)} Nothing was written.") from error


def _reason(error: Exception) -> str:
    """The line that counts: of what an executor's Python raised, the last one of its traceback."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception): ", line)]
    return raised[-1] if raised and "Traceback" in str(error) else lines[0]
