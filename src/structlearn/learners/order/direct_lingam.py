"""DirectLiNGAM: an order of the columns by noise that is not Gaussian."""

from typing import ClassVar

from structlearn.learners.order.noise.learner import OrderedByNoise, Placed
from structlearn.numerics.acyclic import Flags
from structlearn.numerics.lingam.direct import Measure, direct_order
from structlearn.options import one_of, option
from structlearn.run import Run
from structlearn.statistics.protocol import Rows


class DirectLiNGAM(OrderedByNoise):
    """Put first, again and again, the column that is independent of what it leaves of the others."""

    measure: Measure = option(
        one_of(Measure),
        "By what one of two columns comes first. By approximate entropies of what each leaves of the other, "
        "or by ρ E[x tanh y − y tanh x], which is quicker and for noise with heavy tails (super-Gaussian): "
        "with lighter tails than a Gaussian's, such as uniform noise, it turns the order round.",
        default="entropy",
    )

    def _order(self, rows: Rows, waits: Flags, run: Run) -> Placed:
        n_rows, n_columns = rows.values.shape
        order, penalties = direct_order(
            rows.values,
            rows.weights,
            measure=self.measure,
            waits=waits,
            must_stop=run.must_stop,
            show=lambda n_placed: run.show("columns in order", n_placed, n_columns),
        )
        if len(penalties) < n_columns and not run.must_stop():
            run.warn(
                f"{n_rows} rows are few: after {len(penalties)} of {n_columns} columns nothing is left of "
                "the others, which have no place in the order and no parents."
            )
        return Placed(order, len(penalties), {"against": penalties})

    details: ClassVar[str] = """
    Attributes
    ----------
    graph_ : Graph
        A DAG; weights are what the score loses without an arc.
    trace_ : dict of arrays
        Column by column along the order: "against", what speaks against its place. Little does where all
        columns before it are in their places.

    Notes
    -----
    Each column is a linear function of others plus noise of its own; noise is independent, and at most one
    column's is Gaussian. Then the whole DAG can be told, not only its class [1]_. Of two columns that one
    comes first which is more independent of what regression leaves of the other, by approximate entropies
    [2]_. Parents are then chosen among the columns before by a score. In the end the noise is looked at, and
    a warning says where it may be Gaussian, or depends on other noise as with a hidden common cause. The
    units of columns do not matter.

    References
    ----------
    .. [1] Shimizu, Inazumi, Sogawa, Hyvärinen, Kawahara, Washio, Hoyer and Bollen (2011), DirectLiNGAM: a
       direct method for learning a linear non-Gaussian structural equation model, JMLR 12.
    .. [2] Hyvärinen and Smith (2013), Pairwise likelihood ratios for estimation of non-Gaussian structural
       equation models, JMLR 14.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(size=500)
    >>> y = 2 * x + rng.uniform(size=500)
    >>> print(sl.DirectLiNGAM().fit({"y": y, "x": x}).graph_)
    Graph with 2 nodes and 1 edge
      x → y
    """
