"""The level at which pairs are joined to a tree."""

from math import comb

from structlearn.run import Run
from structlearn.scores import is_wide
from structlearn.search.chance_arcs import arcs_to_risk
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

USUAL_LEVEL = 0.05


def level_of_edges(statistics: Statistics, run: Run) -> float:
    """What lets chance make an edge or, where columns are many for the rows, as many as are worth it."""
    n_pairs = max(comb(n_varying(statistics), 2), 1)
    risk = arcs_to_risk(statistics, run) if is_wide(statistics) else 1.0
    return min(risk / n_pairs, USUAL_LEVEL)
