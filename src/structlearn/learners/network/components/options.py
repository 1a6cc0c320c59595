"""The options of network component analysis."""

from structlearn.learners.network.components.connections import Connections, Regulators
from structlearn.options import Above, Between, Configured, Either, Flag, OrNone, Whole, option


class Analysed(Configured):
    """What is known, and how strengths and activities are found."""

    regulators: Regulators = option(
        Connections(),
        "Which genes each regulator acts on. Regulators need no column: they become nodes of their own.",
    )
    repair: bool = option(
        Flag(),
        "Whether regulators that the pattern does not identify are left out, or refused.",
        default=False,
    )
    alpha: float = option(
        Between(0, 1),
        "How large the p-value of a strength may be for its edge to stay. With 1, all stay.",
        default=0.05,
    )
    n_resamples: int = option(
        Whole(0),
        "From how many resamples of the rows standard errors are. With 0, all edges stay.",
        default=100,
    )
    restarts: int = option(Whole(1), "From how many random starts strengths are found.", default=5)
    center: bool = option(
        Flag(), "Whether the mean of each gene is taken off first; log ratios need none of it.", default=False
    )
    ridge: float | None = option(
        OrNone(Either((Between(0, 0), Above(0))), "a little, where a matrix is ill-conditioned"),
        "What is added in each least-squares step, per mean square of its columns.",
        default=None,
    )
