"""How probable it is that a partial correlation is more than chance."""

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
from structlearn.learners.constraint.chance.multiplicity import adjusted
from structlearn.run import Run

Null = Literal["censored", "mixture"]
FEWEST_PAIRS = 200  # below this the shape of chance cannot be seen
LEAST_FREEDOM = 4  # with fewer, even correlations near 1 are no surprise


def judged(
    rho: NDArray[np.float64], null: Null, run: Run, *, freedom: int
) -> tuple[NullModel, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """How chance looks, and the p-value, q-value and probability of each correlation.

    `freedom` is that of chance correlations in theory, for where there are too few to see it.
    """
    if len(rho) < 2 or not rho.any():
        nothing = np.ones(len(rho))
        return NullModel(np.inf, 1.0, 1.0), nothing, nothing, np.zeros(len(rho))
    if null == "mixture":
        model, local = fit_mixture(rho)
        return model, chance_p_values(rho, model.freedom), discoveries(rho, model).q_value, 1.0 - local
    if len(rho) < FEWEST_PAIRS and freedom >= LEAST_FREEDOM:
        p_value = chance_p_values(rho, freedom)
        q_value = adjusted(p_value, "bh")
        return NullModel(freedom, 1.0, 1.0), p_value, q_value, 1.0 - q_value
    if len(rho) < FEWEST_PAIRS:
        run.warn(
            f"{len(rho)} pairs of columns are few to see what chance looks like; from {FEWEST_PAIRS} on "
            "its probabilities can be relied on."
        )
    model = fit_null(rho)
    found = discoveries(rho, model)
    return model, found.p_value, found.q_value, 1.0 - found.local_fdr
