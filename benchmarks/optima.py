"""`python -m benchmarks.optima`: how far searches end below the proven optimum, and how long they take.

The judge is `sl.ExactSearch(solver="ilp", max_parents=3)`; all searches are limited to three parents too. A
search with a seed runs with several, and the table has the mean and the worst of its gaps.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import structlearn as sl
from benchmarks.worker import cpu_seconds
from benchmarks.workloads import SEED, published

# Discrete networks of 20 to 60 columns; hailfinder has a chain of parents that turns only as a whole.
NETWORKS = ("insurance", "water", "alarm", "hailfinder")
MAX_PARENTS = 3
SEARCHES: dict[str, Callable[[int], Any]] = {
    "BOSS": lambda seed: sl.BOSS(max_parents=MAX_PARENTS, random_state=seed),
    "GreedyEquivalence": lambda _seed: sl.GreedyEquivalence(max_parents=MAX_PARENTS),
    "HillClimbing": lambda _seed: sl.HillClimbing(max_parents=MAX_PARENTS),
}


class Gap(NamedTuple):
    """How far below the optimum a search ends, on average and at worst, and what it takes."""

    table: str
    search: str
    mean: float
    worst: float
    seconds: float
    is_proven: bool


def gaps(data: sl.Dataset, table: str, n_seeds: int, limit_s: float) -> Iterator[Gap]:
    """The gaps of every search on one table; where nothing is proven in time, to the best known DAG."""
    runs = {name: [timed(make(seed), data) for seed in range(n_seeds)] for name, make in SEARCHES.items()}
    fits = [learner for found in runs.values() for learner, _ in found if learner.graph_.is_dag]
    best = max(fits, key=lambda learner: learner.score_)
    judge = sl.ExactSearch(solver="ilp", max_parents=MAX_PARENTS, initial=best.graph_, time_limit=limit_s)
    judge.fit(data)
    for name, found in runs.items():
        lost = np.maximum([judge.score_ - learner.score_ for learner, _ in found], 0.0)
        seconds = float(np.median([took for _, took in found]))
        yield Gap(table, name, float(lost.mean()), float(lost.max()), seconds, judge.gap_ == 0.0)


def timed(learner: Any, data: sl.Dataset) -> tuple[Any, float]:
    """A learner after its fit, and the CPU seconds that took."""
    before = cpu_seconds()
    learner.fit(data)
    return learner, cpu_seconds() - before


def main(arguments: list[str] | None = None) -> None:
    """Print a row per network, number of rows and search."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--rows", nargs="+", type=int, default=[1_000, 10_000])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for each proof")
    options = parser.parse_args(arguments)
    print("| table | search | mean gap | worst gap | CPU s | optimum |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    for name in options.networks:
        for n_rows in options.rows:
            data = published(name).sample(n_rows, random_state=SEED)
            for row in gaps(data, f"{name}, {n_rows:,} rows", options.seeds, options.limit):
                judged = "proven" if row.is_proven else "best known"
                figures = f"{row.mean:.2f} | {row.worst:.2f} | {row.seconds:.2f}"
                print(f"| {row.table} | {row.search} | {figures} | {judged} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
