"""`python -m benchmarks.scale.data FOLDER --millions 100`: Parquet files of ten million rows each.

Ten columns of two to five levels, drawn from a network in which each column depends on the two before it,
so that there are at most 172,800 different rows. The numbers depend on the file's number alone: a table of
20 million rows is the first two files of one of 100 million. Files that are there are left alone.
"""

import argparse
import time
from pathlib import Path

import numpy as np

LEVELS = (5, 4, 3, 2, 5, 4, 3, 2, 4, 3)
ROWS_PER_FILE = 10_000_000
ROWS_AT_ONCE = 1_000_000


def files_of(folder: Path, n_millions: int) -> list[Path]:
    """The files of a table, made where they are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    n_rows = n_millions * 1_000_000
    sizes = [min(ROWS_PER_FILE, n_rows - start) for start in range(0, n_rows, ROWS_PER_FILE)]
    paths = [_path(folder, number, size) for number, size in enumerate(sizes)]
    for number, (path, size) in enumerate(zip(paths, sizes, strict=True)):
        if not path.exists():
            started = time.perf_counter()
            _write(path, number, size)
            print(f"{path}: {size:,} rows in {time.perf_counter() - started:.0f} s", flush=True)
    return paths


def _path(folder: Path, number: int, size: int) -> Path:
    part = "" if size == ROWS_PER_FILE else f"_{size}"
    return folder / f"part_{number:03}{part}.parquet"


def _write(path: Path, number: int, n_rows: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, unfinished = np.random.default_rng([17, number]), path.with_suffix(".unfinished")
    schema = pa.schema([(f"v{j}", pa.int8()) for j in range(len(LEVELS))])
    with pq.ParquetWriter(unfinished, schema) as writer:
        for start in range(0, n_rows, ROWS_AT_ONCE):
            columns = _drawn(rng, min(ROWS_AT_ONCE, n_rows - start))
            writer.write_table(pa.table([pa.array(column) for column in columns], schema=schema))
    unfinished.rename(path)


def _drawn(rng: np.random.Generator, n_rows: int) -> list[np.ndarray]:
    columns: list[np.ndarray] = []
    for j, chances in enumerate(_chances()):
        parents = columns[max(j - 2, 0) : j]
        state = np.zeros(n_rows, dtype=np.int64)
        for parent, levels in zip(parents, LEVELS[max(j - 2, 0) : j], strict=True):
            state = state * levels + parent
        limits = np.cumsum(chances, axis=1)[:, :-1]
        draws = rng.random(n_rows, dtype=np.float32)
        column = np.zeros(n_rows, dtype=np.int8)
        for limit in limits.T:
            column += draws > limit[state]
        columns.append(column)
    return columns


def _chances() -> list[np.ndarray]:
    """The probabilities of each column's levels given the two columns before it."""
    rng = np.random.default_rng(17)
    sizes = [int(np.prod(LEVELS[max(j - 2, 0) : j])) for j in range(len(LEVELS))]
    return [rng.dirichlet(np.ones(levels), size) for levels, size in zip(LEVELS, sizes, strict=True)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--millions", type=int, default=100)
    given = parser.parse_args()
    files_of(given.folder, given.millions)
