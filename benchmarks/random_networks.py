"""`python -m benchmarks.random_networks`: how far searches end below the best score that any of them finds.

Tables are drawn from random networks, half of them with hubs, by seeds that chose no
constant of a search. The judge is no proof: it is the best of all runs on a table. With `--write` the page
docs/benchmarks/random-networks.md is written.
"""

import argparse
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import structlearn as sl
from benchmarks.machine import described
from benchmarks.optima import timed

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "random-networks.md"
HEAD = """# How far below the best known score searches end on random networks

{machine}

**How to read it.** {n_tables} tables a row, of 20 to 63 columns (*many*: 66 to 110) and 300 to 20,000 rows,
drawn from random networks with one to three edges a node, half of them with hubs. *Both kinds*: columns of a
linear network, a third of them cut into two or three states. BOSS runs with three seeds, the other searches
with one. A gap is in nats of BIC, to the best score that any of these runs found, which is no proof: it may
be larger. *At best* is the share of runs within 0.01 of it. CPU seconds are of a fit, compiled.

| columns | parents | search | at best | mean gap | largest gap | mean CPU s | most CPU s |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |
"""
ROWS = (300, 1_000, 3_000, 20_000)
N_SEEDS = 3
Table = Callable[[np.random.Generator, int], sl.Dataset]


class Group(NamedTuple):
    """Tables of one kind, and the most parents that searches may give a node."""

    name: str
    table: Table
    sizes: tuple[int, int]
    most: int | None


def random_graph(rng: np.random.Generator, n_columns: int) -> sl.Graph:
    """A random DAG, with hubs every second time."""
    if rng.random() < 0.5:
        n_links = int(rng.integers(2, 4))
        return sl.random_dag(n_columns, kind="scale-free", n_links=n_links, max_parents=8, random_state=rng)
    degree = float(rng.uniform(2.0, 6.0))
    return sl.random_dag(n_columns, expected_degree=degree, max_parents=6, random_state=rng)


def discrete(rng: np.random.Generator, n_columns: int) -> sl.Dataset:
    """Columns of two or three states."""
    model = sl.random_model(random_graph(rng, n_columns), levels=(2, 3), random_state=rng)
    return model.sample(int(rng.choice(ROWS)), random_state=rng)


def continuous(rng: np.random.Generator, n_columns: int) -> sl.Dataset:
    """Columns of a linear network with normal noise."""
    model = sl.random_model(random_graph(rng, n_columns), kind="gaussian", random_state=rng)
    return model.sample(int(rng.choice(ROWS)), random_state=rng)


def of_both_kinds(rng: np.random.Generator, n_columns: int) -> sl.Dataset:
    """The same, a third of them cut into two or three states."""
    data = continuous(rng, n_columns)
    columns: dict[str, Any] = {column.name: column.values for column in data.columns}
    for name in data.names[::3]:
        n_states = int(rng.integers(2, 4))
        cuts = np.quantile(columns[name], np.arange(1, n_states) / n_states)
        columns[name] = np.searchsorted(cuts, columns[name]).astype(str)
    return sl.Dataset(columns)


GROUPS = (
    Group("discrete", discrete, (20, 64), None),
    Group("discrete", discrete, (20, 64), 3),
    Group("discrete, many", discrete, (66, 111), None),
    Group("continuous", continuous, (20, 64), None),
    Group("continuous", continuous, (20, 64), 3),
    Group("continuous, many", continuous, (66, 111), None),
    Group("both kinds", of_both_kinds, (20, 44), None),
)


def searches(most: int | None) -> dict[str, list[Any]]:
    """The learners to compare, some with several seeds."""
    how: dict[str, Any] = {"max_parents": most, "score": "bic", "progress": False}
    return {
        "BOSS": [sl.BOSS(random_state=seed, **how) for seed in range(N_SEEDS)],
        "GreedyEquivalence": [sl.GreedyEquivalence(check_parity=0, **how)],
        "HillClimbing": [sl.HillClimbing(check_parity=0, **how)],
    }


def measured(group: Group, n_tables: int) -> Iterator[str]:
    """A line of the page for each search."""
    rng = np.random.default_rng(20)
    gaps: dict[str, list[float]] = {}
    seconds: dict[str, list[float]] = {}
    for _ in range(n_tables):
        data = group.table(rng, int(rng.integers(*group.sizes)))
        runs = {name: learners for name, learners in searches(group.most).items() if _takes(name, group)}
        fits = {name: [timed(learner, data) for learner in learners] for name, learners in runs.items()}
        best = max(learner.score_ for found in fits.values() for learner, _ in found)
        for name, found in fits.items():
            gaps.setdefault(name, []).extend(best - learner.score_ for learner, _ in found)
            seconds.setdefault(name, []).extend(took for _, took in found)
    parents = "any number" if group.most is None else f"at most {group.most}"
    for name, lost in gaps.items():
        took, at_best = seconds[name], np.mean(np.array(lost) < 0.01)
        figures = (
            f"{at_best:.2f} | {np.mean(lost):.2f} | {max(lost):.1f} | {np.mean(took):.2f} | {max(took):.2f}"
        )
        yield f"| {group.name} | {parents} | {name} | {figures} |"


def _takes(name: str, group: Group) -> bool:
    """A search among classes needs a score by which the DAGs of a class are alike."""
    return name != "GreedyEquivalence" or group.table is not of_both_kinds


def main() -> None:
    """Print a line for each kind of tables and each search."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=10, help="how many of each kind")
    parser.add_argument("--write", action="store_true", help="write the page")
    options = parser.parse_args()
    warnings.simplefilter("ignore", sl.DataWarning)
    command = "STRUCTLEARN_COMPILE=always python -m benchmarks.random_networks --write"
    lines = []
    for group in GROUPS:
        for line in measured(group, options.tables):
            print(line, flush=True)
            lines.append(line)
    if options.write:
        head = HEAD.format(machine=described(["structlearn"], command), n_tables=options.tables)
        PAGE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
