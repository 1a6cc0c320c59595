"""Options of methods that prune a skeleton by levels and look for colliders in it."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from structlearn.independence.asking import Asker
from structlearn.learners.constraint.skeletons.by_correlation import ByCorrelation
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.skeleton import Skeleton, prune_skeleton
from structlearn.learners.constraint.skeletons.tiers import Tiers
from structlearn.learners.option_groups import Conditioned
from structlearn.options import Flag, OrNone, SomeOf, one_of, option, result
from structlearn.outcome import MarkEvidence, Pair
from structlearn.run import Run

ColliderRule = Literal["first", "conservative", "majority", "max-p"]
SETS_THAT_DECIDE = (
    "Which separating sets decide that two arrows meet at a node. The first one found, or every one among "
    'the neighbours: none of them has the node ("conservative"), less than half of them have it '
    '("majority"), the one with the largest p-value has it not ("max-p"). Triples that the sets are split '
    "about say nothing of directions."
)
RULES = tuple(f"R{i}" for i in range(1, 11))
OF_SELECTION = ("R5", "R6", "R7")


class Pruned(Conditioned):
    """How a skeleton is pruned, and which of its triples are colliders."""

    stable: bool = option(
        Flag(),
        "Whether the edges removed at a level leave the conditions of that level alone. Then the order of "
        "the columns cannot matter; False is the original algorithm.",
        default=True,
    )
    collider_rule: ColliderRule = option(one_of(ColliderRule), SETS_THAT_DECIDE, default="first")

    def _pruned(
        self,
        asker: Asker,
        n_nodes: int,
        known_pairs: KnownPairs,
        run: Run,
        *,
        tiers: Tiers | None = None,
        by_correlation: ByCorrelation | None = None,
    ) -> Skeleton:
        """The skeleton that the tests leave."""
        return prune_skeleton(
            asker,
            n_nodes,
            known_pairs,
            conditions="stable" if self.stable else "original",
            max_conditioning=self.max_conditioning,
            run=run,
            tiers=tiers,
            by_correlation=by_correlation,
        )


class Selecting(Pruned):
    """How a skeleton is pruned where causes may be hidden, and rows selected by what columns influence."""

    # On tables of 10 to 80 columns with hidden causes, 10 to 16 of 100 arrows more are right than by the
    # first set, and up to 3 of 100 true ones fewer are found (docs/benchmarks/hidden-causes.md).
    collider_rule: ColliderRule = option(one_of(ColliderRule), SETS_THAT_DECIDE, default="majority")

    selection: bool = option(
        Flag(),
        "Whether something that columns influence may have decided which rows there are. False leaves out "
        "the rules (R5 to R7) that look for it, so that no edge is undirected.",
        default=True,
    )
    orientation_rules: Sequence[str] | None = option(
        OrNone(SomeOf(RULES), "all of them"),
        "By which rules marks follow from colliders. Fewer leave more circles, and say less from tests that "
        "are wrong: R1 to R4 set the arrows that follow, all others tails.",
        default=None,
    )
    mark_evidence_: Mapping[Pair, MarkEvidence] = result()
    refuses_set: ClassVar[str] = (
        "where causes may be hidden, what was set looks like one of them. Learn from the rows in which "
        "nothing was set, or, where columns were changed and still followed their causes, with "
        'interventions="soft".'
    )

    def _applied_rules(self) -> tuple[str, ...]:
        asked = RULES if self.orientation_rules is None else tuple(self.orientation_rules)
        return tuple(rule for rule in asked if self.selection or rule not in OF_SELECTION)
