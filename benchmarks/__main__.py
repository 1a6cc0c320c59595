"""`python -m benchmarks search pc …`: structlearn beside the other libraries that are installed."""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import first_use, interrupts, renamings
from benchmarks.entries import ENTRIES, Entry
from benchmarks.kept import joined, kept_laps
from benchmarks.machine import described
from benchmarks.race import Course, Lap
from benchmarks.results_table import as_csv, markdown, runs, summary
from benchmarks.workloads import WORKLOADS, Workload

HOME = Path(__file__).parent
RESULTS = HOME / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the tasks asked for, write their tables as they grow, and print them."""
    alone = {
        "first_use": first_use.main,
        "interrupts": interrupts.main,
        "renamings": renamings.main,
    }.get("".join(sys.argv[1:2]))
    if alone is not None and arguments is None:
        alone(sys.argv[2:])
        return
    options = _options(arguments)
    command = f"python -m benchmarks {' '.join(sys.argv[1:] if arguments is None else arguments)}"
    for task in options.tasks:
        entries, absent = _entries(task, options.only)
        about = _about(entries, absent, command)
        asked = _workloads(task, quick=options.quick)
        workloads = [table for table in asked if re.search(options.tables, table.name)]
        fresh: list[Lap] = []
        for fresh in run(entries, workloads, limit_s=options.limit, about=about):
            _keep(task, fresh, _target(options, task))
        print(_page(task, fresh))


def _about(entries: Sequence[Entry], absent: Sequence[str], command: str) -> str:
    """When, where and with what the rows of this run are measured, in a line."""
    libraries = dict.fromkeys(entry.library for entry in entries)
    lines = [*described(libraries, command).splitlines(), *(f"Left out: {line}" for line in absent)]
    return "; ".join(line.removeprefix("- ") for line in lines)


def _keep(task: str, fresh: Sequence[Lap], target: Path | None) -> None:
    """Put laps on the page, where rows of other tables stay, and its summary into the README."""
    if target is None:
        return
    laps = joined(task, fresh, kept_laps(target.with_suffix(".csv"), task))
    _write(target, _page(task, laps), as_csv(laps, task))
    if target == RESULTS / f"{task}.md":
        _put_into_readme(task, summary(task, laps))


def _target(options: argparse.Namespace, task: str) -> Path | None:
    """Where the page is written, if anywhere."""
    if options.output is not None:
        return Path(options.output)
    return None if options.quick or options.only else RESULTS / f"{task}.md"


def _page(task: str, laps: Sequence[Lap]) -> str:
    """All rows, and which of the runs each is from."""
    about = "\n".join(f"{place}. {text}" for place, text in enumerate(runs(laps), start=1))
    page = f"# {task}\n\nRuns, by the number in the last column:\n\n{about}\n\n"
    page += f"## Summary\n\n{summary(task, laps)}\n\n"
    return f"{page}## Everything\n\n{markdown(task, laps)}\n"


def run(
    entries: Sequence[Entry], workloads: Sequence[Workload], *, limit_s: float, about: str = ""
) -> Iterator[list[Lap]]:
    """Every entry on every table that it can learn from: all laps so far, after each table."""
    laps: list[Lap] = []
    with tempfile.TemporaryDirectory() as name:
        for workload in workloads:
            course = Course(workload, Path(name), limit_s)
            for entry in entries:
                if workload.kind in entry.kinds:
                    laps.append(_hopeless(entry, workload, laps) or course.run_lap(entry))
                    laps[-1].run = about
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
    parser.add_argument(
        "--tables", default="", help="only tables whose name has this regular expression; rows of others stay"
    )
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
    return [workload for workload in WORKLOADS[task] if workload.is_quick or not quick]


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
