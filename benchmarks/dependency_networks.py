"""Dependency networks: time and memory of wide tables of two states.

`python -m benchmarks.dependency_networks` writes benchmarks/results/dependency_networks.md.
"""

import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import structlearn as sl
from benchmarks.machine import described

RESULTS = Path(__file__).parent / "results" / "dependency_networks.md"
SHAPES = ((100, 2000), (500, 1000))
FLIP = 0.2


def chain(n_columns, n_rows):
    """Binary columns, each the one before it but for some flips."""
    rng = np.random.default_rng(0)
    flips = rng.random((n_rows, n_columns)) < FLIP
    flips[:, 0] = rng.random(n_rows) < 0.5
    return {f"x{j}": column for j, column in enumerate((flips.cumsum(axis=1) % 2).T)}


def measure(n_columns, n_rows):
    """Learn in this process, and print what it took."""
    table = chain(n_columns, n_rows)
    start = time.perf_counter(), time.process_time()
    learner = sl.DependencyNetwork().fit(table)
    wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
    found = {(edge.source, edge.target) for edge in learner.graph_.edges}
    true = {(f"x{j + a}", f"x{j + b}") for j in range(n_columns - 1) for a, b in ((0, 1), (1, 0))}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{wall:.1f} | {cpu:.1f} | {peak:.0f} | {len(found & true) / len(true):.3f} | {len(found - true)}")


def main():
    lines = [
        "# Dependency networks",
        "",
        described(["structlearn"], "python -m benchmarks.dependency_networks"),
        "",
        f"A tree for each column of a chain of binary columns with flips of {FLIP}, each table in a process "
        "of its own whose kernels were compiled before: seconds, CPU seconds, the largest memory in MiB, the "
        "share of true neighbours among the parents, and the number of other parents.",
        "",
        "| columns | rows | s | CPU s | MiB | recall | false |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for shape in SHAPES:
        command = [sys.executable, "-m", "benchmarks.dependency_networks", *map(str, shape)]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        lines.append(f"| {shape[0]:,} | {shape[1]:,} | {found} |")
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    measure(*map(int, sys.argv[1:])) if len(sys.argv) > 1 else main()
