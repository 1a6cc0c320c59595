"""Directions by tests within blankets."""

from typing import Literal

from structlearn.graphs.equivalence import propagate
from structlearn.graphs.links import Links
from structlearn.learners.constraint.blankets.neighborhoods import Within, arrows_into_common_children
from structlearn.learners.constraint.directions.cycles import (
    break_cycles,
    directed_along_paths,
    put_back_reversed,
)
from structlearn.learners.constraint.directions.orientation import Oriented
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.run import Run, Status

Propagation = Literal["meek", "original"]


def directed_within(
    lines: Links, within: Within, known_pairs: KnownPairs, propagation: Propagation, run: Run
) -> Oriented:
    """Direct what the tests say, break cycles, turn the arrows that did, and propagate."""
    known = {(a, b) for a, b in known_pairs.directions(lines.lines).tolist()}
    arrows, conflicts = arrows_into_common_children(within, lines, known)
    is_stopped = run.status is not Status.COMPLETE
    if is_stopped:  # two columns that nobody looked at are not apart
        arrows, conflicts = dict.fromkeys(sorted(known), 0.0), []
    removed = break_cycles(arrows, fixed=known)
    put_back_reversed(arrows, removed)
    joined = {frozenset(arrow) for arrow in arrows}
    left = [edge for edge in lines.lines.tolist() if frozenset(edge) not in joined]
    links = Links(lines.n_nodes, arrows=sorted(arrows), lines=left)
    if is_stopped:
        return Oriented(links, [*conflicts, *removed])
    if propagation == "original":
        return Oriented(directed_along_paths(links), [*conflicts, *removed])
    closed, refused = propagate(links)
    return Oriented(closed, [*conflicts, *removed, *refused])
