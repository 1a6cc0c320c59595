"""From colliders and knowledge to all marks that follow: the ten rules in their order."""

from collections.abc import Callable, Collection, Iterator, Mapping

from structlearn.errors import OptionError
from structlearn.learners.constraint.directions.orientation import Colliders
from structlearn.learners.constraint.marks import arrow_rules, tail_rules
from structlearn.learners.constraint.marks.arrow_rules import DiscriminatingPaths
from structlearn.learners.constraint.marks.marked_edges import ARROW, TAIL, MarkedEdges, Path, Proposal
from structlearn.learners.constraint.marks.verdicts import Verdicts
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.run import MustStop

Rule = Callable[[MarkedEdges], Iterator[Proposal]]
ARROWS: Mapping[str, Rule] = {
    "R1": arrow_rules.after_an_arrow,
    "R2": arrow_rules.against_a_cycle,
    "R3": arrow_rules.into_a_collider,
}
CYCLES: Mapping[str, Rule] = {"R5": tail_rules.around_a_cycle}
LINES: Mapping[str, Rule] = {"R6": tail_rules.beside_a_line, "R7": tail_rules.behind_a_tail}
TAILS: Mapping[str, Rule] = {
    "R8": tail_rules.along_a_chain,
    "R9": tail_rules.along_a_path,
    "R10": tail_rules.along_two_paths,
}


def settled(
    verdicts: Verdicts,
    known_pairs: KnownPairs,
    names: tuple[str, ...],
    *,
    applied: Collection[str],
    confirm: Callable[[Path], None] = lambda _path: None,
) -> MarkedEdges:
    """The edges of a skeleton with all marks that follow; when time is up, only with those that are known."""
    skeleton, asker = verdicts.skeleton, verdicts.asker
    colliders = verdicts.colliders()
    edges = MarkedEdges(len(names), skeleton.edges, map(tuple, colliders.ambiguous.tolist()))
    mark_known(edges, known_pairs)
    if asker.must_stop():
        return edges
    mark_colliders(edges, colliders)
    if edges.conflicts and asker.statistics is None:
        a, b, c = (names[v] for v in next(iter(edges.conflicts))[1])
        raise OptionError(f"Knowledge: the Oracle says {a} *→ {b} ←* {c}, against it. Drop what is not true.")
    settle(edges, DiscriminatingPaths(verdicts.is_given, confirm), applied=applied, must_stop=asker.must_stop)
    return edges


def mark_known(edges: MarkedEdges, known_pairs: KnownPairs) -> None:
    """Mark what knowledge says: an arrow at what is no cause of the other end, a → b where required."""
    for a, around in enumerate(edges.at):
        for b in around:
            if known_pairs.is_required(a, b):
                edges.put("knowledge", [(b, a, TAIL), (a, b, ARROW)], (a, b))
            elif known_pairs.is_forbidden(a, b):
                edges.put("knowledge", [(b, a, ARROW)], (a, b))


def mark_colliders(edges: MarkedEdges, colliders: Colliders) -> None:
    """R0: a *→ b ←* c."""
    for a, b, c in colliders.triples.tolist():
        edges.put("R0", [(a, b, ARROW), (c, b, ARROW)], (a, b, c))


def settle(edges: MarkedEdges, paths: Rule, *, applied: Collection[str], must_stop: MustStop) -> None:
    """Apply R1 to R4, R5, R6 and R7, and R8 to R10, each group until nothing changes."""
    for group in ({**ARROWS, "R4": paths}, CYCLES, LINES, TAILS):
        rules, n_new = {name: rule for name, rule in group.items() if name in applied}, 1
        while n_new and not must_stop():
            n_new = sum(_applied(edges, name, rule) for name, rule in rules.items())


def _applied(edges: MarkedEdges, name: str, rule: Rule) -> int:
    """How many times a rule set a mark; each sees the marks that were set before."""
    return [edges.put(name, wanted, nodes) for wanted, nodes in rule(edges)].count(True)
