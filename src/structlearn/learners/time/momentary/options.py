"""The options of PCMCI."""

from typing import Literal

from structlearn.numerics.multiplicity import CORRECTIONS, Correction
from structlearn.options import Between, Configured, Either, Flag, OneOf, OrNone, Whole, one_of, option

ColliderRule = Literal["majority", "conservative", "first"]
Within = bool | Literal["undirected"]


class MomentaryOptions(Configured):
    """How parents are looked for, and what is said of links."""

    contemporaneous: Within = option(
        Either((Flag(), OneOf(("undirected",))), "whether edges within a step are learned"),
        "Whether edges within a step are learned too, and directed where that follows (PCMCI+). Undirected: "
        "pairs within a step are tested as the lagged links are, and edges between them have no direction.",
        default=False,
    )
    alpha_pc: float | None = option(
        OrNone(Between(0, 1), "of several from .05 to .5 the one whose candidates have most AIC"),
        "The level of the tests that choose candidates for parents. A larger one keeps more to condition on.",
        default=0.2,
    )
    max_px: int | None = option(
        OrNone(Whole(0), "all of them"), "The most parents of the source to condition on.", default=None
    )
    correction: Correction = option(
        OneOf(CORRECTIONS),
        "What `alpha` is the level of: each test, all discoveries, or any false one. PCMCI+ tests each link "
        "many times, at `alpha` each.",
        default="bh",
    )
    collider_rule: ColliderRule = option(
        one_of(ColliderRule),
        "Which separating sets decide that two arrows meet at a node, with `contemporaneous`. Less than half "
        "of all have the node, none has it, or the first that was found has it not.",
        default="majority",
    )
