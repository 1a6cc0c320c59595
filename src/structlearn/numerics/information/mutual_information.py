"""The mutual information of every two columns of a table, in one call.

For discrete columns, and continuous ones cut into bins: "plug-in" from observed frequencies, "miller-madow"
less their bias, "shrinkage" from tables shrunk towards equal cells [1]_. For continuous columns: "adaptive"
on a grid refined where points crowd [2]_, "gaussian" from Pearson's correlations, "rank" from Spearman's,
"kernel" from densities by Gaussian kernels on ranks [3]_, "kraskov" from nearest neighbours [4]_.

A constant column has none. Estimates less than 0, which "miller-madow", "kernel" and "kraskov" give by
chance, stay as they are. A correlation of 1 counts as the next number below.

.. [1] Hausser and Strimmer (2009), Entropy inference and the James-Stein estimator, with application to
   nonlinear gene association networks, Journal of Machine Learning Research 10.
.. [2] Darbellay and Vajda (1999), Estimation of the information by an adaptive partitioning of the
   observation space, IEEE Transactions on Information Theory 45.
.. [3] Margolin et al. (2006), ARACNE: an algorithm for the reconstruction of gene regulatory networks in
   a mammalian cellular context, BMC Bioinformatics 7.
.. [4] Kraskov, Stögbauer and Grassberger (2004), Estimating mutual information, Physical Review E 69.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.gpu.card import Device
from structlearn.naming import no_such
from structlearn.numerics.information.columns import Columns, Matrix, pairs_with_gaps, read_columns
from structlearn.numerics.information.estimators import (
    ESTIMATOR,
    ESTIMATORS,
    EstimatorName,
    check_kinds,
    information_of,
)
from structlearn.numerics.information.on_card import ON_CARD, takes_pairs
from structlearn.numerics.information.settings import RULES, Binning, Settings
from structlearn.options import Above, OneOf, OrNone, Whole, check_options
from structlearn.statistics import MISSING, Missing, Statistics, opened, statistics_of

OWNER = "mutual_information"
Normalised = Literal["min", "sqrt"]
OPTIONS = {
    **RULES,
    "estimator": OrNone(ESTIMATOR, "by the kinds of the columns"),
    "base": Above(1, "the base of the logarithm"),
    "normalised": OrNone(OneOf(get_args(Normalised), "what to divide by"), "nothing"),
    "missing": MISSING,
    "n_jobs": OrNone(Whole(-64, "the number of threads"), "one"),
    "random_state": Whole(0, "the seed"),
    "device": OneOf(get_args(Device), "what computes"),
}


@dataclass(frozen=True, eq=False)
class MutualInformationMatrix:
    """The information of every two columns, which numpy takes for the array that it holds.

    Parameters
    ----------
    names : tuple of str
        The columns.
    values : array of shape (p, p)
        Their information, symmetric; on the diagonal that of a column with itself, for tables its entropy.
    estimator : str
        How it was estimated.
    unit : str
        "nats", "bits", "base …" or "normalised".
    note : str
        Why the processor did the work that a card might have done; empty where there is no more to say.
    """

    names: tuple[str, ...]
    values: Matrix
    estimator: EstimatorName
    unit: str
    note: str = ""

    def __getitem__(self, pair: tuple[str, str]) -> float:
        """The information of two columns, by name."""
        for name in pair:
            if name not in self.names:
                raise DataError(no_such("column", name, self.names, owner=OWNER))
        first, second = (self.names.index(name) for name in pair)
        return float(self.values[first, second])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.names)

    def strongest(self, n_pairs: int = 10) -> list[tuple[str, str, float]]:
        """The pairs with the largest information, the first of them first; ties in the order of columns."""
        first, second = np.triu_indices(len(self.names), k=1)
        order = np.argsort(-self.values[first, second], kind="stable")[:n_pairs]
        return [
            (self.names[first[i]], self.names[second[i]], float(self.values[first[i], second[i]]))
            for i in order
        ]

    def to_dict(self) -> dict[str, NDArray[np.float64]]:
        """The columns of the matrix by name, as any data frame takes them."""
        return {name: self.values[:, j] for j, name in enumerate(self.names)}

    def __repr__(self) -> str:
        found = f"Mutual information of {len(self.names)} columns in {self.unit}, by {self.estimator!r}"
        return f"{found}. {self.note}" if self.note else found


def mutual_information(  # noqa: PLR0913, each estimator has options of its own, all by name
    data: Any,
    estimator: EstimatorName | None = None,
    *,
    binning: Binning = "frequency",
    n_bins: int | None = None,
    bandwidth: float | None = None,
    n_neighbors: int = 3,
    base: float = math.e,
    normalised: Normalised | None = None,
    missing: Missing = "error",
    n_jobs: int | None = None,
    random_state: int = 0,
    device: Device = "cpu",
) -> MutualInformationMatrix:
    """Estimate the mutual information of every two columns of a table; the module says by what.

    Parameters
    ----------
    data : data frame, array, dict of columns, path or Dataset
        The table.
    estimator : str or None, default None
        "plug-in", "miller-madow" or "shrinkage" for discrete columns and binned ones, "adaptive", "gaussian",
        "rank", "kernel" or "kraskov" for continuous ones. By default "plug-in"; "rank" if none is discrete.
    binning, n_bins : "frequency" or "width", int or None
        Bins of equal numbers of rows or of equal width, and how many: by default √(n/5), from 2 to 20.
    bandwidth : float or None, default None
        The width of kernels on ranks from 0 to 1; by default Scott's rule.
    n_neighbors, random_state : int
        Which neighbour's distance counts with "kraskov", and the seed of the noise that parts its ties.
    base, normalised : float, "min", "sqrt" or None
        The base of the logarithm; or what to divide by, the smaller entropy or their geometric mean.
    missing, n_jobs : str, int or None
        As learners have them; "testwise" uses for each pair the rows that have both, if they are 10 or more.
    device : str
        "cuda" has a graphics card do the work, "auto" one with memory enough; or `note` says why not.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("asia").sample(5000, random_state=0)
    >>> found = sl.mutual_information(data, base=2)
    >>> found, found.strongest(1)[0][:2]
    (Mutual information of 8 columns in bits, by 'plug-in', ('bronc', 'dysp'))
    """
    given = locals()
    check_options(OWNER, OPTIONS, {name: given[name] for name in OPTIONS})
    source = opened(data)
    statistics = statistics_of(source, source.names, owner=OWNER, missing=missing, n_jobs=n_jobs)
    name = estimator or ("plug-in" if "discrete" in statistics.kinds else "rank")
    check_kinds(OWNER, name, statistics)
    if normalised is not None and not ESTIMATORS[name].takes_discrete:
        raise DataError(f"{OWNER}(normalised={normalised!r}): {name!r} has no entropies to divide by.")
    settings = Settings(binning, n_bins, bandwidth, n_neighbors, random_state)
    takes_card, note = takes_pairs(OWNER, device, name, statistics, settings)
    in_units = partial(_in_units, base=base, normalised=normalised)
    values = _estimated(statistics, name, settings, in_units, takes_card=takes_card)
    return MutualInformationMatrix(statistics.names, values, name, _unit(base, normalised), note)


def _estimated(
    statistics: Statistics,
    name: EstimatorName,
    settings: Settings,
    in_units: Callable[[Matrix], Matrix],
    *,
    takes_card: bool,
) -> Matrix:
    """The information of all pairs; with gaps each is measured by the entropies of the rows that it has."""
    if takes_card:
        return in_units(ON_CARD[name](read_columns(OWNER, statistics), settings).to_host())

    def estimate(columns: Columns) -> Matrix:
        return in_units(information_of(columns, name, settings, n_jobs=statistics.n_jobs))

    if statistics.is_complete:
        return estimate(read_columns(OWNER, statistics))
    return pairs_with_gaps(OWNER, statistics, estimate)[0]


def _unit(base: float, normalised: Normalised | None) -> str:
    if normalised is not None:
        return "normalised"
    return "nats" if base == math.e else "bits" if base == 2 else f"base {base:g}"


def _in_units(values: Matrix, base: float, normalised: Normalised | None) -> Matrix:
    if normalised is None:
        return values if base == math.e else values / math.log(base)
    entropies = np.diag(values)
    smaller = np.minimum.outer(entropies, entropies)
    whole = smaller if normalised == "min" else np.sqrt(np.multiply.outer(entropies, entropies))
    return np.divide(values, whole, out=np.zeros_like(values), where=whole > 0.0)
