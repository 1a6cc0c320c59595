"""Run the tests of a module on its mutants: those that pass through what was changed, the quickest first.

Every run is a process of its own, forked from one that has the large packages loaded: most tests are
over sooner than numpy and numba are imported.
"""

import json
import math
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import pytest

from tools.mutants import Mutant

PATIENCE = (
    4.0  # how many times as much of the processor as without a mutant the tests may take: then it is noticed
)
START_S = 10.0  # of the processor, for imports and compiling
ASLEEP = (
    30.0  # how many times as long by the clock a run may last, on a busy machine or where it waits for ever
)
LOADED = ["numpy", "scipy.stats", "scipy.optimize", "numba", "pandas", "pytest"]
OPTIONS = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no"]

Fate = Literal["noticed", "survived", "endless", "unreached"]


@dataclass(frozen=True)
class Passage:
    """A test, how long it takes the processor, and which lines of the module it runs."""

    test: str
    seconds: float
    lines: frozenset[int]

    def meets(self, mutant: Mutant) -> bool:
        """Whether the test runs what was changed; what is changed on import is run by all."""
        return mutant.is_on_import or not self.lines.isdisjoint(mutant.statement)


@dataclass(frozen=True)
class Trial:
    """A module in a copy of the sources, and the files of tests that are run on it."""

    root: Path
    copy: Path
    path: Path  # of the module, in the copy
    tests: Sequence[Path]

    def passages(self, source: str) -> list[Passage]:
        """Run all tests on the module as it is, and see what they pass through."""
        seen = self.copy / "passages.json"
        if self._run(source, [str(path) for path in self.tests], watched=seen) != "survived":
            raise SystemExit("The tests fail without any mutant. Mend them first.")
        found = json.loads(seen.read_text(encoding="utf-8"))
        return [Passage(test, seconds, frozenset(lines)) for test, seconds, lines in found]

    def fate(self, mutant: Mutant, passages: Sequence[Passage]) -> Fate:
        """What becomes of a mutant in the tests that meet it."""
        met = sorted((one for one in passages if one.meets(mutant)), key=lambda one: one.seconds)
        if not met:
            return "unreached"
        limit_s = START_S + PATIENCE * sum(one.seconds for one in met)
        return self._run(mutant.source, [one.test for one in met], limit_s)

    def _run(
        self, source: str, tests: Sequence[str], limit_s: float | None = None, watched: Path | None = None
    ) -> Fate:
        self.path.write_text(source, encoding="utf-8")
        for stale in self.path.parent.glob(f"__pycache__/{self.path.stem}.*.pyc"):
            stale.unlink()  # two mutants of one second and one size would share it
        context = get_context("forkserver")
        context.set_forkserver_preload(LOADED)
        process = context.Process(target=_run_pytest, args=(self, tests, limit_s, watched))
        process.start()
        process.join(None if limit_s is None else ASLEEP * limit_s)
        if process.exitcode is None:
            os.killpg(process.pid or 0, signal.SIGKILL)
            process.join()
        if process.exitcode in {-signal.SIGKILL, -signal.SIGXCPU}:  # ours, or that of the limit
            return "endless"
        return "survived" if process.exitcode == 0 else "noticed"


class Watch:
    """A plugin that writes down which lines of a file each test runs."""

    def __init__(self, path: Path, answer: Path) -> None:
        self._path, self._answer = str(path), answer
        self._lines: set[int] = set()
        self._found: list[tuple[str, float, list[int]]] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch a test with its fixtures."""
        self._lines = set()
        began = time.process_time()
        with _traced(self._called):
            result = yield
        self._found.append((item.nodeid, time.process_time() - began, sorted(self._lines)))
        return result

    def pytest_sessionfinish(self) -> None:
        """Leave what was seen."""
        self._answer.write_text(json.dumps(self._found), encoding="utf-8")

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        is_here = frame.f_code.co_filename == self._path
        return self._stepped(frame, event, argument) if is_here else None

    def _stepped(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        self._lines.add(frame.f_lineno)
        return self._stepped


@contextmanager
def _traced(trace: Any) -> Iterator[None]:
    threading.settrace(trace)
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]  # None is how it ends


def _run_pytest(trial: Trial, tests: Sequence[str], limit_s: float | None, watched: Path | None) -> None:
    """Run tests on the copy, in a process of their own and without a word."""
    os.setsid()  # what tests start goes with them
    if limit_s is not None:
        most = math.ceil(time.process_time() + limit_s)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir(trial.root)
    sources = str(trial.copy / "src")
    sys.path[:] = [sources, *(path for path in sys.path if path != str(trial.root / "src"))]
    os.environ["PYTHONPATH"] = sources
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(trial.copy / "hypothesis")
    plugins = [Watch(trial.path, watched)] if watched else []
    sys.exit(pytest.main([*OPTIONS, *tests], plugins=plugins))
