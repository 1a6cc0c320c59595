"""`python -m benchmarks.growth`: how times grow with rows and columns, from the pages of the other tables.

Nothing is measured here: docs/benchmarks/growth.md puts side by side what benchmarks/results/*.csv have.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.workloads import WORKLOADS

HOME = Path(__file__).parent
PAGE = HOME.parent / "docs" / "benchmarks" / "growth.md"
HEAD = """# Growth with rows and columns

CPU seconds of one warm search in one thread, of the rows that [all tables](../../benchmarks/README.md)
have; written from them by `python -m benchmarks.growth`. *> 60 s* is a process that was ended at that
limit, *–* what is not tried any more after that. A library whose row grows tenfold where the table does is
linear; ours come first.
"""


@dataclass(frozen=True)
class Growth:
    """Tables that differ in one number only: those of a task whose names fit."""

    title: str
    task: str
    tables: str


GROWTHS = (
    Growth("Rows: searches for the largest BIC, ALARM, 37 columns", "search", r"alarm, "),
    Growth("Columns: searches for the largest BIC, Gaussian networks, 10,000 rows", "search", r"Gaussian, "),
    Growth("Columns: PC, Gaussian networks, 500 rows", "pc", r"Gaussian, "),
    Growth("Columns: graphical lasso, 2,000 rows", "undirected", r"graphical lasso, "),
    Growth("Columns: neighbourhoods, 500 rows", "undirected", r"neighbourhoods, "),
    Growth("Columns: the best of all DAGs, Gaussian networks, 1,000 rows", "exact", r"Gaussian, "),
)


def table_of(growth: Growth, folder: Path) -> Iterator[str]:
    """A row for each library and method, a column for each table."""
    with (folder / f"{growth.task}.csv").open(newline="", encoding="utf-8") as lines:
        laps = [lap for lap in csv.DictReader(lines) if re.match(growth.tables, lap["data"])]
    names = {lap["data"] for lap in laps}
    tables = [workload.name for workload in WORKLOADS[growth.task] if workload.name in names]
    cells = {(lap["library"], lap["method"], lap["data"]): _cell(lap) for lap in laps}
    yield f"| library: method | {' | '.join(tables)} |"
    yield f"| --- |{' ---: |' * len(tables)}"
    for library, method in dict.fromkeys((lap["library"], lap["method"]) for lap in laps):
        found = [cells.get((library, method, table), "") for table in tables]
        yield f"| {library}: {method} | {' | '.join(found)} |"


def _cell(lap: dict[str, str]) -> str:
    if lap["warm_s"]:
        return f"{float(lap['warm_s']):.3g}"
    return "–" if lap["trouble"].startswith("not run") else lap["trouble"]


def page(folder: Path) -> str:
    """All tables of growth, from the results in a folder."""
    parts = [f"## {growth.title}\n\n" + "\n".join(table_of(growth, folder)) for growth in GROWTHS]
    return "\n\n".join([HEAD.rstrip(), *parts]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(HOME / "results"), encoding="utf-8")
