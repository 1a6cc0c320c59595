"""Whether dependencies between classes can make a cycle between objects.

There are arrows between attributes of one object, arrows along slots that lead from no object back to itself
(a mother is never her own descendant), and arrows along other chains. A set of arrows is safe if every cycle
of the class graph has one of the second sort and none of the third.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, NamedTuple

from structlearn.data.relational.features import Feature

Sort = Literal["same object", "guaranteed", "any"]


class Arrow(NamedTuple):
    """An arrow of the class graph, and the sort of chain that it goes along."""

    source: str
    target: str
    sort: Sort


def arrow_of(target: str, feature: Feature, acyclic: Collection[str]) -> Arrow | None:
    """The arrow that a parent makes; a count depends on no attribute and makes none."""
    if feature.source is None:
        return None
    is_guaranteed = all(not link.is_inverse and link.slot.full_name in acyclic for link in feature.chain)
    sort: Sort = "same object" if not feature.chain else "guaranteed" if is_guaranteed else "any"
    return Arrow(feature.source, target, sort)


def is_safe(arrows: Iterable[Arrow]) -> bool:
    """Whether no database can have a cycle between objects, as far as the guarantee holds."""
    known = list(arrows)
    every, same = _targets(known), _targets(arrow for arrow in known if arrow.sort == "same object")
    return not any(
        (arrow.sort == "any" and _reaches(every, arrow.target, arrow.source))
        or (arrow.sort == "same object" and _reaches(same, arrow.target, arrow.source))
        for arrow in known
    )


def _targets(arrows: Iterable[Arrow]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for arrow in arrows:
        found.setdefault(arrow.source, set()).add(arrow.target)
    return found


def _reaches(targets: Mapping[str, Collection[str]], start: str, end: str) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == end:
            return True
        new = [node for node in targets.get(here, ()) if node not in seen]
        seen.update(new)
        waiting += new
    return False
