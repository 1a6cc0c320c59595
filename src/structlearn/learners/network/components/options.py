"""The options of network component analysis."""

from typing import Literal

from structlearn.learners.network.components.connections import Connections, Regulators
from structlearn.options import Between, Configured, Flag, Instance, OrNone, Whole, one_of, option

NonNegative = Literal["strengths", "activities", "both"]
Reading = Literal["regulators", "genes"]


class Analysed(Configured):
    """What is known, and how strengths and activities are found."""

    regulators: Regulators = option(
        Connections(),
        "Which genes each regulator acts on. Regulators need no column: they become nodes of their own.",
    )
    reading: Reading = option(
        one_of(Reading),
        "Which edges are read. Arrows from regulators to genes, or edges between genes that share one.",
        default="regulators",
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
    nonnegative: NonNegative | None = option(
        OrNone(one_of(NonNegative), "signs are free"), "What may not be negative.", default=None
    )
    penalty: float = option(
        Between(0, 1),
        "How large the effect of a regulator on a gene must be, per typical size of the table, for its "
        "strength not to become 0. It selects among links that are uncertain.",
        default=0.0,
    )
    certain: Regulators | None = option(
        OrNone(Connections(), "all links cost the same"),
        "The genes of each regulator that act for sure, such as those with its motif: the penalty spares "
        "them. They are among those of `regulators`.",
        default=None,
    )
    replicates: str | None = option(
        OrNone(Instance(str), "each row is a sample"),
        "The column that says which sample a row is of. Replicates are averaged, and their mean counts as "
        "often as they are. It becomes no node.",
        default=None,
    )
    ridge: float | None = option(
        OrNone(Between(0, 1e6), "a little, where a matrix is ill-conditioned"),
        "What is added in each least-squares step, per mean square of its columns.",
        default=None,
    )
