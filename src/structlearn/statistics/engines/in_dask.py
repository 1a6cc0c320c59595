"""Tables of Dask: each partition is coded once on its worker and stays there."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from structlearn.data.readers import checked_names
from structlearn.errors import DataError, needing
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.partitions import PartitionedEngine
from structlearn.statistics.engines.partitions.travelling import FAN, Told

with needing("dask", "A table of Dask", install="structlearn[dask]"):
    import dask


def engine_of(frame: Any, choice: Choice) -> PartitionedEngine:
    """The engine of a dask.dataframe.DataFrame, or of a part of it."""
    if type(frame).__name__ != "DataFrame":
        raise DataError(f"Of Dask a DataFrame is a table, not a {type(frame).__name__}. Make one first.")
    with _clear_errors():
        known = checked_names(frame.columns)
        field = dict(zip(known, frame.columns, strict=True))
        names = choice.names(known)
        kept = frame if choice.filter is None else _filtered(frame, choice.filter)
        wanted = [*names, *([] if choice.weights is None else [choice.weights])]
        parts = kept[[field[name] for name in wanted]].to_delayed()
    return PartitionedEngine(DaskParts(parts), names, choice.weights)


class DaskParts:
    """Partitions of a table: on the workers of a cluster where there is a client, or else in threads."""

    title = "Dask"

    def __init__(self, tables: Sequence[Any]) -> None:
        self._tables, self._client = tables, _client_in_use()
        self._pieces: Sequence[Any] = ()

    def ask_tables(self, work: Callable[[Any, int], Any], join: Callable[[Sequence[Any]], Any]) -> Told:
        """Let workers look at the rows of their parts, and join what they tell in a tree."""
        tell = dask.delayed(Told.by, pure=False)
        return self._in_a_tree([tell(work, table, i) for i, table in enumerate(self._tables)], join)

    def keep(self, pack: Callable[[Any, int], Any]) -> None:
        """Let workers pack their parts, and keep that; what a lost worker kept is packed again by others."""
        packed = [dask.delayed(_packed)(pack, table, i) for i, table in enumerate(self._tables)]
        with _clear_errors():
            self._pieces = dask.persist(*packed) if self._client is None else self._client.persist(packed)

    def ask_pieces(self, work: Callable[[Any], Any], join: Callable[[Sequence[Any]], Any]) -> Told:
        """Let workers look at what they keep, and join what they tell in a tree."""
        return self._in_a_tree([dask.delayed(Told.by)(work, piece) for piece in self._pieces], join)

    def _in_a_tree(self, told: list[Any], join: Callable[[Sequence[Any]], Any]) -> Told:
        while len(told) > 1:
            told = [dask.delayed(Told.joined)(join, told[i : i + FAN]) for i in range(0, len(told), FAN)]
        with _clear_errors():
            found: Told = (
                told[0].compute() if self._client is None else self._client.compute(told[0]).result()
            )
        return found


def _packed(pack: Callable[[Any, int], Any], table: Any, number: int) -> Any:
    return Told.by(pack, table, number).answer


def _client_in_use() -> Any:
    """The client of a cluster, if there is one; tables stay with it."""
    try:
        from distributed import default_client  # noqa: PLC0415, Dask may be there without it

        return default_client()
    except (ImportError, ValueError):
        return None


def _filtered(frame: Any, condition: Any) -> Any:
    """The rows that meet a condition: text for `query`, or what gives or is a column of truth values."""
    if isinstance(condition, str):
        return frame.query(condition)
    return frame[condition(frame) if callable(condition) else condition]


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Say in one line what went wrong, whatever of Dask, pandas or a file system raised it."""
    try:
        yield
    except DataError:
        raise
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise DataError(f"Dask cannot answer: {reason} Nothing was written.") from error
