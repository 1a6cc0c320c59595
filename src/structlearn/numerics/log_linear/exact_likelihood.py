"""The likelihood of a log-linear model, by exact inference."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.later import sparse
from structlearn.numerics.junction_tree import JunctionTree
from structlearn.numerics.log_linear.indicators import Features, Indicators
from structlearn.numerics.log_linear.likelihood_by_means import Floats, LikelihoodByMeans


class ExactLikelihood(LikelihoodByMeans):
    """The log-likelihood per row as a function of the weights of some features.

    Parameters
    ----------
    indicators : Indicators
        The rows.
    features : Features
        What has a weight. A graph in which the columns of each are joined must be narrow enough
        for a junction tree.
    """

    def __init__(self, indicators: Indicators, features: Features) -> None:
        super().__init__(indicators, features)
        scopes = [indicators.scope(feature) for feature in features]
        states = [indicators.states(feature) for feature in features]
        self.tree = JunctionTree(indicators.levels, scopes)
        cells = [self.tree.cells(*where) for where in zip(scopes, states, strict=True)]
        self._is_in = _membership(cells, self.tree.n_cells)
        self._cells_of = sparse.csr_array(self._is_in.T)

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """The log-likelihood per row and its gradient."""
        found = self.tree.calibrate(self._cells_of @ weights)
        beliefs = np.concatenate([table.ravel() for table in found.beliefs])
        value = float(weights @ self._data_means - found.log_z[0])
        return value, self._data_means - self._is_in @ beliefs

    def means(self, weights: Floats, features: Features) -> Floats:
        """The probability of any features: that of all but the last member, and of the last given those."""
        indicators, tables = self._indicators, self._cells_of @ weights
        log_z = self.tree.calibrate(tables).log_z[0]
        means = np.empty(len(features))
        for block, prefixes, place in indicators.prefixes(features, n_cells=self.tree.n_cells):
            found = self.tree.calibrate(tables, self._evidence(prefixes))
            last = np.ones((len(prefixes), indicators.constant + 1))
            for column, margin in enumerate(self.tree.margins(found)):
                own = np.flatnonzero(indicators.column == column)
                last[:, own] = margin[:, indicators.state[own]]
            joint = np.exp(found.log_z - log_z)[:, None] * last
            means[block] = joint[place, features[block, -1]]
        return means

    def _evidence(self, features: Features) -> NDArray[np.int64]:
        """The state of each column where a feature is there, -1 where that does not matter."""
        indicators = self._indicators
        # The constant indicator has column -1: one column too many takes it.
        evidence = np.full((len(features), len(indicators.levels) + 1), -1, dtype=np.int64)
        rows = np.arange(len(features))
        for members in features.T:
            evidence[rows, indicators.column[members]] = indicators.state[members]
        return evidence[:, :-1]


def _membership(cells: list[NDArray[np.int64]], n_cells: int) -> Any:
    """Which cells each feature is in, a row for each."""
    sizes = [len(found) for found in cells]
    rows = np.repeat(np.arange(len(cells)), sizes)
    columns = np.concatenate([*cells, np.zeros(0, dtype=np.int64)])
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(cells), n_cells))
