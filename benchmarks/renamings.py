"""`python -m benchmarks renamings`: what names and the order of columns do to where a search ends.

The columns of each table get other names and another order, twenty times. Where moves tie, a search has to
choose by something; what it gains or loses by that is luck, and shows as the spread over the renamings.
All maximise the BIC, which judges them.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import structlearn as sl
from benchmarks.entries import ENTRIES, Entry
from benchmarks.entries.ours import from_dataset, read
from benchmarks.entries.r import REntry
from benchmarks.machine import described
from benchmarks.race import Course
from benchmarks.tables import Table
from benchmarks.worker import cpu_seconds
from benchmarks.workloads import Workload, network
from structlearn.compile import IS_EAGER

PAGE = Path(__file__).parent / "results" / "renamings.md"
NETWORKS = {
    "asia": 10_000,
    "sachs": 10_000,
    "insurance": 10_000,
    "water": 10_000,
    "bnrep-kosterhavet": 10_000,
    "alarm": 10_000,
    "hailfinder": 10_000,
    "andes": 1_000,
}
OURS = [
    Entry("structlearn", f'{name}(score="bic")', "search", from_dataset(name, score="bic"), read)
    for name in ("HillClimbing", "BOSS")
]
PEERS = ("pyagrum: greedy hill climbing", "bnlearn: hc")
HEAD = "| table | search | mean BIC | worst | best | CPU s |\n| --- | --- | ---: | ---: | ---: | ---: |"
LIMIT_S = 120.0
SETTING = "STRUCTLEARN_COMPILE=always " if IS_EAGER else ""  # without it, small tables are timed interpreted


class Spread(NamedTuple):
    """Where a search ends over renamings of one table, and the median of what it takes."""

    table: str
    search: str
    scores: list[float]
    seconds: float

    def __str__(self) -> str:
        scores = f"{np.mean(self.scores):,.1f} | {min(self.scores):,.1f} | {max(self.scores):,.1f}"
        return f"| {self.table} | {self.search} | {scores} | {self.seconds:.3f} |"


def renamed(table: Table, seed: int) -> Table:
    """The table with its columns in another order and under other names."""
    rng = np.random.default_rng(seed)
    order, numbers = rng.permutation(len(table.names)), rng.permutation(len(table.names))
    new = {table.names[j]: f"v{number:03}" for j, number in zip(order, numbers, strict=True)}
    return Table(
        tuple(new[table.names[j]] for j in order),
        np.ascontiguousarray(table.values[:, order]),
        table.labels and tuple(table.labels[j] for j in order),
        [(new[source], new[target]) for source, target in table.truth],
        table.alpha,
    )


def spread(name: str, entry: Entry, tables: Sequence[Table]) -> Spread:
    """How an entry does on tables that differ in names only; the first run, which compiles, is not timed."""
    if not isinstance(entry, REntry):
        entry.prepare(tables[0])()
    ends = [_in_r(entry, table) if isinstance(entry, REntry) else _here(entry, table) for table in tables]
    return Spread(
        name, entry.name, [score for score, _ in ends], float(np.median([took for _, took in ends]))
    )


def _here(entry: Entry, table: Table) -> tuple[float, float]:
    work = entry.prepare(table)
    started = cpu_seconds()
    found = work()
    took = cpu_seconds() - started
    graph = sl.Graph(table.names, directed=entry.read(found, table).arrows)
    return sl.score(graph, sl.Dataset(table.frame()), "bic"), took


def _in_r(entry: Entry, table: Table) -> tuple[float, float]:
    workload = Workload("renamed", "discrete", len(table.values), len(table.names), lambda: table)
    with tempfile.TemporaryDirectory() as folder:
        lap = Course(workload, Path(folder), LIMIT_S).run_lap(entry)
    return lap.quality["bic"], lap.warm_s or 0.0


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row per table and search, and write the page where all tables were asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks renamings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS), choices=list(NETWORKS))
    parser.add_argument("--renamings", type=int, default=20)
    parser.add_argument("--output", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    entries = [*OURS, *(entry for entry in ENTRIES if entry.name in PEERS and entry.is_installed)]
    command = f"{SETTING}python -m benchmarks renamings --renamings {options.renamings}"
    about = described(dict.fromkeys(entry.library for entry in entries), command)
    rows: list[Spread] = []
    for name in options.networks:
        table = network(name, NETWORKS[name], 0).draw()
        tables = [renamed(table, seed) for seed in range(options.renamings)]
        for entry in entries:
            rows.append(spread(f"{name}, {NETWORKS[name]:,} rows", entry, tables))
            print(rows[-1], flush=True)
        _write(options.output, about, rows)


def _write(page: Path, about: str, rows: Sequence[Spread]) -> None:
    lines = ["# renamings", about, (__doc__ or "").partition("\n\n")[2].strip(), HEAD]
    page.write_text("\n\n".join(lines) + "\n" + "\n".join(map(str, rows)) + "\n", encoding="utf-8")
