"""How modules and their programmes are found, as options."""

from typing import Literal

from structlearn.options import (
    Above,
    Between,
    Configured,
    Either,
    Flag,
    ListOf,
    OrNone,
    Whole,
    one_of,
    option,
)

Thresholds = Literal["all", "quartiles"]
Start = Literal["ward", "average", "k-means"]


class ModuleOptions(Configured):
    """How many modules there are, and who may regulate them."""

    n_modules: int | list[int] | None = option(
        OrNone(
            Either((Whole(1), ListOf(int))),
            "1, 2, 3, 4, 6, 8, 12, … as long as one of the last two raised the score",
        ),
        "How many modules there are. Of a list, the number with the best score.",
        default=None,
    )
    regulators: list[str] | None = option(
        OrNone(ListOf(str), "all columns"),
        "The columns that may regulate modules, such as transcription factors.",
        default=None,
    )
    assign_regulators: bool = option(
        Flag(), "Whether regulators belong to modules themselves, or stand outside.", default=True
    )
    start: Start = option(
        one_of(Start),
        "How columns are clustered at first. By a tree of Ward's or average distances, or by k-means.",
        default="ward",
    )
    restarts: int = option(Whole(0), "How many more times to start, each from modules at random.", default=0)
    max_iterations: int = option(
        Whole(1), "The most rounds of programmes and assignments from each start.", default=100
    )
    refill: bool = option(
        Flag(),
        "Whether modules that lost all columns are tried again with those that fit worst elsewhere.",
        default=False,
    )


class ProgramOptions(Configured):
    """How the regression tree of a module grows."""

    penalty: float | None = option(
        OrNone(
            Between(0, 1e300), "the logarithm of the number of splits there are to choose from, 5 at least"
        ),
        "What a split must gain, in nats.",
        default=None,
    )
    thresholds: Thresholds = option(
        one_of(Thresholds),
        "Where a regulator may be split: between any two values, or at its quartiles.",
        default="all",
    )
    min_leaf: int = option(Whole(1), "The fewest rows of a leaf.", default=5)
    max_depth: int | None = option(
        OrNone(Whole(0), "no limit"), "The most splits on the way to a leaf.", default=None
    )
    max_regulators: int | None = option(
        OrNone(Whole(0), "no limit"), "The most regulators of a module.", default=None
    )
    lookahead: int = option(
        Whole(0),
        "How many splits in a row may bring nothing while a tree grows. What has not paid at the end is cut "
        "back.",
        default=0,
    )
    standardise: bool = option(
        Flag(), "Whether columns are brought to mean 0 and deviation 1 first.", default=True
    )
    prior_mean: float = option(Between(-1e300, 1e300), "The mean that a leaf has before data.", default=0.0)
    prior_strength: float = option(Above(0), "How many values the mean of the prior counts for.", default=0.1)
    prior_shape: float = option(Above(0), "The shape of the prior of a leaf's precision.", default=0.1)
    prior_rate: float = option(Above(0), "The rate of the prior of a leaf's precision.", default=0.1)
