"""How probable it is that a partial correlation is more than chance."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.constraint.chance.local_fdr import (
    NullModel,
    chance_p_values,
    discoveries,
    fit_mixture,
    fit_null,
)
from structlearn.numerics.multiplicity import adjusted
from structlearn.numerics.shrunken_correlations import partial_correlations
from structlearn.run import Run

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Null = Literal["censored", "mixture"]
FEWEST_PAIRS = 200  # below this the shape of chance cannot be seen
LEAST_FREEDOM = 4  # with fewer, even correlations near 1 are no surprise


@dataclass(frozen=True, slots=True)
class Judgement:
    """How chance looks, and the p-value, q-value and probability of each correlation."""

    null: NullModel
    p_value: Vector
    q_value: Vector
    probability: Vector


def judged_rows(rows: Matrix, rho: Vector, null: Null, run: Run) -> Judgement:
    """Judge the partial correlations of columns that vary: by each other, or by theory where they are few."""
    rows = rows[:, rows.any(axis=0)]
    freedom = len(rows) - rows.shape[1] + 1
    if not 2 <= len(rho) < FEWEST_PAIRS or freedom < LEAST_FREEDOM or null != "censored":
        return judged(rho, null, run)
    if np.linalg.matrix_rank(rows) == rows.shape[1]:
        # Shrinkage hides strong correlations from theory, which knows nothing of it.
        rho = partial_correlations(rows, 0.0)[np.triu_indices(rows.shape[1], k=1)]
    return judged_by_theory(rho, freedom)


def judged(rho: Vector, null: Null, run: Run) -> Judgement:
    """Judge correlations of any scale by each other."""
    if len(rho) < 2 or not rho.any():
        nothing = np.ones(len(rho))
        return Judgement(NullModel(np.inf, 1.0, 1.0), nothing, nothing, np.zeros(len(rho)))
    if null == "mixture":
        model, local = fit_mixture(rho)
        p_value = chance_p_values(rho, model.freedom)
        return Judgement(model, p_value, discoveries(rho, model).q_value, 1.0 - local)
    if len(rho) < FEWEST_PAIRS:
        run.warn(
            f"{len(rho)} pairs of columns are few to see what chance looks like; from {FEWEST_PAIRS} on "
            "its probabilities can be relied on."
        )
    model = fit_null(rho)
    found = discoveries(rho, model)
    return Judgement(model, found.p_value, found.q_value, 1.0 - found.local_fdr)


def judged_by_theory(rho: Vector, freedom: int) -> Judgement:
    """Judge partial correlations without shrinkage, of which theory says how chance looks."""
    p_value = chance_p_values(rho, freedom)
    q_value = adjusted(p_value, "bh")
    return Judgement(NullModel(freedom, 1.0, 1.0), p_value, q_value, 1.0 - q_value)
