"""What the first use of a method costs: CPU seconds with nothing compiled, with all on disk, and warm.

`python -m benchmarks first_use [METHOD…]` writes benchmarks/results/first_use.md, where the rows of other
methods stay, beside what they were in first_use_before.md.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.machine import described
from structlearn.api import known_method
from structlearn.learners.catalog import CATALOG
from structlearn.learners.method import Method

PAGE = Path(__file__).parent / "results" / "first_use.md"
BEFORE = PAGE.with_name("first_use_before.md")
NETWORKS = Path(__file__).parents[1] / "tests" / "data" / "networks"
TABLES = {"asia": 5_000, "alarm": 10_000}
ON_ALARM = ("boss", "hill-climbing", "pc")
LIMIT_S = 240.0  # by the clock on the wall
HEAD = "| method | data | first, s | cached, s | warm, s | before: first | cached | warm |"


def main(names: Sequence[str]) -> None:
    """Measure the methods asked for, or all, and write the page after each."""
    rows = _kept(PAGE)
    methods = [known_method(name) for name in names] or list(CATALOG.values())
    for method in methods:
        if method.takes == ("database",):
            continue
        for table in ["asia", "alarm"] if method.name in ON_ALARM else ["asia"]:
            rows[method.name, table] = _row(method, table)
            print(rows[method.name, table], flush=True)
            _write(rows)


def _row(method: Method, table: str) -> str:
    with tempfile.TemporaryDirectory() as empty:
        try:
            (first,) = _fits(method, table, 1, empty)
            cached, *more = _fits(method, table, 4, empty)
        except subprocess.TimeoutExpired:
            return f"| {method.name} | {table} | over {LIMIT_S:.0f} | | |"
    return f"| {method.name} | {table} | {first:.2f} | {cached:.2f} | {min(more):.3f} |"


def _fits(method: Method, table: str, n_fits: int, folder: str) -> list[float]:
    """CPU seconds of fits, one after the other, in a new process that keeps machine code in a folder."""
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.first_use", method.name, table, str(n_fits)],
        env=environment(folder),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=LIMIT_S,
    )
    seconds: list[float] = json.loads(ended.stdout)
    return seconds


def environment(folder: str) -> dict[str, str]:
    """That of a process which keeps in a folder what is compiled, for Python and for the machine."""
    left_out = {"STRUCTLEARN_COMPILE", "PYTHONDONTWRITEBYTECODE"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    own = {"NUMBA_CACHE_DIR": folder, "PYTHONPYCACHEPREFIX": str(Path(folder, "bytecode"))}
    return {**kept, **own, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def timed(name: str, table: str, n_fits: int) -> list[float]:
    """CPU seconds of each fit, without what reads the table."""
    warnings.simplefilter("ignore")
    method = known_method(name)
    data, learner = rows_of(method, table), method.load()
    first, second, third, fourth = data.names[:4]
    given: dict[str, Any] = {need: {first: [second, third], second: [third, fourth]} for need in method.needs}
    seconds = []
    for _ in range(n_fits):
        started = time.process_time()
        learner(**given).fit(data)
        seconds.append(time.process_time() - started)
    return seconds


def rows_of(method: Method, name: str) -> sl.Dataset:
    """Rows of a network; as numbers, with a little noise, where a method takes nothing else."""
    network = sl.load(NETWORKS / f"{name}.bif")
    data = network.sample(TABLES[name], random_state=0)
    if "discrete" in method.takes:
        return data
    rng = np.random.default_rng(0)
    codes = {column.name: np.asarray(column.codes, dtype=float) for column in data.columns}
    return sl.Dataset({name: values + 0.1 * rng.normal(size=values.size) for name, values in codes.items()})


def _kept(page: Path) -> dict[tuple[str, str], str]:
    """The rows that are on a page, without what they were before."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    lines = (line for line in text.splitlines() if line.startswith("| "))
    return dict(_by_place("|".join(line.split("|")[:6]) + "|" for line in lines))


def _by_place(lines: Iterator[str]) -> Iterator[tuple[tuple[str, str], str]]:
    for line in lines:
        method, table = (cell.strip() for cell in line.split("|")[1:3])
        if method in CATALOG:
            yield (method, table), line


def _write(rows: dict[tuple[str, str], str]) -> None:
    before = _kept(BEFORE)
    order = {name: place for place, name in enumerate(CATALOG)}
    fits = sorted(rows, key=lambda key: (key[1] == "asia", order[key[0]]))
    lines = [
        "# First use",
        "",
        described(["structlearn"], "python -m benchmarks first_use"),
        "",
        "CPU seconds of one fit: **first** with nothing compiled on this machine, **cached** in the next",
        "process, which finds on disk what the first one compiled, **warm** the best of three more there.",
        "asia has 5,000 rows, alarm 10,000; methods of continuous columns have the codes with some noise.",
        "",
        HEAD,
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *(rows[key] + "|".join(before.get(key, "| | | | | |").split("|")[3:]) for key in fits),
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    print(json.dumps(timed(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
