"""Files that DuckDB goes through piece by piece, so that they may be larger than memory."""

import glob
import shutil
import tempfile
import weakref
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from structlearn.data.files import ENDINGS
from structlearn.data.layouts import layout_of
from structlearn.data.sql_words import literal
from structlearn.errors import DataError, DataNote, needing, warn
from structlearn.naming import listed
from structlearn.reading import Reading
from structlearn.statistics.engines.choice import Choice

if TYPE_CHECKING:
    import duckdb

    from structlearn.statistics.engines.in_duckdb import DuckDBEngine

MEMORY_LIMIT = "1GB"  # of DuckDB; what does not fit goes to a temporary folder
PARQUET = ".parquet"
_TEXT = tuple(ending for ending in ENDINGS if ending.removesuffix(".gz") in (".csv", ".tsv", ".txt"))
UNPACKED = 5  # text that was packed is about so many times as long


@dataclass(frozen=True)
class Files:
    """Files of one kind that make up a table, in the order of their names."""

    paths: tuple[Path, ...]
    left_out: tuple[Path, ...] = ()

    @classmethod
    def at(cls, place: str | Path) -> "Files | None":
        """The files that a path, a pattern or a folder means; None if DuckDB does not read such files."""
        path, others = Path(place).expanduser(), list[Path]()
        if path.is_dir():
            found, others = _in_folder(path)
        else:
            found = matching(path)
        if not found or not all(map(_is_read, found)):
            return None
        if len({_has_ending(each, (PARQUET,)) for each in found}) > 1:
            raise DataError(
                f"{place}: files of several kinds. Name those of one kind: '*.parquet' or '*.csv'."
            )
        return cls(tuple(found), tuple(others))

    def note_what_is_left_out(self) -> None:
        """Say that of a folder only the Parquet files are read, where it has other tables."""
        if self.left_out:
            folder, n_left_out = self.paths[0].parent, len(self.left_out)
            warn(
                f"{folder}: of a folder its Parquet files are read, here {len(self.paths)}. Left out: "
                f"{self.left_out[0].relative_to(folder)}{f' and {n_left_out - 1} more' * (n_left_out > 1)}. "
                f"Where a pattern names the files ('{folder / '*.parquet'}'), nothing is said.",
                DataNote,
            )

    @property
    def is_parquet(self) -> bool:
        """Whether the files are Parquet, rather than text."""
        return _has_ending(self.paths[0], (PARQUET,))

    def n_bytes(self) -> int:
        """About how many bytes the table takes in memory; 0 of a file that cannot be read."""
        if not self.is_parquet:
            return sum(
                each.stat().st_size * (UNPACKED if each.name.endswith(".gz") else 1) for each in self.paths
            )
        with needing("duckdb", "A Parquet file"):
            import duckdb  # noqa: PLC0415, slow to load
        with suppress(duckdb.Error), duckdb.connect() as connection:
            n_columns = len(connection.read_parquet(self._named()).columns)
            asked = "SELECT sum(num_rows) FROM parquet_file_metadata(?)"
            [[n_rows]] = connection.execute(asked, [self._named()]).fetchall()
            return 8 * int(n_rows) * n_columns
        return 0

    def opened(self, choice: Choice) -> "DuckDBEngine":
        """The engine of the rows; text is stored with its types in a temporary database first."""
        with needing("duckdb", "A file larger than memory"):
            import duckdb  # noqa: PLC0415, slow to load
        from structlearn.statistics.engines.duckdb_columns import clear_errors  # noqa: PLC0415, as above
        from structlearn.statistics.engines.in_duckdb import engine_of  # noqa: PLC0415, as above

        folder = tempfile.mkdtemp(prefix="structlearn-")
        try:
            with clear_errors():
                connection = duckdb.connect(str(Path(folder, "rows.duckdb")))
                connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
                connection.execute(f"SET temp_directory = {literal(folder)}")
                relation, names = self._relation(connection)
            engine = engine_of(relation, choice, names)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        weakref.finalize(engine, shutil.rmtree, folder, ignore_errors=True)
        return engine

    def _relation(
        self, connection: "duckdb.DuckDBPyConnection"
    ) -> "tuple[duckdb.DuckDBPyRelation, list[str]]":
        """The rows, and the names of the columns as the files have them."""
        if not self.is_parquet:
            return self._text(connection)
        from structlearn.data.relations import united  # noqa: PLC0415, needs DuckDB

        relation, names = united(connection, self._named())
        self._note_partitions(names)
        return relation, names

    def _note_partitions(self, names: Sequence[str]) -> None:
        """Say that what tells folders apart, as in year=2024 and year=2025, is no column."""
        parts = {part for path in self.paths for part in path.parent.parts if "=" in part}
        n_values = Counter(part.partition("=")[0] for part in parts)
        keys = sorted(key for key, n in n_values.items() if n > 1 and key not in names)
        if keys:
            warn(
                f"{self}: {listed(keys)} in the names of folders is no column here. To have it as one, pass "
                "duckdb.read_parquet(pattern, hive_partitioning=True).",
                DataNote,
            )

    def _text(self, connection: "duckdb.DuckDBPyConnection") -> "tuple[duckdb.DuckDBPyRelation, list[str]]":
        from structlearn.data.large_csv import stored_csv  # noqa: PLC0415, only for files of text

        layouts = [layout_of(path, Reading()) for path in self.paths]
        if not layouts[0].is_plain:
            raise DataError(f"{self.paths[0]} is not read piece by piece: save it as UTF-8, or as Parquet.")
        for path, layout in zip(self.paths, layouts, strict=True):
            if layout != layouts[0]:
                raise DataError(f"{path} has other columns or separators than {self.paths[0]}.")
        return stored_csv(connection, self.paths, layouts[0]), [name for name in layouts[0].names if name]

    def __str__(self) -> str:
        return str(self.paths[0]) if len(self.paths) == 1 else f"{self.paths[0]} and the files beside it"

    def _named(self) -> list[str]:
        return [glob.escape(str(path)) for path in self.paths]


def matching(pattern: Path) -> list[Path]:
    """The file of this path, or else the files that it is a pattern of; ** stands for any folders."""
    if pattern.is_file():
        return [pattern]
    found = sorted(glob.glob(str(pattern), recursive=True))  # noqa: PTH207, a pattern
    return [Path(name) for name in found if Path(name).is_file()]


def _in_folder(folder: Path) -> tuple[list[Path], list[Path]]:
    """The Parquet files of a folder, and the tables beside and below them."""
    tables = sorted(each for each in folder.iterdir() if each.is_file() and _has_ending(each, ENDINGS))
    found = [each for each in tables if _has_ending(each, (PARQUET,))]
    below = [each for each in sorted(folder.glob(f"*/**/*{PARQUET}")) if not _is_aside(each, folder)]
    return found, [each for each in tables if each not in found] + below


def _is_aside(path: Path, folder: Path) -> bool:
    """Whether a file is among what engines keep for themselves, such as `_delta_log`."""
    return path.relative_to(folder).parts[0].startswith(("_", "."))


def _has_ending(path: Path, endings: tuple[str, ...]) -> bool:
    return path.name.lower().endswith(endings)


def _is_read(path: Path) -> bool:
    return _has_ending(path, (PARQUET, *_TEXT))
