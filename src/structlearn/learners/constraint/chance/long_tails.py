"""Correlations of columns with long tails, judged by those of the same columns shuffled."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.constraint.chance.chance import Judgement, Null, judged_rows
from structlearn.learners.constraint.chance.local_fdr import MOST_FALSE, chance_p_values
from structlearn.numerics.multiplicity import adjusted
from structlearn.numerics.shrunken_correlations import partial_correlations, standardised_rows
from structlearn.run import Run
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics

Array = NDArray[np.float64]
# A row with more than half of the variance of two columns is nearly all of their correlation.
RULES_A_COLUMN = 0.5
N_TABLES = 10
MOST_FALSE_EDGES = 1.0  # of a table


def judged_columns(
    statistics: Statistics, rows: Array, rho: Array, shrinkage: float, null: Null, run: Run
) -> Judgement:
    """Judge partial correlations: by a model of chance, unless it finds edges among shuffled columns."""
    by = judged_rows(rows, rho, null, run)
    if not _are_ruled_by_rows(rows):
        return by
    tables = [shuffled(statistics, np.random.default_rng(seed)) for seed in range(N_TABLES)]
    by_chance = np.array([_correlations(standardised_rows(run.owner, t), shrinkage) for t in tables])
    of_model = [
        adjusted(chance_p_values(chance, by.null.freedom), "bh") <= MOST_FALSE for chance in by_chance
    ]
    if np.count_nonzero(of_model) <= MOST_FALSE_EDGES * N_TABLES:
        return by
    run.warn(
        "single rows make up most of some columns, so that correlations are judged by those of shuffled "
        "columns, and few can be told from chance. Ranks or logarithms in place of the numbers may show more."
    )
    return _judged_by(by_chance, by, rho)


def _are_ruled_by_rows(rows: Array) -> bool:
    """Whether two columns or more have most of their variance from a single row each."""
    squares = rows**2
    return int(np.count_nonzero(squares.max(axis=0) > RULES_A_COLUMN * squares.sum(axis=0))) > 1


def _judged_by(by_chance: Array, model: Judgement, rho: Array) -> Judgement:
    sizes = np.sort(np.abs(by_chance), axis=None)
    n_larger = len(sizes) - np.searchsorted(sizes, np.abs(rho), side="left")
    p_value = np.asarray((1.0 + n_larger) / (1.0 + len(sizes)), dtype=np.float64)
    q_value = adjusted(p_value, "bh")
    return replace(model, p_value=p_value, q_value=q_value, probability=1.0 - q_value)


def _correlations(rows: Array, shrinkage: float) -> Array:
    partial = partial_correlations(rows[:, rows.any(axis=0)], shrinkage)
    return partial[np.triu_indices(len(partial), k=1)]
