"""ICA-LiNGAM: an order of the columns by sources that are independent."""

from typing import ClassVar

import numpy as np

from structlearn.errors import DataError
from structlearn.learners.option_groups import Seeded
from structlearn.learners.order.noise.learner import OrderedByNoise, Placed
from structlearn.numerics.acyclic import Flags
from structlearn.numerics.lingam import order_of_unmixing, unmixing
from structlearn.numerics.lingam.linear import Floats
from structlearn.options import Whole, option
from structlearn.run import Run
from structlearn.statistics.protocol import Rows

MANY = 400  # columns whose covariance takes no moment to take apart: that cannot be interrupted
SMALLER = 8  # times fewer rows and columns, to tell how long the first step will take


class ICALiNGAM(Seeded, OrderedByNoise):
    """Take the columns apart into independent sources, and order them so that sources only act forwards."""

    needs_more_rows = True
    random_state = 0
    n_starts: int = option(
        Whole(1),
        "From how many random rotations to start. Those sources are taken that are farthest from Gaussian.",
        default=3,
    )

    def _order(self, rows: Rows, waits: Flags, run: Run) -> Placed:
        n_rows, n_columns = len(np.unique(rows.values, axis=0)), rows.values.shape[1]
        if n_rows <= n_columns:
            raise DataError(
                f"ICALiNGAM: the table must have more different rows than columns, not {n_rows} rows and "
                f"{n_columns} columns that vary. Take fewer columns, or DirectLiNGAM."
            )
        run.show("sources", 0, 1)
        if n_columns > MANY and not run.has_time_for(SMALLER**3, lambda: _one_step(rows.values)):
            return Placed(np.arange(n_columns), 0, {})
        found, is_settled = unmixing(
            rows.values,
            rows.weights,
            rng=np.random.default_rng(self.random_state),
            n_starts=self.n_starts,
            must_stop=run.before_steps(),
        )
        run.show("sources", 1, 1)
        if not is_settled and not run.must_stop():
            run.warn("the sources did not settle, as it happens where noise is nearly Gaussian.")
        order, _ = order_of_unmixing(found, waits)
        return Placed(order, n_columns, {})

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG; weights are what the score loses without an arc.
    trace_ : dict of arrays
        Empty: all columns are placed at once.

    Notes
    -----
    Each column is a linear function of others plus noise of its own, so that the noise is a linear function
    of the columns: independent component analysis finds it [1]_, by FastICA with ln cosh [2]_. Each column
    gets the source that has most of it, and the smallest effects are left out until an order is possible.
    FastICA may end at a local optimum; `DirectLiNGAM` needs no start and is right more often.

    References
    ----------
    .. [1] Shimizu, Hoyer, Hyvärinen and Kerminen (2006), A linear non-Gaussian acyclic model for causal
       discovery, JMLR 7.
    .. [2] Hyvärinen (1999), Fast and robust fixed-point algorithms for independent component analysis, IEEE
       Transactions on Neural Networks 10.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(size=500)
    >>> y = 2 * x + rng.uniform(size=500)
    >>> print(sl.ICALiNGAM().fit({"y": y, "x": x}).graph_)
    Graph with 2 nodes and 1 edge
      x → y
    """


def _one_step(rows: Floats) -> None:
    """The first step of a small part of the table."""
    unmixing(rows[::SMALLER, ::SMALLER], rng=np.random.default_rng(0), n_starts=1, must_stop=lambda: True)
