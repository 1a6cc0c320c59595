"""Every estimator of mutual information, by name, and which columns it takes."""

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from structlearn.errors import DataError
from structlearn.numerics.information.columns import Columns, Fill, Matrix, all_pairs
from structlearn.numerics.information.correlation import gaussian, rank
from structlearn.numerics.information.kernel_density import kernel
from structlearn.numerics.information.nearest_rows import kraskov
from structlearn.numerics.information.partitions import adaptive
from structlearn.numerics.information.settings import Settings
from structlearn.numerics.information.tables import miller_madow, plug_in, shrunken
from structlearn.options import OneOf
from structlearn.statistics import Statistics

EstimatorName = Literal[
    "plug-in", "miller-madow", "shrinkage", "adaptive", "gaussian", "rank", "kernel", "kraskov"
]
ESTIMATOR = OneOf(get_args(EstimatorName), "how information is estimated")


class Estimator(NamedTuple):
    """How to prepare for all pairs of some columns, and whether columns may be discrete.

    Those that take discrete columns cut continuous ones into bins.
    """

    prepare: Callable[[Columns, Settings], Fill]
    takes_discrete: bool


ESTIMATORS: dict[EstimatorName, Estimator] = {
    "plug-in": Estimator(plug_in, takes_discrete=True),
    "miller-madow": Estimator(miller_madow, takes_discrete=True),
    "shrinkage": Estimator(shrunken, takes_discrete=True),
    "adaptive": Estimator(adaptive, takes_discrete=False),
    "gaussian": Estimator(gaussian, takes_discrete=False),
    "rank": Estimator(rank, takes_discrete=False),
    "kernel": Estimator(kernel, takes_discrete=False),
    "kraskov": Estimator(kraskov, takes_discrete=False),
}
BY_RANKS: frozenset[EstimatorName] = frozenset({"adaptive", "rank", "kernel"})


def check_kinds(owner: str, name: EstimatorName, statistics: Statistics) -> None:
    """Refuse discrete columns where an estimator needs numbers."""
    discrete = [
        repr(each)
        for each, kind in zip(statistics.names, statistics.kinds, strict=True)
        if kind == "discrete"
    ]
    if discrete and not ESTIMATORS[name].takes_discrete:
        raise DataError(
            f"{owner}(estimator={name!r}) takes continuous columns only, and {', '.join(discrete[:5])} "
            f"{'is' if len(discrete) == 1 else 'are'} not. Take 'plug-in', 'miller-madow' or 'shrinkage', "
            "or say otherwise with kinds={…}."
        )


def information_of(
    columns: Columns,
    name: EstimatorName,
    settings: Settings,
    *,
    n_jobs: int = 1,
    must_stop: Callable[[], bool] = lambda: False,
    show: Callable[[int, int], object] = lambda _n_done, _n_columns: None,
) -> Matrix:
    """The information of every two columns, in nats; on the diagonal that of a column with itself."""
    fill = ESTIMATORS[name].prepare(columns, settings)
    return all_pairs(fill, len(columns), n_jobs=n_jobs, must_stop=must_stop, show=show)
