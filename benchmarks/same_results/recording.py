"""Runs cases and keeps what a user sees of each, with the CPU seconds where asked for."""

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.same_results.case import Case
from benchmarks.same_results.graphs import graph_cases
from benchmarks.same_results.learners import benchmark_cases, ensemble_cases, method_cases
from benchmarks.same_results.models import model_cases
from benchmarks.same_results.numbers import score_cases, test_cases
from benchmarks.same_results.seen import seen

Record = dict[str, dict[str, Any]]

SOURCES = (score_cases, test_cases, graph_cases, model_cases, method_cases, ensemble_cases, benchmark_cases)
SHORTEST_S = 0.02  # below, the clock and the machine are in the ratio of two times
WRITTEN_EVERY_S = 30.0  # so that a run that is cut short keeps most of its results
ENOUGH_S = 20.0  # as in the benchmarks: no more runs of a case that has taken so long


def all_cases() -> Iterator[Case]:
    """Every case, each under a name of its own."""
    names: set[str] = set()
    for source in SOURCES:
        for case in source():
            if case.name not in names:  # a setting may equal the defaults
                names.add(case.name)
                yield case


def record(cases: Iterable[Case], path: Path, runs: int) -> Record:
    """Add to a file what the cases give; `runs` of each are timed after a first one, none with 0."""
    found: Record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    written = time.monotonic()
    for case in cases:
        result, first_s = _result(case)
        entry = found.setdefault(case.name, {})
        entry |= {"family": case.family, "seen": result}
        if runs and "raised" not in result:
            best_s = _best(case, runs)
            entry |= {"seconds": best_s} if best_s >= SHORTEST_S else {}
        print(f"{case.family}: {case.name}: {first_s:.2f} s", file=sys.stderr, flush=True)
        if time.monotonic() - written > WRITTEN_EVERY_S:
            _write(found, path)
            written = time.monotonic()
    _write(found, path)
    return found


def _write(found: Record, path: Path) -> None:
    path.write_text(json.dumps(found, indent=0, ensure_ascii=False, sort_keys=True), encoding="utf-8")


def _result(case: Case) -> tuple[dict[str, Any], float]:
    """What the case gives and warns of, or the error it raises; the CPU seconds."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            seconds, result = _timed(case.prepare())
        except Exception as error:  # noqa: BLE001, an error is a result to compare
            return {"raised": f"{type(error).__name__}: {error}"}, 0.0
        found = {"result": seen(result)}
    said = {str(warning.message) for warning in told if warning.category.__module__.startswith("structlearn")}
    return found | ({"warnings": sorted(said)} if said else {}), seconds


def _best(case: Case, runs: int) -> float:
    taken: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while len(taken) < runs and sum(taken) < ENOUGH_S:
            taken.append(_timed(case.prepare())[0])
    return min(taken)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    result = work()
    return time.process_time() - begun, result
