"""What people do without this library: correlations, forests, and z-scores of knock-outs.

Each takes a network's measurements and gives a strength for every pair, [source, target].
"""

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from benchmarks.dream.networks import Network, Numbers

N_TREES = 100  # beyond these the order of the pairs changes little
MOST_ROWS_OF_A_TREE = 200  # the courses of a hundred genes of DREAM3 have 920, and take five times as long
SMALLEST = 1e-12


def correlation(network: Network) -> Numbers:
    """The size of Pearson's correlation."""
    return np.abs(np.nan_to_num(np.corrcoef(network.values, rowvar=False)))


def forests(network: Network) -> Numbers:
    """How much of each gene's variance the splits by another explain, as GENIE3 does it."""
    return _importances(network.values, network.values, with_self=False)


def z_scores(network: Network) -> Numbers:
    """How far each gene moves when another is knocked out, by how much it moves in all knock-outs."""
    away = network.values - network.wild_type
    others = np.where(np.eye(len(away), dtype=np.bool_), np.nan, away)
    return np.abs(away) / np.maximum(np.nanstd(others, axis=0), SMALLEST)


def lagged_correlation(network: Network) -> Numbers:
    """The size of the correlation of a gene with the next change of another, within each course."""
    before, after = steps(network)
    n_genes = before.shape[1]
    found = np.corrcoef(before, after - before, rowvar=False)[:n_genes, n_genes:]
    return np.abs(np.nan_to_num(found))


def lagged_forests(network: Network) -> Numbers:
    """Forests from the state to the next value of each gene, itself among what may explain it."""
    return _importances(*steps(network), with_self=True)


def steps(network: Network) -> tuple[Numbers, Numbers]:
    """States and those one time point later, never from one course to another."""
    together = network.series[1:] == network.series[:-1]
    return network.values[:-1][together], network.values[1:][together]


def _importances(states: Numbers, targets: Numbers, *, with_self: bool) -> Numbers:
    n_genes = states.shape[1]
    found = np.zeros((n_genes, n_genes))
    scaled = targets / np.maximum(targets.std(axis=0), SMALLEST)
    for target in range(n_genes):
        sources = [gene for gene in range(n_genes) if with_self or gene != target]
        n_drawn = min(MOST_ROWS_OF_A_TREE, len(states))
        forest = RandomForestRegressor(N_TREES, max_features="sqrt", max_samples=n_drawn, random_state=0)
        forest.fit(states[:, sources], scaled[:, target])
        # Shares of one tree sum to 1; times the variance explained, those of different targets compare.
        found[sources, target] = forest.feature_importances_ * scaled[:, target].var()
    return found
