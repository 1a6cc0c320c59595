"""Graphics cards and pairs of columns: skeletons of PC; `benchmarks.gpu` writes the page."""

import time

import numpy as np
from numpy.typing import NDArray

import structlearn as sl
from structlearn.independence.asking import Asker
from structlearn.independence.fisher_z import FisherZ
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.on_card import Correlations, OnCard
from structlearn.learners.constraint.skeletons.skeleton import prune_skeleton
from structlearn.run import Run
from structlearn.statistics import statistics_of

ALPHA = 0.01


def skeleton_row(p: int, *, also_here: bool) -> str:
    """One line of the table of skeletons."""
    names = [f"x{j:05d}" for j in range(p)]
    rows = sparse_table(p, 500)
    statistics = statistics_of(
        sl.Dataset(dict(zip(names, rows.T, strict=True))), names, owner="PC", missing="error", n_jobs=-1
    )
    started = time.perf_counter()
    table = Correlations(statistics.moments().correlation, statistics.size, ALPHA)
    correlations_s = time.perf_counter() - started
    asker, known, run = (
        Asker(FisherZ(), statistics, alpha=ALPHA),
        KnownPairs(tuple(names), sl.Knowledge()),
        Run("PC"),
    )
    for _ in range(3):
        started = time.perf_counter()
        on_card = OnCard(asker, table)
        upload_s = time.perf_counter() - started
        found = prune_skeleton(
            asker, p, known, conditions="stable", max_conditioning=None, run=run, on_card=on_card
        )
        seconds = time.perf_counter() - started
    here_s = "–"
    if also_here:
        started = time.perf_counter()
        here = prune_skeleton(asker, p, known, conditions="stable", max_conditioning=None, run=run)
        here_s = f"{time.perf_counter() - started:.2f}"
        np.testing.assert_array_equal(here.edges, found.edges)
        np.testing.assert_array_equal(here.largest_p, found.largest_p)
    levels = len(found.trace["edges"])
    return (
        f"| {p:,} | {len(found.edges):,} | {levels} | {correlations_s:.2f} | {upload_s:.3f} "
        f"| {seconds - upload_s:.3f} | {here_s} |"
    )


def sparse_table(p: int, n_rows: int) -> NDArray[np.float64]:
    """Rows of a linear Gaussian model in which each column has up to two parents among those before it."""
    rng = np.random.default_rng(p)
    rows = rng.normal(size=(n_rows, p))
    for j in range(2, p):
        rows[:, j] += rows[:, rng.integers(0, j, 2)] @ rng.uniform(0.3, 0.9, 2)
    return rows


if __name__ == "__main__":
    for n_columns in (200, 2000, 5000, 20_000):
        print(skeleton_row(n_columns, also_here=n_columns <= 5000), flush=True)
