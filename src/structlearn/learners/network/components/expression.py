"""The genes of a table in units that squares can be summed in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.network.factors.table import entries_of, is_varying
from structlearn.statistics import Statistics
from structlearn.statistics.units import MOST_BITS, log_units

Floats = NDArray[np.float64]


class Expression(NamedTuple):
    """Genes that vary, by samples; the values of gene i are `rows[i]` · 2 ** `exponents[i]`.

    The exponents are the same for all genes, so that large ones count for more, unless units are so
    different that small genes would count for nothing.
    """

    genes: list[str]
    rows: Floats
    exponents: NDArray[np.int64]
    means: Floats

    def of(self, places: NDArray[np.int64]) -> "Expression":
        """Some of the genes."""
        genes = [self.genes[i] for i in places]
        return Expression(genes, self.rows[places], self.exponents[places], self.means[places])


def expression_of(owner: str, statistics: Statistics, *, center: bool) -> Expression:
    """The columns that vary as genes; `means` is what was taken off each, in the units of the table."""
    rows = entries_of(owner, statistics, statistics.names)
    places = np.flatnonzero(is_varying(rows))
    genes, values = [statistics.names[j] for j in places], rows.T[places]
    bits = np.rint(log_units(statistics)[places] / np.log(2.0)).astype(np.int64)
    sizes = bits + np.frexp(np.abs(values).max(axis=1, initial=0.0))[1]
    if len(sizes) and np.ptp(sizes) <= MOST_BITS:
        sizes = np.full_like(sizes, sizes.max())
    values = np.ldexp(values, (bits - sizes)[:, None])
    means = values.mean(axis=1) if center else np.zeros(len(values))
    return Expression(genes, values - means[:, None], sizes, np.ldexp(means, sizes))
