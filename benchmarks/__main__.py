"""`python -m benchmarks search pc undirected`: structlearn beside the other libraries that are installed."""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.entries import ENTRIES, Entry
from benchmarks.machine import described
from benchmarks.race import Course, Lap
from benchmarks.results_table import as_csv, markdown, summary
from benchmarks.workloads import WORKLOADS, Workload, is_available

HOME = Path(__file__).parent
RESULTS = HOME / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tasks asked for, write their tables as they grow, and print them."""
    options = _options(arguments)
    command = f"python -m benchmarks {' '.join(sys.argv[1:] if arguments is None else arguments)}"
    for task in options.tasks:
        entries, absent = _entries(task, options.only)
        libraries = dict.fromkeys(entry.library for entry in entries)
        notes = "\n".join([described(libraries, command), *(f"- Left out: {line}" for line in absent)])
        asked = _workloads(task, quick=options.quick)
        workloads = [table for table in asked if re.search(options.tables, table.name)]
        for laps in run(entries, workloads, limit_s=options.limit):
            page = f"# {task}\n\n{notes}\n\n## Summary\n\n{summary(task, laps)}\n\n"
            page += f"## Everything\n\n{markdown(task, laps)}\n"
            if options.output is not None:
                _write(options.output, page, as_csv(laps, task))
            elif not (options.quick or options.only):
                _write(RESULTS / f"{task}.md", page, as_csv(laps, task))
                _put_into_readme(task, summary(task, laps))
        print(page)


def run(entries: Sequence[Entry], workloads: Sequence[Workload], *, limit_s: float) -> Iterator[list[Lap]]:
    """Every entry on every table that it can learn from: all laps so far, after each table."""
    laps: list[Lap] = []
    with tempfile.TemporaryDirectory() as name:
        for workload in workloads:
            course = Course(workload, Path(name), limit_s)
            for entry in entries:
                if workload.kind in entry.kinds:
                    laps.append(_hopeless(entry, workload, laps) or course.run_lap(entry))
                    _tell(laps[-1])
            yield laps


def _hopeless(entry: Entry, workload: Workload, laps: Sequence[Lap]) -> Lap | None:
    """A lap not run, where the entry was over the limit on a table that is no larger."""
    for lap in laps:
        if lap.entry is entry and lap.trouble.startswith(">") and workload.is_at_least(lap.workload):
            return Lap(workload, entry, trouble=f"not run: {lap.trouble} on {lap.workload.name}")
    return None


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("tasks", nargs="+", choices=list(WORKLOADS), help="what to measure")
    parser.add_argument(
        "--quick", action="store_true", help="only the smallest tables; prints, writes nothing"
    )
    parser.add_argument("--only", default="", help="only libraries whose name contains this; writes nothing")
    parser.add_argument("--tables", default="", help="only tables whose name has this regular expression")
    parser.add_argument("--limit", type=float, default=120.0, help="CPU seconds a run may take")
    parser.add_argument("--output", type=Path, help="write here (and beside it as .csv), for one task")
    options = parser.parse_args(arguments)
    if options.output is not None and len(options.tasks) > 1:
        parser.error("--output takes one task; without it each task has its own file")
    return options


def _entries(task: str, only: str) -> tuple[list[Entry], list[str]]:
    """The entries that can run, and a line for each library that cannot."""
    wanted = [entry for entry in ENTRIES if entry.task == task and only in entry.library]
    absent = dict.fromkeys(entry.library for entry in wanted if not entry.is_installed)
    return [entry for entry in wanted if entry.is_installed], [f"{name} is not installed" for name in absent]


def _workloads(task: str, *, quick: bool) -> list[Workload]:
    asked = [workload for workload in WORKLOADS[task] if workload.is_quick or not quick]
    for workload in asked:
        if not is_available(workload):
            print(f"left out: {workload.name} (its network is not in ../shared/data)", file=sys.stderr)
    return [workload for workload in asked if is_available(workload)]


def _tell(lap: Lap) -> None:
    times = f"cold {lap.cold_s:.3g} s, warm {lap.warm_s:.3g} s" if lap.warm_s is not None else lap.trouble
    print(f"{lap.workload.name} · {lap.entry.name}: {times}", file=sys.stderr, flush=True)


def _put_into_readme(task: str, table: str) -> None:
    """Put the summary between the marks of the task."""
    readme = HOME / "README.md"
    begin, end = f"<!-- begin {task} -->", f"<!-- end {task} -->"
    before, _, rest = readme.read_text(encoding="utf-8").partition(begin)
    _replace(readme, f"{before}{begin}\n{table}\n{end}{rest.partition(end)[2]}")


def _write(path: Path, page: str, numbers: str) -> None:
    _replace(path, page)
    _replace(path.with_suffix(".csv"), numbers)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


if __name__ == "__main__":
    main()
