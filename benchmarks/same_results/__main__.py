"""`python -m benchmarks.same_results`: record results, and compare two records.

record FILE.json runs every method, score, test and model, and writes what a user sees of each; a file that
is there is added to, so that families can be recorded one after the other. compare BEFORE.json AFTER.json
prints what differs and, where both have times, their ratios; its exit code is 1 where a result differs.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.same_results.comparing import Difference, differences, time_table
from benchmarks.same_results.recording import Record, all_cases, record


def main(arguments: Sequence[str] | None = None) -> int:
    """Do as the command line says; returns the exit code."""
    options = _options(arguments)
    if options.command == "compare":
        return _compare(_read(options.before), _read(options.after), options.most)
    wanted = [
        case
        for case in all_cases()
        if options.only in ("", case.family) and re.search(options.cases, case.name)
    ]
    if not wanted:
        print(
            f"no case; families: {', '.join(dict.fromkeys(case.family for case in all_cases()))}",
            file=sys.stderr,
        )
        return 2
    record(wanted, options.file, options.runs if options.times else 0)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_results", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run the cases and write their results")
    recording.add_argument("file", type=Path)
    recording.add_argument("--only", default="", help="one family of cases")
    recording.add_argument("--cases", default="", help="only cases whose name has this regular expression")
    recording.add_argument("--times", action="store_true", help="run each again and write its CPU seconds")
    recording.add_argument("--runs", type=int, default=3, help="how many runs are timed; the least counts")
    comparing = commands.add_parser("compare", help="print what differs")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--most", type=int, default=20, help="how many fields of one case are printed")
    return parser.parse_args(arguments)


def _read(path: Path) -> Record:
    found: Record = json.loads(path.read_text(encoding="utf-8"))
    return found


def _compare(before: Record, after: Record, most: int) -> int:
    by_case: dict[str, list[Difference]] = {}
    for found in differences(before, after):
        by_case.setdefault(found.case, []).append(found)
    changed = 0
    for case, found in by_case.items():
        told = [difference for difference in found if not difference.is_new]
        changed += bool(told)
        print(case, *map(str, told[:most]), sep="\n    ")
        if len(told) > most:
            print(f"    … and {len(told) - most} more fields")
        if len(told) < len(found):
            print(f"    {len(found) - len(told)} fields that only the later version has")
    raised = sum("raised" in entry["seen"] for entry in before.values())
    print(f"{changed} of {len(before)} cases differ; {raised} end in an error before")
    print(time_table(before, after))
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
