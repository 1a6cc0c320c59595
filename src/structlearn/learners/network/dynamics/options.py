"""The options of system identification, by what they are about."""

from collections.abc import Mapping
from typing import Any, Literal

from structlearn.learners.network.dynamics.interpolated import Interpolant
from structlearn.learners.network.dynamics.rates import Derivative
from structlearn.learners.option_groups import Seeded
from structlearn.options import (
    Above,
    Between,
    Configured,
    Either,
    Flag,
    Instance,
    ListOf,
    OrNone,
    Whole,
    one_of,
    option,
)

Identification = Literal["ode-lasso", "var-lasso", "interpolation", "svd-l1", "nir"]
SelfTerm = Literal["penalised", "free", "none"]
PenaltyRule = Literal["ebic", "cv"]
GridRegression = Literal["least-squares", "ridge", "lasso"]
RegulatorRule = Literal["limit", "significance", "bic"]
PAIRS = Instance(Mapping)
TABLE = OrNone(Instance(object), "none")


class SystemOptions(Configured):
    """What the system is like."""

    inputs: list[str] | None = option(
        OrNone(ListOf(str), "none"),
        "Columns that act on others and that nothing acts on, such as a temperature that was set. They are "
        "nodes without arrows into them.",
        default=None,
    )
    self_term: SelfTerm = option(
        one_of(SelfTerm),
        "Whether a node may act on itself. At the price of any edge, always and for nothing, or never.",
        default="penalised",
    )
    decay: float | None = option(
        OrNone(Above(0), "not known"),
        "The rate at which every node decays, where it is known. It is no longer estimated, as "
        '"var-lasso" and "nir" always do.',
        default=None,
    )
    intercept: bool = option(
        Flag(),
        "Whether rates have a constant. Without it, states are distances from a steady state.",
        default=True,
    )
    perturbations: Any = option(
        TABLE,
        "What was done to each node in each row. Either a mapping from nodes to the columns of the table "
        'that say it, or, for "nir" and "svd-l1" at steady states, a table of its own with a row for '
        "each row "
        "and a column for each node that was perturbed. Nodes left out were not.",
        default=None,
    )
    rates: Mapping[str, str] | None = option(
        OrNone(PAIRS, "they are estimated"),
        "The columns with the measured rate of change of each node, where there are such. They become no "
        "nodes.",
        default=None,
    )


class RateOptions(Configured):
    """How rates of change are estimated."""

    derivative: Derivative = option(
        one_of(Derivative),
        "How rates of change are estimated. From cubic splines through the points, or smoothed as "
        "generalised cross-validation has it where there is noise; or from differences, with the "
        "state before or the mean of both. Courses of fewer than four times are always differenced.",
        default="spline",
    )
    weigh_rates: bool = option(
        Flag(),
        "Whether rates count by their precision: by the square of the time step, and by replicates.",
        default=False,
    )


class SparsityOptions(Configured):
    """How sparse rows are."""

    penalty: float | PenaltyRule = option(
        Either((one_of(PenaltyRule), Above(0))),
        "What multiplies the L1 norm in (1/2n)·SSE + penalty·L1 of each row, standardised, or how to "
        "find it. "
        '"ebic" takes the row with the least extended BIC, "cv" leaves out whole courses (of a single one, '
        "blocks of time) and predicts them.",
        default="ebic",
    )
    gamma: float = option(
        Between(0, 1),
        "How much the extended BIC counts that there are many columns to choose from. With 0 it is the BIC.",
        default=1.0,
    )
    bound: float | None = option(
        OrNone(Above(0), "the penalty decides"),
        "The most that the absolute coefficients of a standardised row may sum to. The same lasso in its "
        "constrained form, in the place of the penalty.",
        default=None,
    )
    refit: bool = option(
        Flag(),
        "Whether the columns that the lasso chose are fitted again without shrinkage. Never with a bound.",
        default=True,
    )
    penalty_weights: Mapping[tuple[str, str], float] | None = option(
        OrNone(PAIRS, "all cost the same"),
        "What some edges cost more or less than others, by (source, target). A network known beforehand is "
        "one with weights below 1.",
        default=None,
    )
    n_penalties: int = option(Whole(1), "How many penalties the path of a row has.", default=40)
    smallest_share: float = option(
        Between(1e-12, 1),
        "The smallest penalty of the path, as a share of the one at which a row is empty.",
        default=1e-3,
    )


class GridOptions(Configured):
    """How courses are interpolated."""

    interpolant: Interpolant = option(
        one_of(Interpolant), 'The curve through the points of a course, for "interpolation".', default="cubic"
    )
    grid_step: float | None = option(
        OrNone(Above(0), "a tenth of the shortest gap"),
        "The time between two points of the grid.",
        default=None,
    )
    grid_regression: GridRegression = option(
        one_of(GridRegression),
        "How rows are fitted on the grid. The shortest of the least-squares rows, a ridge, or the lasso.",
        default="lasso",
    )
    ridge: float = option(
        Above(0),
        "The ridge, as a share of the variance of a column, for the regression of that name.",
        default=1e-3,
    )


class SparsestOptions(Configured):
    """Which solutions count as exact."""

    noise: float = option(
        Between(0, float("inf")), 'How far each rate may be off, for "svd-l1".', default=0.0
    )
    rank_tolerance: float = option(
        Between(0, 1), "The share of the largest singular value below which one is zero.", default=1e-10
    )


class RegulatorOptions(Seeded):
    """How regulators are chosen from perturbed steady states."""

    random_state = 0
    max_regulators: int = option(
        Whole(1), 'The most regulators of a node, itself counted, for "nir".', default=5
    )
    regulators_by: RegulatorRule = option(
        one_of(RegulatorRule),
        "How many regulators a node gets. As many as allowed, the fewest with which all rows are "
        "significant, or for each node as many as the BIC has.",
        default="limit",
    )
    alpha: float = option(
        Between(0, 1), "The level of the F test of each row, after Holm's correction.", default=0.05
    )
    beam_width: int = option(
        Whole(1),
        "How many sets of regulators are kept at each size where there are too many to look at all.",
        default=5,
    )
    least_t: float = option(
        Between(0, float("inf")), "The t-value below which a coefficient is set to zero.", default=0.0
    )
    n_resamples: int = option(
        Whole(0),
        'How often the residuals of "nir" are drawn again, to see how often a regulator comes back. With 0, '
        "never.",
        default=0,
    )
    state_errors: Any = option(
        TABLE, "The standard errors of the states, given as the perturbations are.", default=None
    )
    perturbation_errors: Any = option(
        TABLE, "The standard errors of the perturbations, given as those are.", default=None
    )
