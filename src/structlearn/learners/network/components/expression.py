"""The genes of a table in units that squares can be summed in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.network.factors.table import entries_of, is_varying
from structlearn.statistics import Statistics
from structlearn.statistics.units import MOST_BITS, log_units, origins

Floats = NDArray[np.float64]


class Expression(NamedTuple):
    """Genes that vary, by samples; the values of gene i are `rows[i]` · 2 ** `exponents[i]`.

    The exponents are the same for all genes, so that large ones count for more, unless units are so
    different that small genes would count for nothing. A sample is the mean of its `replicates`, times the
    root of their number, so that squares count it as often; `sample_of` says whose each row of the table is.
    """

    genes: list[str]
    rows: Floats
    exponents: NDArray[np.int64]
    means: Floats
    replicates: NDArray[np.int64]
    sample_of: NDArray[np.int64]

    def of(self, places: NDArray[np.int64]) -> "Expression":
        """Some of the genes."""
        return self._replace(
            genes=[self.genes[i] for i in places],
            rows=self.rows[places],
            exponents=self.exponents[places],
            means=self.means[places],
        )

    def by_row(self, activities: Floats) -> Floats:
        """From samples to rows of the table."""
        return np.asarray((activities / np.sqrt(self.replicates))[:, self.sample_of])


def expression_of(
    owner: str, statistics: Statistics, names: tuple[str, ...], replicates: str | None, *, center: bool
) -> Expression:
    """The columns that vary as genes; `means` is what was taken off each, in the units of the table."""
    columns = [statistics.names.index(name) for name in names]
    starts, units = origins(statistics)[columns], log_units(statistics)[columns]
    rows, sample_of = entries_of(owner, statistics, names), np.arange(statistics.n_rows)
    if not center:  # it matters where columns are counted from
        rows = rows + starts
    if replicates is not None:
        labels = entries_of(owner, statistics, (replicates,))[:, 0]
        sample_of = np.unique(labels, return_inverse=True)[1]
    counts = np.bincount(sample_of)
    if len(counts) < len(rows):
        rows = np.array([rows[sample_of == k].mean(axis=0) for k in range(len(counts))])
    places = np.flatnonzero(is_varying(rows))
    genes, values = [names[j] for j in places], rows.T[places]
    bits = np.rint(units[places] / np.log(2.0)).astype(np.int64)
    sizes = bits + np.frexp(np.abs(values).max(axis=1, initial=0.0))[1]
    if len(sizes) and np.ptp(sizes) <= MOST_BITS:
        sizes = np.full_like(sizes, sizes.max())
    values = np.ldexp(values, (bits - sizes)[:, None])
    means = values @ counts / counts.sum() if center else np.zeros(len(values))
    weighted = (values - means[:, None]) * np.sqrt(counts)
    taken_off = np.ldexp(means, sizes) + center * np.ldexp(starts[places], bits)
    return Expression(genes, weighted, sizes, taken_off, counts, sample_of)
