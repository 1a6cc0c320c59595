"""`python -m benchmarks.scale.planning FOLDER`: what a learner costs by rows, columns and workers.

FOLDER has the files of `benchmarks.scale.data`. CPU seconds of the steps are measured on a few million rows,
a rate is fitted to each by least squares, and docs/guide/planning.md is written: the rates, what they give at
sizes that were measured too, and projections beyond.
"""

import argparse
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow.parquet as pq

import structlearn as sl
from benchmarks.machine import described
from benchmarks.scale.data import files_of
from structlearn.data.values import sorted_labels
from structlearn.statistics.engines.partitions.answering import ByGroups, groups_in, tables_in
from structlearn.statistics.engines.partitions.looking import Fields, survey_of
from structlearn.statistics.engines.partitions.piece import packed
from structlearn.statistics.engines.protocol import Coding, Scale

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "planning.md"
ROWS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
WIDTHS = (5, 10)
GROUPS = 150_000  # different rows of the tables that are planned for
CELLS = 100  # of a table
ROUNDS = 30  # of questions that a search asks where rows do not collapse
SETS_PER_ROUND = 20
LATENCY_S = 0.02  # of one question to Dask
PLANS = (
    (10**6, 10, 1),
    (10**8, 10, 2),
    (10**9, 10, 16),
    (10**9, 50, 16),
    (10**10, 50, 100),
    (10**11, 50, 100),
)


@dataclass(frozen=True)
class Rate:
    """CPU seconds of a step: so many at least, and so many for a billion of what it goes through."""

    name: str
    unit: str
    start_s: float
    per_billion_s: float

    def seconds(self, amount: float) -> float:
        """For this amount."""
        return self.start_s + self.per_billion_s * amount / 1e9

    @classmethod
    def fitted(cls, name: str, unit: str, amounts: list[float], seconds: list[float]) -> "Rate":
        """By least squares of relative errors, so that small sizes count as much as large ones."""
        weight = 1.0 / np.array(seconds)
        design = np.column_stack([np.ones(len(amounts)), np.array(amounts) / 1e9]) * weight[:, None]
        start, slope = np.linalg.lstsq(design, np.ones(len(amounts)), rcond=None)[0]
        return cls(name, unit, max(float(start), 0.0), float(slope))


def main() -> None:
    """Measure, fit and write the page."""
    parser = argparse.ArgumentParser(description="Write docs/guide/planning.md.")
    parser.add_argument("folder", type=Path)
    path = files_of(parser.parse_args().folder, 10)[0]
    rates = {"collapse": _collapse_rate(path)} | _worker_rates(path)
    PAGE.write_text(_page(rates, _fit_seconds(path)), encoding="utf-8")


def _collapse_rate(path: Path) -> Rate:
    """DuckDB going through a file twice: how many rows differ, and which."""
    amounts, seconds = [], []
    for n_rows, width in product(ROWS, WIDTHS):
        columns = ", ".join(f"v{j}" for j in range(width))
        rows = duckdb.connect().sql(f"SELECT {columns} FROM '{path}' LIMIT {n_rows}")  # noqa: S608, our own names
        amounts.append(float(n_rows * width))
        seconds.append(_cpu(lambda rows=rows: sl.source(rows, where="engine").collapsed()))
    return Rate.fitted("DuckDB finds the different rows of a file", "row and column", amounts, seconds)


def _worker_rates(path: Path) -> dict[str, Rate]:
    """What a worker of a cluster does with its part of the rows."""
    found: dict[str, tuple[list[float], list[float]]] = {
        name: ([], []) for name in ("look", "pack", "group", "count")
    }

    def note(name: str, amount: float, work: Callable[[], Any]) -> None:
        found[name][0].append(amount)
        found[name][1].append(_cpu(work))

    whole = pq.read_table(path)
    for n_rows, width in product(ROWS[:-1], WIDTHS):
        table = whole.slice(0, n_rows).select([f"v{j}" for j in range(width)])
        fields = Fields(tuple(table.column_names), (None,) * width, None)
        look = survey_of(table, 0, fields=fields).whole()
        coding = Coding(
            tuple(sorted_labels(each.values or ()) for each in look.looks), (Scale(0.0, 1.0),) * width
        )
        piece = packed(table, 0, fields=fields, coding=coding)
        pairs = tuple(combinations(range(width), 2))
        everything = ByGroups(tuple(range(width)), (), (), 1 << 22, n_rows)
        tables_in(piece, pairs, ())  # packs bits once, and compiles
        note("look", n_rows * width, lambda t=table, f=fields: survey_of(t, 0, fields=f))
        note("pack", n_rows * width, lambda t=table, f=fields, c=coding: packed(t, 0, fields=f, coding=c))
        note("group", n_rows * width, lambda p=piece, q=everything: groups_in(p, q))
        note("count", n_rows * len(pairs), lambda p=piece, q=pairs: tables_in(p, q, ()))
    names = {
        "look": ("a worker looks at its part", "row and column"),
        "pack": ("a worker codes its part, once", "row and column"),
        "group": ("a worker finds the different rows of its part", "row and column"),
        "count": ("a worker counts a table of two columns", "row and table"),
    }
    return {name: Rate.fitted(*names[name], *found[name]) for name in found}


def _fit_seconds(path: Path) -> float:
    """HillClimbing on the different rows of ten million, once they are here."""
    table = sl.source(path, where="engine")
    sl.HillClimbing().fit(table)
    return _cpu(lambda: sl.HillClimbing().fit(table))


def _cpu(work: Callable[[], Any]) -> float:
    """The CPU seconds of a call, the least of three."""
    seconds = []
    for _ in range(3):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def _page(rates: Mapping[str, Rate], fit_s: float) -> str:
    lines = [
        f"| {rate.name} | {rate.per_billion_s:.2f} per {rate.unit}, × 10⁹ | {rate.start_s:.2f} |"
        for rate in rates.values()
    ]
    plans = [_plan(rates, fit_s, *plan) for plan in PLANS]
    return TEXT.format(
        machine=described(["duckdb", "pyarrow"], "python -m benchmarks.scale.planning FOLDER"),
        rates="\n".join(lines),
        plans="\n".join(plans),
        fit=f"{fit_s:.2f}",
        groups=f"{GROUPS:,}",
        rounds=ROUNDS,
        sets=SETS_PER_ROUND,
    )


def _plan(rates: Mapping[str, Rate], fit_s: float, n_rows: int, width: int, n_workers: int) -> str:
    """One line: the time by DuckDB on two cores, and on a cluster where rows collapse and where not."""
    cells, n_pairs = float(n_rows) * width, width * (width - 1) // 2
    by_duckdb = rates["collapse"].seconds(cells) / 2 + fit_s
    prepared = sum(rates[name].seconds(cells / n_workers) for name in ("look", "pack"))
    collapsed = prepared + rates["group"].seconds(cells / n_workers) + fit_s
    tables = n_pairs + ROUNDS * SETS_PER_ROUND
    counted = rates["count"].seconds(float(n_rows) * tables / n_workers)
    asked = prepared + counted + (ROUNDS + 4) * LATENCY_S
    gib = cells / n_workers / 2**30
    moved_groups, moved_tables = GROUPS * (width + 16) * math.log2(max(n_workers, 2)), tables * 8 * CELLS
    cells_of_line = (
        f"{n_rows:.0e}".replace("+", "").replace("e0", "e"),
        width,
        _told(by_duckdb),
        n_workers,
        _told(collapsed),
        _told(asked),
        f"{gib:.2f}",
        f"{moved_groups / 2**20:.0f}",
        f"{moved_tables / 2**20:.1f}",
    )
    return f"| {' | '.join(map(str, cells_of_line))} |"


def _told(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 120.0:
        return f"{seconds:.1f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 7200.0 else f"{seconds / 3600.0:.1f} h"


TEXT = """# Planning for large tables

What a learner costs on a table that stays where it is, by its rows, columns and workers. The rates are
measured, CPU seconds of one core; everything in the second table is computed from them, and **beyond a
hundred million rows it is a projection**: nobody has run it. Disks, networks and other people's work are
not in it.

{machine}

| step | seconds | at least, s |
| --- | ---: | ---: |
{rates}

HillClimbing on the different rows of such a table, once they are in memory, takes {fit} s.

Rows *collapse* where few of them differ: then the different ones, {groups} are assumed, come over once, and
everything else runs at the speed of memory. Where they do not, tables are *asked* for: all pairs at first,
then {rounds} rounds of {sets} tables each, which is about what HillClimbing asks of 50 columns. Each round
is one question, and costs its latency besides (Dask's 20 ms here; Spark takes most of a second). A worker
holds a byte for each of its values. DuckDB is on two cores, whatever the workers.

| rows | columns | DuckDB, collapse | workers | collapse | asked | GiB a worker | MiB moved so | or so |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{plans}

How to read it: time grows with rows × columns over workers, and what moves does not grow with the rows at
all. So a table of ten columns is best left to DuckDB up to a billion rows; a cluster pays where the rows
are on it already, or where hours would become minutes. [Big data](big-data.md) has the measured runs.
"""


if __name__ == "__main__":
    main()
