"""What is known about the edges before any data are seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.naming import listed, meant

Arrow = tuple[str, str]


@dataclass(frozen=True, init=False, repr=False)
class Knowledge:
    """Edges that must be there, edges that must not, and an order of tiers.

    Parameters
    ----------
    required : iterable of (source, target)
        Arrows that the graph must have.
    forbidden : iterable of (source, target)
        Arrows that it must not have; the other direction stays allowed.
    tiers : iterable of iterables of names
        Groups from the earliest to the latest. No arrow goes from a later tier to an earlier one.
        A name that is in no tier is free.

    Notes
    -----
    Knowledge that contradicts itself is an OptionError, here and not in a search. An undirected edge
    honours knowledge only if both its directions are allowed and none is required.

    Examples
    --------
    >>> import structlearn as sl
    >>> known = sl.Knowledge(forbidden=[("b", "c")], tiers=[["a"], ["b", "c"]])
    >>> known
    Knowledge(forbidden=[('b', 'c')], tiers=[('a',), ('b', 'c')])
    >>> known.violations(sl.Graph(["a", "b", "c"], directed=[("c", "a")]))
    ["forbidden c → a is there ('a' is in an earlier tier than 'c')"]
    """

    required: frozenset[Arrow]
    forbidden: frozenset[Arrow]
    tiers: tuple[frozenset[str], ...]

    def __init__(
        self,
        required: Iterable[Arrow] = (),
        forbidden: Iterable[Arrow] = (),
        tiers: Iterable[Iterable[str]] = (),
    ) -> None:
        object.__setattr__(self, "required", _arrows("required", required))
        object.__setattr__(self, "forbidden", _arrows("forbidden", forbidden))
        object.__setattr__(self, "tiers", _groups(tiers))
        self._refuse_contradictions()

    @property
    def contexts(self) -> frozenset[str]:
        """Those names that are no columns of a person's table, but say what was changed in a row of it."""
        return frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that occurs, sorted."""
        return tuple(sorted({*chain(*self.required, *self.forbidden, *self.tiers)}))

    def check(self, names: Sequence[str]) -> None:
        """Refuse knowledge of a column that does not exist."""
        unknown = sorted(set(self.names) - set(names))
        if unknown:
            raise OptionError(
                f"Knowledge: there is no column {listed(unknown)}{meant(unknown[0], names)}; the columns are "
                f"{listed(names)}. Correct the name, or use knowledge.restricted(names)."
            )

    def forbids(self, source: str, target: str) -> bool:
        """Whether source → target is forbidden, by itself or by the tiers."""
        return (source, target) in self.forbidden or self._runs_back(source, target)

    def matrices(self, names: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """What is required and what is forbidden, tiers included, as matrices `[source, target]`."""
        self.check(names)
        index = {name: i for i, name in enumerate(names)}
        required = np.zeros((len(names), len(names)), dtype=bool)
        for source, target in self.required:
            required[index[source], index[target]] = True
        forbidden = np.zeros_like(required)
        if self.tiers:
            tier = np.array([self._tier_of.get(name, -1) for name in names], dtype=np.int64)
            forbidden = (tier[:, None] > tier[None, :]) & (tier[None, :] >= 0)
        for source, target in self.forbidden:
            forbidden[index[source], index[target]] = True
        return required, forbidden

    def violations(self, graph: Graph) -> list[str]:
        """A sentence for each piece of knowledge that the graph does not honour."""
        self.check(graph.nodes)
        arrows = set(graph.directed)
        found = [f"required {a} → {b} is missing" for a, b in sorted(self.required) if (a, b) not in arrows]
        found += [
            f"forbidden {a} → {b} is there{self._why(a, b)}" for a, b in graph.directed if self.forbids(a, b)
        ]
        for a, b in graph.undirected:
            for source, target in ((a, b), (b, a)):
                if self.forbids(source, target):
                    why = self._why(source, target)
                    found.append(f"{a} — {b} is undirected, but {source} → {target} is forbidden{why}")
        return found

    def forbidding(self, arrows: Iterable[Arrow]) -> "Knowledge":
        """The same knowledge, and that these arrows are forbidden, too."""
        return Knowledge(self.required, [*self.forbidden, *arrows], self.tiers)

    def restricted(self, names: Iterable[str]) -> "Knowledge":
        """What remains of the knowledge for some of the columns."""
        kept = frozenset(names)
        return Knowledge(
            required=(pair for pair in self.required if kept.issuperset(pair)),
            forbidden=(pair for pair in self.forbidden if kept.issuperset(pair)),
            tiers=[tier & kept for tier in self.tiers],
        )

    def save(self, path: str | Path) -> None:
        """Write the knowledge to a file: .knowledge, in plain lines, or .txt, as Tetrad has it."""
        from structlearn.formats import save  # noqa: PLC0415, a door to a later layer

        save(self, path)

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.tiers)

    def __repr__(self) -> str:
        parts = [
            f"{field}={sorted(pairs)}"
            for field, pairs in (("required", self.required), ("forbidden", self.forbidden))
            if pairs
        ]
        if self.tiers:
            parts.append(f"tiers={[tuple(sorted(tier)) for tier in self.tiers]}")
        return f"Knowledge({', '.join(parts)})"

    @cached_property
    def _tier_of(self) -> dict[str, int]:
        return {name: i for i, tier in enumerate(self.tiers) for name in tier}

    def _runs_back(self, source: str, target: str) -> bool:
        tier_of = self._tier_of
        return source in tier_of and target in tier_of and tier_of[source] > tier_of[target]

    def _why(self, source: str, target: str) -> str:
        if (source, target) in self.forbidden:
            return ""
        return f" ({target!r} is in an earlier tier than {source!r})"

    def _refuse_contradictions(self) -> None:
        for source, target in sorted(self.required):
            if (source, target) in self.forbidden:
                raise OptionError(f"Knowledge: {source} → {target} is both required and forbidden. Drop one.")
            if self._runs_back(source, target):
                raise OptionError(
                    f"Knowledge: {source} → {target} is required, but {target!r} is in an earlier tier than "
                    f"{source!r}. Drop the edge, or move one of them to another tier."
                )
        cycle = _cycle(self.required)
        if cycle:
            raise OptionError(
                f"Knowledge: the required edges form a cycle, {' → '.join(cycle)}. Drop one of them."
            )


def _arrows(option: str, pairs: Iterable[Arrow]) -> frozenset[Arrow]:
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise OptionError(f"Knowledge({option}={pairs!r}): give a list of pairs of names; [] for none.")
    found = set()
    for pair in pairs:
        if (
            isinstance(pair, str)
            or not isinstance(pair, Sequence)
            or len(pair) != 2
            or not all(isinstance(name, str) for name in pair)
        ):
            raise OptionError(f"Knowledge({option}=…): each edge is a pair of names, not {pair!r}.")
        source, target = map(str, pair)  # texts of NumPy too
        if source == target:
            raise OptionError(f"Knowledge({option}=…): {source!r} cannot have an edge to itself.")
        found.add((source, target))
    return frozenset(found)


def _groups(tiers: Iterable[Iterable[str]]) -> tuple[frozenset[str], ...]:
    if isinstance(tiers, str) or not isinstance(tiers, Iterable):
        raise OptionError(f"Knowledge(tiers={tiers!r}): give a list of lists of names; [] for none.")
    groups = []
    seen: set[str] = set()
    for tier in tiers:
        members = [tier] if isinstance(tier, str) or not isinstance(tier, Iterable) else list(tier)
        strangers = [name for name in members if not isinstance(name, str)]
        if strangers:
            raise OptionError(
                f"Knowledge(tiers=…): a tier is a list of names, but one holds {strangers[0]!r}."
            )
        names = frozenset(map(str, members))
        repeated = sorted(seen & names)
        if repeated:
            raise OptionError(
                f"Knowledge(tiers=…): {listed(repeated)} is in two tiers; a name has one at most."
            )
        seen |= names
        groups.append(names)
    return tuple(group for group in groups if group)


def _cycle(arrows: Iterable[Arrow]) -> list[str]:
    """The nodes of a directed cycle, the first again at the end; empty where there is none."""
    children: dict[str, list[str]] = {}
    parents: dict[str, list[str]] = {}
    for source, target in sorted(arrows):
        children.setdefault(source, []).append(target)
        parents.setdefault(target, []).append(source)
    # What only leads out of an acyclic part is peeled away; a walk in the rest must come round.
    n_left = {name: len(found) for name, found in children.items()}
    dead_ends = [name for name in parents if name not in children]
    while dead_ends:
        for parent in parents.get(dead_ends.pop(), ()):
            n_left[parent] -= 1
            dead_ends += [parent] if n_left[parent] == 0 else []
    left = {name for name, n_children in n_left.items() if n_children}
    if not left:
        return []
    place: dict[str, int] = {}
    here = min(left)
    while here not in place:
        place[here] = len(place)
        here = next(child for child in children[here] if child in left)
    return [*list(place)[place[here] :], here]
