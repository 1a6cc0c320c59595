"""`python -m benchmarks.adtree`: what an AD-tree costs to grow, and what tables cost with it and without."""

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import structlearn as sl
from benchmarks.machine import described
from benchmarks.workloads import SEED, Workload, network
from structlearn.data.columns import DiscreteColumn
from structlearn.statistics import ADTreeStatistics, MemoryStatistics, from_dataset

N_ROWS = (1_000, 10_000, 100_000, 1_000_000)
N_COLUMNS = 12
SIZES = (2, 3, 4, 5)
N_GROUPS = 10
MOST_COMMON = {"uniform": None, "skewed": 0.9}
SAMPLES = (
    network("asia", 1_000_000, 8),
    network("insurance", 10_000, 27),
    network("insurance", 100_000, 27),
    network("alarm", 10_000, 37),
    network("alarm", 100_000, 37),
)
BEST_OF = 3


def main() -> None:
    """Print both tables, line by line as they are measured."""
    print(described(["structlearn"], "python -m benchmarks.adtree") + "\n")
    heads = ["rows", "levels", "columns", "grow, s", "tree, kB"]
    heads += [f"{size} columns, µs" for size in SIZES]
    show([*heads, "pays after, tables"], (case.row() for case in cases(N_ROWS)))
    heads = ["work", "tables", "from the rows, s", "with a tree, s", "of which growing, s"]
    show(heads, works(SAMPLES))


def show(heads: list[str], rows: Iterable[list[str]]) -> None:
    """Print a Markdown table."""
    for line in itertools.chain([heads, ["---"] * len(heads)], rows):
        print(f"| {' | '.join(line)} |", flush=True)
    print()


@dataclass(frozen=True)
class Case:
    """Independent columns, each with as many levels; the first level has a given share, or all the same."""

    n_rows: int
    n_levels: int
    shape: str

    def dataset(self) -> sl.Dataset:
        """Draw the rows."""
        rng = np.random.default_rng(SEED)
        share = MOST_COMMON[self.shape] or 1.0 / self.n_levels
        odds = [share, *[(1.0 - share) / (self.n_levels - 1)] * (self.n_levels - 1)]
        labels = tuple(range(self.n_levels))
        codes = (rng.choice(self.n_levels, self.n_rows, p=odds).astype(np.uint8) for _ in range(N_COLUMNS))
        return sl.Dataset.from_columns(
            [DiscreteColumn(f"c{j:02}", column, labels, None) for j, column in enumerate(codes)]
        )

    def row(self) -> list[str]:
        """A line of the table: times are from the rows → with the tree."""
        data = self.dataset()
        plain, tree = MemoryStatistics(data), ADTreeStatistics(data, depth=max(SIZES))
        grow_s = seconds(lambda: ADTreeStatistics(data, depth=max(SIZES)))
        times = [(per_table(plain, size), per_table(tree, size)) for size in SIZES]
        saved = float(np.mean([by_rows - by_tree for by_rows, by_tree in times]))
        pays = f"{grow_s / saved:,.0f}" if saved > 0 else "never"
        cells = [" → ".join(microseconds(taken) for taken in pair) for pair in times]
        sizes = [f"{grow_s:.3g}", f"{tree.n_bytes / 1000:,.0f}"]
        return [f"{self.n_rows:,}", str(self.n_levels), self.shape, *sizes, *cells, pays]


def cases(n_rows: Sequence[int]) -> Iterator[Case]:
    """Every combination."""
    for case in itertools.product(n_rows, (2, 4), MOST_COMMON):
        yield Case(*case)


def per_table(statistics: MemoryStatistics, size: int) -> float:
    """Seconds for one of a batch of tables."""
    sets = grouped_sets(size)
    return seconds(lambda: statistics.tables(sets)) / len(sets)


def grouped_sets(size: int) -> NDArray[np.int64]:
    """Sets as searches ask for them: a few columns, and each of the others with them."""
    rng = np.random.default_rng(SEED)
    shared = [rng.permutation(N_COLUMNS)[: size - 1].tolist() for _ in range(N_GROUPS)]
    return np.array([[*some, j] for some in shared for j in range(N_COLUMNS) if j not in some])


def works(samples: Iterable[Workload]) -> Iterator[list[str]]:
    """Whole pieces of work on tables drawn from networks: a search by PC, and all tables of four columns."""
    for workload in samples:
        data = sl.Dataset(workload.draw().frame())
        grow_s = seconds(lambda data=data: ADTreeStatistics(data))
        for name, work in (("PC", search), ("all sets of 4", count_all)):
            (n_tables, plain_s), (_, tree_s) = (work(data, how) for how in ("memory", "adtree"))
            times = (f"{taken:.3g}" for taken in (plain_s, tree_s, grow_s))
            yield [f"{name}: {workload.name}", f"{n_tables:,}", *times]


def search(data: sl.Dataset, statistics: str) -> tuple[int, float]:
    """How many tests PC makes, and its seconds."""
    learner = sl.PC(statistics=statistics)
    taken = seconds(lambda: learner.fit(data))
    return learner.n_tests_, taken


def count_all(data: sl.Dataset, statistics: str) -> tuple[int, float]:
    """How many sets of four columns there are, and the seconds to count them all."""
    sets = np.array(list(itertools.combinations(range(len(data.names)), 4)))
    return len(sets), seconds(lambda: from_dataset(data, statistics=statistics).tables(sets))


def microseconds(taken_s: float) -> str:
    """A time per table, in three digits."""
    return f"{taken_s * 1e6:.3g}" if taken_s < 1e-3 else f"{taken_s * 1e6:,.0f}"


def seconds(work: Callable[[], Any]) -> float:
    """CPU seconds, the best of a few; the first may compile."""
    taken = []
    for _ in range(BEST_OF):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


if __name__ == "__main__":
    main()
