"""What is learned: tables drawn from published networks and from random Gaussian ones."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import structlearn as sl
from benchmarks.tables import Table

NETWORKS = Path(__file__).parents[2] / "shared" / "data" / "networks"
BUNDLED = ("asia", "earthquake")
SEED = 0


@dataclass(frozen=True)
class Workload:
    """A table that can be drawn, and how large it is."""

    name: str
    kind: str
    n_rows: int
    n_columns: int
    draw: Callable[[], Table]
    is_quick: bool = False

    def is_at_least(self, other: "Workload") -> bool:
        """Whether it is as large as another in every respect."""
        return self.kind == other.kind and self.n_rows >= other.n_rows and self.n_columns >= other.n_columns


def network(name: str, n_rows: int, n_columns: int, *, alpha: float = 0.01, quick: bool = False) -> Workload:
    """Rows drawn from a published discrete network."""

    def draw() -> Table:
        path = NETWORKS / f"{name}.bif"
        model = sl.load(path) if path.exists() else sl.example(name)
        return _without_unseen_labels(model, model.sample(n_rows, random_state=SEED), alpha)

    return Workload(f"{name}, {n_rows:,} rows", "discrete", n_rows, n_columns, draw, quick)


def gaussian(n_columns: int, n_rows: int, *, degree: float, alpha: float = 0.01) -> Workload:
    """Rows of a sparse random linear Gaussian network."""
    name = f"Gaussian, {n_columns} columns, {n_rows:,} rows"
    return _gaussian(name, n_columns, n_rows, alpha, expected_degree=degree)


def scale_free(n_columns: int, n_rows: int, *, alpha: float = 0.01) -> Workload:
    """Rows of a linear Gaussian network with hubs: each node joins one that is there already."""
    name = f"Gaussian with hubs, {n_columns} columns, {n_rows:,} rows"
    return _gaussian(name, n_columns, n_rows, alpha, kind="scale-free", n_links=1)


def _gaussian(name: str, n_columns: int, n_rows: int, alpha: float, **shape: Any) -> Workload:
    """Weights of size 0.5 to 1, unit noise."""

    def draw() -> Table:
        rng = np.random.default_rng(SEED)
        graph = sl.random_dag(n_columns, random_state=rng, **shape)
        rows = {}
        for node in graph.topological_order():
            rows[node] = rng.normal(size=n_rows)
            for parent in graph.parents(node):
                rows[node] += rng.choice([-1, 1]) * rng.uniform(0.5, 1.0) * rows[parent]
        values = np.column_stack([rows[node] for node in graph.nodes])
        return Table(graph.nodes, values, None, list(graph.directed), alpha)

    return Workload(name, "continuous", n_rows, n_columns, draw)


def is_available(workload: Workload) -> bool:
    """Whether its network is bundled, or in the shared data beside the repository."""
    name = workload.name.split(",")[0]
    return workload.kind == "continuous" or name in BUNDLED or (NETWORKS / f"{name}.bif").exists()


def _without_unseen_labels(model: sl.BayesianNetwork, data: sl.Dataset, alpha: float) -> Table:
    """The drawn rows; a label that no row has is left out, as libraries differ in what they make of it."""
    values, labels = [], []
    for column in data.columns:
        seen, codes = np.unique(column.codes, return_inverse=True)
        values.append(codes.astype(column.codes.dtype))
        labels.append(tuple(str(column.labels[code]) for code in seen))
    arcs = list(model.graph.directed)
    return Table(data.names, np.column_stack(values), tuple(labels), arcs, alpha)


WORKLOADS: dict[str, tuple[Workload, ...]] = {
    "search": (
        network("earthquake", 1_000, 5, quick=True),
        network("asia", 10_000, 8, quick=True),
        network("alarm", 1_000, 37),
        network("alarm", 10_000, 37),
        network("alarm", 100_000, 37),
        network("insurance", 10_000, 27),
        network("hailfinder", 10_000, 56),
        network("andes", 10_000, 223),
        network("link", 10_000, 724),
        gaussian(50, 10_000, degree=3),
        gaussian(200, 10_000, degree=3),
        gaussian(1_000, 10_000, degree=3),
    ),
    "pc": (
        network("earthquake", 1_000, 5, quick=True),
        network("asia", 10_000, 8, quick=True),
        network("insurance", 10_000, 27),
        network("alarm", 10_000, 37),
        gaussian(100, 500, degree=2),
        gaussian(500, 500, degree=2),
        gaussian(1_000, 500, degree=2),
        gaussian(5_000, 500, degree=2),
        scale_free(500, 500),
        network("andes", 10_000, 223),
    ),
}
