"""The graphical lasso."""

import time
from collections.abc import Iterator

import cupy
import cupyx
import numpy as np
from numpy.typing import NDArray

import structlearn as sl
from benchmarks.on_cards.measuring import LONG_S, best_of, peak_gib
from structlearn.gpu.precision import minimise
from structlearn.numerics.precision.penalised_likelihood import PrecisionFit
from structlearn.numerics.sparse_precision import sparse_precision
from structlearn.run import never

Values = NDArray[np.float64]
ROWS = 1000
PROBLEMS = ((2000, 0.2), (2000, 0.1), (5000, 0.2), (5000, 0.1), (10_000, 0.2), (10_000, 0.1))
MOST_TWICE = 5000  # columns of problems that are solved again from what is on the card
ON_PROCESSOR = {(2000, 0.2), (2000, 0.1)}  # the others take minutes
FINEST = 1e-13  # the gap, for each column, at which there is no doubt about edges
HEAD = f"""## The graphical lasso

Correlations of {ROWS:,} rows, where each column follows two of those before it; one penalty, duality gap 1e-8
for each column. *Solver* begins with the correlations in the machine's memory and ends with the precision
matrix there; *without upload* they are on the card already. *Fit* begins with the rows and ends with the
graph. *Differ* says how many edges the card has or lacks beside the optimum, and how many the processor:
the processor went on from the card's matrix to a gap of 1e-13 for each column to find that.

| columns | penalty | edges | differ | gap for each column | card's memory, GiB | solver, card, s | \
without upload, s | solver, processor, s | fit, card, s |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def rows() -> Iterator[str]:
    """The lines of the table."""
    solve_on_card(*problem(600, 0.1))  # loads what there is to load
    for p, penalty in PROBLEMS:
        yield _row(p, penalty)


def _row(p: int, penalty: float) -> str:
    correlation, penalties = problem(p, penalty)
    there: list[PrecisionFit] = []
    started = time.perf_counter()
    memory = peak_gib(lambda: there.append(sparse_precision(correlation, penalties, on_card=True)))
    card_s, fit = time.perf_counter() - started, there[0]
    if card_s < LONG_S:
        card_s = best_of(lambda: sparse_precision(correlation, penalties, on_card=True))
    resident_s = f"{_resident(correlation, penalties):.2f}" if p <= MOST_TWICE else "–"
    fit_s = best_of(lambda: sl.GraphicalLasso(penalty=penalty, device="cuda").fit(table(p)))
    edges = fit.precision != 0.0
    here_s = differ = "–"
    if (p, penalty) in ON_PROCESSOR:
        found: list[PrecisionFit] = []
        here_s = f"{best_of(lambda: found.append(sparse_precision(correlation, penalties))):.2f}"
        best = sparse_precision(correlation, penalties, start=fit.precision, tolerance=FINEST)
        off = [((each != 0.0) != (best.precision != 0.0)).sum() // 2 for each in (edges, found[0].precision)]
        differ = f"{off[0]}, {off[1]}"
    return (
        f"| {p:,} | {penalty} | {(edges.sum() - p) // 2:,} | {differ} | {fit.gap / p:.1e} | {memory:.1f} "
        f"| {card_s:.2f} | {resident_s} | {here_s} | {fit_s:.2f} |"
    )


def _resident(correlation: Values, penalties: Values) -> float:
    there = [cupy.asarray(each) for each in (correlation, penalties)]
    return best_of(lambda: solve_on_card(*there))


def solve_on_card(correlation: Values, penalties: Values) -> None:
    """Solve as one part."""
    with cupyx.errstate(linalg="raise"):
        minimise(cupy, correlation, penalties, np.eye(len(correlation)), tolerance=1e-8, must_stop=never)


def problem(p: int, penalty: float) -> tuple[Values, Values]:
    """Correlations, and penalties off the diagonal."""
    penalties = np.full((p, p), penalty)
    np.fill_diagonal(penalties, 0.0)
    return np.corrcoef(table(p), rowvar=False), penalties


def table(p: int) -> Values:
    """Rows in which each column follows two of those before it."""
    rng = np.random.default_rng(p)
    columns = rng.normal(size=(p, ROWS))
    for j in range(2, p):
        one, other = rng.choice(j, 2, replace=False)
        columns[j] += 0.5 * (columns[one] - columns[other])
    return columns.T
