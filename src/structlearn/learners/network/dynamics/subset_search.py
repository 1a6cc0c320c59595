"""The best sets of regulators of every size: all of them where they can be counted, else a beam."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.network.dynamics.kernels.subsets import best_of_size
from structlearn.numerics.kernels.subsets import subset_residual

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
MOST_SETS = 10**6  # of one size that are all looked at


@dataclass(frozen=True, slots=True)
class Shortlist:
    """For each target some sets of one size, best first: `sets` is (targets, places, size).

    A set that does not exist leaves infinity. `is_exact` says whether all sets were looked at.
    """

    sets: NDArray[np.int64]
    residuals: Floats
    is_exact: bool


def best_sets(
    columns: Floats,
    targets: Floats,
    is_out: Truths,
    is_in: Truths,
    *,
    max_size: int,
    n_kept: int,
    beam_width: int,
) -> Iterator[Shortlist]:
    """The best sets of 1, 2, … `max_size` columns for each target.

    `columns` is (rows, candidates), `targets` (rows, targets), `is_out` and `is_in` (candidates, targets).
    """
    gram = np.ascontiguousarray(columns.T @ columns)
    products, totals = np.ascontiguousarray(columns.T @ targets), np.asarray((targets**2).sum(axis=0))
    found = Shortlist(np.zeros((len(totals), 1, 0), dtype=np.int64), totals[:, None], is_exact=True)
    for size in range(1, max_size + 1):
        if comb(len(gram), size) <= MOST_SETS:
            sets = np.zeros((len(totals), n_kept, size), dtype=np.int64)
            residuals = np.full((len(totals), n_kept), np.inf)
            best_of_size(gram, products, totals, size, is_out, is_in, sets, residuals)
            found = Shortlist(sets, residuals, is_exact=True)
        else:
            found = _grown(gram, products, totals, found, is_out, is_in, max(beam_width, n_kept))
        yield found


def _grown(
    gram: Floats,
    products: Floats,
    totals: Floats,
    before: Shortlist,
    is_out: Truths,
    is_in: Truths,
    width: int,
) -> Shortlist:
    """Each set of the beam with each column more; columns that must be there come first."""
    size = before.sets.shape[2] + 1
    sets, residuals = (
        np.zeros((len(totals), width, size), dtype=np.int64),
        np.full((len(totals), width), np.inf),
    )
    for target in range(len(totals)):
        must = set(np.flatnonzero(is_in[:, target]).tolist())
        beam = [
            tuple(row)
            for row, left in zip(before.sets[target].tolist(), before.residuals[target], strict=True)
            if np.isfinite(left)
        ]
        if size <= len(must) + 1 and must:
            beam = [tuple(sorted(must))[: size - 1]]
        may = np.flatnonzero(~is_out[:, target]).tolist()
        larger = sorted({tuple(sorted((*row, j))) for row in beam for j in may if j not in row})
        larger = [row for row in larger if must <= set(row) or set(row) <= must]
        left = [
            subset_residual(gram, products[:, target].copy(), totals[target], np.array(row, dtype=np.int64))
            for row in larger
        ]
        for place, best in enumerate(np.argsort(left, kind="stable")[:width].tolist()):
            sets[target, place], residuals[target, place] = larger[best], left[best]
    return Shortlist(sets, residuals, is_exact=False)
