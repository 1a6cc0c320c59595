"""How long each method takes to answer Ctrl-C, on tables that keep it busy for seconds.

`python -m benchmarks interrupts [METHOD…]` writes benchmarks/results/interrupts.md, where the rows of other
methods stay.
"""

import signal
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.machine import described
from structlearn.api import known_method
from structlearn.compile import _spending
from structlearn.learners.base import Learner
from structlearn.learners.catalog import CATALOG
from structlearn.learners.method import Method

PAGE = Path(__file__).parent / "results" / "interrupts.md"
HEAD = "| method | columns | 0.3 s | 1 s | 3 s | edges |"
AFTER_S = (0.3, 1.0, 3.0)  # methods do one thing after the other: any of them may be the slow one
SIZES = (200, 100, 50, 25, 18)  # columns; the most that a method takes


def main(names: Sequence[str]) -> None:
    """Measure the methods asked for, or all, and write the page after each."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    methods = [known_method(name) for name in names] or list(CATALOG.values())
    rows = _kept()
    for method in methods:
        for kind in [kind for kind in ("discrete", "continuous") if kind in method.takes]:
            rows[method.name, kind] = _row(method, kind)
            print(rows[method.name, kind], flush=True)
            _write(rows)


def _row(method: Method, kind: str) -> str:
    """The seconds between each interruption and its answer, on the largest table that the method takes."""
    for n_columns in SIZES:
        table = sl.Dataset(chain_of(kind, n_columns))
        needed: Any = {x: table.names[j + 1 : j + 3] for j, x in enumerate(table.names[:6])}
        given: dict[str, Any] = dict.fromkeys(method.needs, needed)
        learner = method.load()(**given)
        try:
            answered(learner, table, AFTER_S[-1])  # loads and compiles what is hot
        except (sl.DataError, sl.OptionError):
            continue
        found = [answered(learner, table, after) for after in AFTER_S]
        shown = " | ".join("ended before" if seconds is None else f"{seconds:.2f}" for seconds in found)
        n_edges = f"{len(learner.graph_.edges):,}" if hasattr(learner, "graph_") else "none"
        return f"| {method.name} | {n_columns} {kind} | {shown} | {n_edges} |"
    return f"| {method.name} | none {kind} | | | | |"


def answered(learner: Learner, table: Any, after_s: float) -> float | None:
    """CPU seconds from Ctrl-C, so long after a fit begins, to its end; None where that comes before.

    The time of the compiler does not count, nor does what else the machine does.
    """
    sent: list[float] = []
    is_over = threading.Event()

    def interrupt() -> None:
        if not is_over.wait(after_s):
            sent.append(cpu_clock())
            signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with suppress(KeyboardInterrupt):  # of a method that has no graph so far
            learner.fit(table)
        ended = cpu_clock()
    finally:
        is_over.set()
        thread.join()
    return max(ended - sent[0], 0.0) if sent else None  # two clocks, of which one was the compiler's


def cpu_clock() -> float:
    """The CPU seconds of this process, without those of the compiler."""
    return time.process_time() - _spending.compiled


def chain_of(kind: str, n_columns: int, n_rows: int = 1000) -> dict[str, np.ndarray]:
    """Columns that each depend on two before them."""
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=n_rows), rng.normal(size=n_rows)]
    for j in range(2, n_columns):
        near, far = columns[-1], columns[rng.integers(0, j - 1)]
        columns.append(0.6 * near + 0.6 * far + 0.7 * rng.normal(size=n_rows))
    if kind == "discrete":
        columns = [np.array(["low", "middle", "high"])[np.digitize(each, [-0.5, 0.7])] for each in columns]
    return {f"v{j:03}": column for j, column in enumerate(columns)}


def _kept() -> dict[tuple[str, str], str]:
    """The rows that are on the page."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    cells = [(line, line.split("|")) for line in text.splitlines() if line.startswith("| ")]
    return {
        (parts[1].strip(), parts[2].split()[-1]): line for line, parts in cells if parts[1].strip() in CATALOG
    }


def _write(rows: dict[tuple[str, str], str]) -> None:
    order = list(CATALOG)
    lines = [
        "# Ctrl-C",
        "",
        described(["structlearn"], "python -m benchmarks interrupts"),
        "",
        "CPU seconds from Ctrl-C to the result, without those of the compiler. It comes 0.3, 1 or 3 seconds",
        "after a fit began, with 1,000 rows of as many columns as the method takes, of 18 to 200. The",
        "edges are those of the last result: to write down one takes some 15 microseconds. Where the",
        "compiler ran meanwhile its time is taken off by another clock, which may leave 0.00.",
        "",
        HEAD,
        "| --- | --- | --- | --- | --- | --- |",
        *(rows[key] for key in sorted(rows, key=lambda key: (order.index(key[0]), key[1]))),
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
