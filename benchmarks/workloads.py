"""What is learned: tables drawn from published networks, random Gaussian ones and an Ising chain."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array
from scipy.sparse.linalg import eigsh

import structlearn as sl
from benchmarks.tables import Table
from tests.oracles.network_json import network_from_json

NETWORKS = Path(__file__).parents[1] / "tests" / "data" / "networks"
SEED = 0


@dataclass(frozen=True)
class Workload:
    """A table that can be drawn, and how large it is.

    `kind` says which entries can learn from it and who judges them: "discrete" and "continuous" for
    directed graphs, "precision", "neighborhoods" and "ising" for the penalised problems.
    """

    name: str
    kind: str
    n_rows: int
    n_columns: int
    draw: Callable[[], Table]
    is_quick: bool = False
    network: str = ""

    def is_at_least(self, other: "Workload") -> bool:
        """Whether it is as large as another in every respect."""
        return self.kind == other.kind and self.n_rows >= other.n_rows and self.n_columns >= other.n_columns


def network(name: str, n_rows: int, n_columns: int, *, alpha: float = 0.01, quick: bool = False) -> Workload:
    """Rows drawn from a published discrete network."""

    def draw() -> Table:
        model = published(name)
        return _without_unseen_labels(model, model.sample(n_rows, random_state=SEED), alpha)

    return Workload(f"{name}, {n_rows:,} rows", "discrete", n_rows, n_columns, draw, quick, name)


def published(name: str) -> sl.BayesianNetwork:
    """The network of that name, with the distributions it was published with."""
    path = next(NETWORKS.glob(f"{name}.*"))
    model: sl.BayesianNetwork = network_from_json(path) if path.suffix == ".json" else sl.load(path)
    return model


def random_discrete(n_columns: int, n_rows: int, *, degree: float) -> Workload:
    """Rows of a sparse random network of columns with two to four states."""

    def draw() -> Table:
        graph = sl.random_dag(n_columns, expected_degree=degree, random_state=SEED)
        model = sl.random_model(graph, random_state=SEED)
        return _without_unseen_labels(model, model.sample(n_rows, random_state=SEED), alpha=0.01)

    name = f"random network, {n_columns} columns, {n_rows:,} rows"
    return Workload(name, "discrete", n_rows, n_columns, draw)


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


def precision(n_columns: int, n_rows: int, *, penalty: float, quick: bool = False) -> Workload:
    """The graphical lasso of rows with a random sparse precision matrix."""
    name = f"graphical lasso, {n_columns} columns"
    draw = partial(_markov_rows, n_columns, n_rows, density=0.008, penalty=penalty)
    return Workload(name, "precision", n_rows, n_columns, draw, quick)


def neighborhoods(n_columns: int, n_rows: int, *, penalty: float) -> Workload:
    """A lasso per node, of rows with a random sparse precision matrix and four neighbours each."""
    name = f"neighbourhoods, {n_columns} columns, {n_rows:,} rows"
    draw = partial(_markov_rows, n_columns, n_rows, density=4.0 / n_columns, penalty=penalty)
    return Workload(name, "neighborhoods", n_rows, n_columns, draw)


def _markov_rows(n_columns: int, n_rows: int, *, density: float, penalty: float) -> Table:
    """Gaussian rows; their precision matrix has ±0.3 at random places, and a diagonal to be definite."""
    rng = np.random.default_rng(SEED)
    is_joined = np.triu(rng.random((n_columns, n_columns)) < density, k=1)
    matrix = is_joined * rng.choice([-0.3, 0.3], size=is_joined.shape)
    matrix += matrix.T
    matrix += (0.2 - eigsh(csr_array(matrix), k=1, which="SA", v0=np.ones(n_columns))[0][0]) * np.eye(
        n_columns
    )
    values = solve_triangular(np.linalg.cholesky(matrix).T, rng.normal(size=(n_columns, n_rows))).T
    names = tuple(f"x{j}" for j in range(n_columns))
    truth = [(names[a], names[b]) for a, b in np.argwhere(is_joined)]
    return Table(names, np.ascontiguousarray(values), None, truth, 0.01, penalty)


def ising_chain(n_columns: int, n_rows: int, *, penalty: float, coupling: float = 0.5) -> Workload:
    """Rows of an Ising model on a chain: each column agrees with the one before by chance, drawn exactly."""

    def draw() -> Table:
        rng = np.random.default_rng(SEED)
        turns = rng.random((n_rows, n_columns)) > 1.0 / (1.0 + np.exp(-2.0 * coupling))
        turns[:, 0] = rng.random(n_rows) < 0.5
        values = (np.cumsum(turns, axis=1) % 2).astype(np.uint8)
        names = tuple(f"x{j}" for j in range(n_columns))
        labels = (("no", "yes"),) * n_columns
        return Table(names, values, labels, list(pairwise(names)), 0.01, penalty)

    name = f"Ising chain, {n_columns} columns, {n_rows:,} rows"
    return Workload(name, "ising", n_rows, n_columns, draw)


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
        network("alarm", 1_000_000, 37),
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
    "undirected": (
        precision(200, 2_000, penalty=0.106, quick=True),
        precision(1_000, 2_000, penalty=0.135),
        precision(2_000, 2_000, penalty=0.102),
        neighborhoods(1_000, 500, penalty=0.15),
        neighborhoods(5_000, 500, penalty=0.15),
        ising_chain(500, 2_000, penalty=0.1),
    ),
    "exact": (
        network("earthquake", 5_000, 5, quick=True),
        network("asia", 5_000, 8, quick=True),
        gaussian(8, 1_000, degree=3),
        gaussian(12, 1_000, degree=3),
        gaussian(15, 1_000, degree=3),
        random_discrete(20, 5_000, degree=3),
        random_discrete(26, 5_000, degree=3),
    ),
    "hybrid": (
        network("asia", 10_000, 8, quick=True),
        network("alarm", 10_000, 37),
        network("insurance", 10_000, 27),
        network("hailfinder", 10_000, 56),
        network("andes", 10_000, 223),
    ),
    "confidence": (
        network("asia", 10_000, 8, quick=True),
        network("alarm", 10_000, 37),
    ),
}
