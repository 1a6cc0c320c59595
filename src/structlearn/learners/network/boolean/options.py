"""The options of Boolean networks."""

from collections.abc import Mapping
from typing import Literal

from structlearn.learners.network.boolean.binarisation import Binarisation
from structlearn.learners.network.boolean.functions import Functions
from structlearn.options import Above, Between, Configured, Flag, Instance, OrNone, Whole, one_of, option

RuleSearch = Literal["reveal", "consistency", "best-fit"]


class StateOptions(Configured):
    """How states are read from the table."""

    binarisation: Binarisation = option(
        one_of(Binarisation),
        "Above what a measured column is on. Halfway between the means of its two groups, its median, or "
        "halfway up its largest step in time. Columns of states keep them, two or more.",
        default="two-means",
    )
    lag: int = option(Whole(1), "How many steps later a state shows its effect.", default=1)
    after: Mapping[str, str] | None = option(
        OrNone(Instance(Mapping), "rows follow each other"),
        "For each node the column with its state one step later, where each row is a pair of states. Those "
        "columns become no nodes.",
        default=None,
    )


class RuleOptions(Configured):
    """Which rules are looked for."""

    method: RuleSearch = option(
        one_of(RuleSearch),
        "Which sets of inputs explain a node. The smallest that leave no information open [1]_; the "
        "smallest with which some rule is wrong in no more than a share of the pairs [2]_; or those that "
        "weigh errors against the size of the truth table.",
        default="best-fit",
    )
    functions: Functions = option(
        one_of(Functions),
        "Which functions of its inputs a node may follow. Any; those in which some state of an input "
        "decides alone; weighted sums above a limit; or those in which each input only turns the node on, or "
        "only off. But for any, nodes have two states and up to four inputs.",
        default="any",
    )
    max_inputs: int = option(Whole(0), "The most inputs of a node.", default=3)
    self_inputs: bool = option(Flag(), "Whether a node may be an input of itself.", default=True)
    tolerance: float = option(
        Between(0, 1), 'With "consistency", the share of pairs that a rule may get wrong.', default=0.0
    )
    noise: float | None = option(
        OrNone(Above(0), "estimated for each node"),
        'With "best-fit", the probability below a half that a state is wrong.',
        default=None,
    )
