"""The regressions that a table calls for, and their options."""

from typing import Literal

import numpy as np

from structlearn.learners.hybrid.l1.families import Regressions
from structlearn.learners.hybrid.l1.gaussian_paths import GaussianPaths
from structlearn.learners.hybrid.l1.group_paths import GroupPaths
from structlearn.learners.hybrid.l1.penalties import Penalties
from structlearn.options import Between, Configured, Whole, one_of, option
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of

Criterion = Literal["bic", "aic"]


class PathOptions(Configured):
    """The penalties of a path, and how one of them is chosen."""

    criterion: Criterion = option(
        one_of(Criterion),
        "What chooses the penalty of each regression. Minus the likelihood, refitted without the penalty, "
        "plus for each parameter half the logarithm of the number of rows, or 1.",
        default="bic",
    )
    n_penalties: int = option(Whole(1), "How many penalties a path has.", default=100)
    smallest_share: float = option(
        Between(1e-6, 1),
        "The smallest penalty of a path, as a share of the one at which nothing is used.",
        default=1e-3,
    )


def regressions_for(statistics: Statistics, options: PathOptions) -> Regressions:
    """Linear ones where all columns are continuous; else each by the kind of its column."""
    kind = GaussianPaths if sort_of(statistics) == "continuous" else GroupPaths
    price = 0.5 * float(np.log(statistics.size)) if options.criterion == "bic" else 1.0
    return kind(statistics, Penalties(price, options.n_penalties, float(options.smallest_share)))
