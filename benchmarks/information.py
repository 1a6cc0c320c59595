"""Mutual information of all pairs, ARACNE and its triangles: CPU seconds of one thread, beside scikit-learn.

`python -m benchmarks.information` writes benchmarks/results/information.md. Peers that work pair by pair are
timed on 200 pairs and multiplied.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from pathlib import Path

import numpy as np
from sklearn.feature_selection import mutual_info_regression
from sklearn.metrics import mutual_info_score

import structlearn as sl
from benchmarks.machine import described
from structlearn.numerics.information.columns import Columns
from structlearn.numerics.information.estimators import ESTIMATORS, information_of
from structlearn.numerics.information.indirect_edges import mediators_of
from structlearn.numerics.information.settings import Settings

N_ROWS, SAMPLED_PAIRS = 500, 200
RESULTS = Path(__file__).parent / "results" / "information.md"


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def all_pairs(name, columns):
    information_of(columns.take(np.arange(8)), name, Settings())  # compiled before the clock starts
    return seconds(lambda: information_of(columns, name, Settings()))


def discrete(n_columns, n_levels, rng):
    codes = rng.integers(0, n_levels, (n_columns, N_ROWS))
    return Columns(codes.astype(np.float64), np.full(n_columns, n_levels))


def continuous(n_columns, rng):
    return Columns(rng.normal(size=(n_columns, N_ROWS)), np.zeros(n_columns, dtype=np.int64))


def pair_by_pair(columns, measure, n_columns):
    pairs = np.random.default_rng(0).integers(0, len(columns), (SAMPLED_PAIRS, 2))
    taken = seconds(lambda: [measure(columns.values[i], columns.values[j]) for i, j in pairs])
    return taken / SAMPLED_PAIRS * n_columns * (n_columns - 1) / 2


def regression(x, y):
    return mutual_info_regression(x[:, None], y, n_neighbors=3)


def rows():
    rng = np.random.default_rng(0)
    for n_columns, n_levels in ((1000, 2), (1000, 10), (10_000, 2), (10_000, 10)):
        columns = discrete(n_columns, n_levels, rng)
        peer = pair_by_pair(columns, mutual_info_score, n_columns)
        yield f"plug-in, {n_columns:,} columns, {n_levels} levels", all_pairs("plug-in", columns), peer
    columns = continuous(1000, rng)
    for name in ESTIMATORS:
        peer = pair_by_pair(columns, regression, 1000) if name == "kraskov" else None
        yield f"{name}, 1,000 continuous columns", all_pairs(name, columns), peer
    yield "rank, 10,000 continuous columns", all_pairs("rank", continuous(10_000, rng)), None
    table = sl.Dataset(columns.values.T)
    sl.ARACNE().fit(table)
    yield (
        "ARACNE, 1,000 independent columns, from a Dataset to a graph",
        seconds(lambda: sl.ARACNE().fit(table)),
        None,
    )
    chained = np.cumsum(columns.values, axis=0)
    walk = sl.Dataset((chained / np.sqrt(np.arange(1, 1001))[:, None]).T)
    yield "the same of a random walk, most pairs dependent", seconds(lambda: sl.ARACNE().fit(walk)), None
    for name, information in (
        ("random numbers", random_matrix(5000, rng)),
        ("two clusters", two_clusters(5000)),
    ):
        taken = seconds(lambda information=information: mediators_of(information))
        yield f"triangles of 5,000 nodes, all pairs joined, {name}", taken, None


def random_matrix(n, rng):
    values = np.triu(rng.random((n, n)), k=1)
    return values + values.T


def two_clusters(n):
    """The worst case: no weak edge has a mediator, and each has half of all nodes to ask."""
    side = np.arange(n) < n // 2
    values = np.where(side[:, None] == side, 1.0, 0.1)
    np.fill_diagonal(values, 0.0)
    return values


def main():
    lines = [
        "# Mutual information and ARACNE",
        "",
        described(["structlearn", "sklearn"], "python -m benchmarks.information"),
        "",
        f"{N_ROWS} rows, one thread, CPU seconds.",
    ]
    lines += ["", f"scikit-learn works pair by pair: {SAMPLED_PAIRS} pairs were timed and multiplied."]
    lines += ["", "| work | ours, s | scikit-learn, s |", "| --- | --- | --- |"]
    for work, ours, peer in rows():
        lines.append(f"| {work} | {ours:.3g} | {'' if peer is None else f'{peer:.3g}'} |")
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
