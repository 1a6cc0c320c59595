"""Tables and graphs for the tests of candidate parents."""

import csv

import numpy as np

import structlearn as sl
from tests.data_files import data_file


def random_table(seed, n_columns=5, n_rows=60):
    """Discrete columns of which each takes after one or two of those before it."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 3, n_rows)]
    for j in range(1, n_columns):
        models = [columns[k] for k in rng.integers(0, j, 2)]
        copied = np.where(rng.random(n_rows) < 0.5, *models)
        columns.append(np.where(rng.random(n_rows) < 0.7, copied, rng.integers(0, 3, n_rows)))
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def random_normals(seed, n_columns=5, n_rows=200):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_rows, n_columns)) @ (
        np.eye(n_columns) + 0.4 * rng.normal(size=(n_columns,) * 2)
    )
    return sl.Dataset({f"v{j}": rows[:, j] for j in range(n_columns)})


def random_parents(seed, n_nodes=5, most=2):
    """A DAG along a random order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_nodes).tolist()
    parents = [[] for _ in range(n_nodes)]
    for place, v in enumerate(order):
        parents[v] = sorted([u for u in order[:place] if rng.random() < 0.6][:most])
    return parents


def asia(*, in_order_of_file=False):
    """The asia table; with numbered names, its columns are taken in the order of the file."""
    with data_file("tables/asia.csv").open(newline="") as lines:
        names, *rows = csv.reader(lines)
    columns = zip(*rows, strict=True)
    return sl.Dataset(
        {
            f"{i}{name}" if in_order_of_file else name: list(column)
            for i, (name, column) in enumerate(zip(names, columns, strict=True))
        }
    )
