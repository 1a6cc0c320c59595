"""Mutual information, as a test."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.contingency import ContingencyTest, TableStatistics
from structlearn.independence.protocol import Answers
from structlearn.independence.sparse_tables import ChiSquareTails
from structlearn.rounding import TINY


class MutualInformation(ContingencyTest):
    """Test whether the conditional mutual information is zero; see `ContingencyTest` for the options.

    The statistic is the plug-in estimate in nats. It is G² / 2n, and the p-value that of G² [1]_.

    References
    ----------
    .. [1] Kullback (1959), Information Theory and Statistics, chapter 8.
    """

    def _answers(self, found: TableStatistics, dof: NDArray[np.float64], tails: ChiSquareTails) -> Answers:
        return tails.answers(found.statistic / (2.0 * np.maximum(found.size, TINY)), dof)
