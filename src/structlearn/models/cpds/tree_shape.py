"""Trees of tests on the parents of a node: their vertices, where rows go, and a picture in text."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import checked_labels, checked_mapping
from structlearn.models.cpds.protocol import Rows
from structlearn.models.kernels.routing import AT_MOST, EACH_STATE, LEAF, ONE_STATE, route
from structlearn.scores.tree_growth import GrownTree
from structlearn.shown import first_lines

States = dict[str, tuple[Label, ...]]
"""The states of each parent; none for a continuous one."""


@dataclass(frozen=True)
class Split:
    """A vertex of a tree that tests a parent.

    Parameters
    ----------
    parent : str
        The name of the parent.
    branches : iterable of Split or of numbers
        What follows: one branch for each state of the parent or, with `at`, two. A branch is another
        `Split`, or the numbers of a leaf.
    at : str, int, float or bool, optional
        Of a discrete parent, the state that goes down the first branch; all others go down the
        second. Of a continuous one, the largest value that does.

    Examples
    --------
    >>> from structlearn.models import Split
    >>> Split("age", [[0.9, 0.1], Split("smoker", [[0.5, 0.5], [0.2, 0.8]])], at=60.0).parent
    'age'
    """

    parent: str
    branches: tuple[Any, ...]
    at: Label | None = None

    def __init__(self, parent: str, branches: Iterable[Any], at: Label | None = None) -> None:
        object.__setattr__(self, "parent", parent)
        object.__setattr__(self, "branches", tuple(branches))
        object.__setattr__(self, "at", at)


Tree = Split | Sequence[float] | NDArray[np.float64]
"""A split, or the numbers of a single leaf."""


class TreeShape:
    """A tree as arrays by vertex, the root first and the branches of a vertex behind each other.

    `leaf_of` has the number of each leaf, -1 at a test; `leaves` the numbers of each leaf, as given.
    """

    def __init__(self, owner: str, tree: Tree, parents: Mapping[str, Iterable[Label]]) -> None:
        self.states: States = _checked_states(owner, parents)
        vertices, self.first = _laid_out(tree)
        tests = [_test(owner, vertex, self.states) for vertex in vertices]
        self.tests, self.tested, self.at = (np.array(column) for column in zip(*tests, strict=True))
        self.at = self.at.astype(np.float64)
        self.leaf_of = np.where(self.tests == LEAF, np.cumsum(self.tests == LEAF) - 1, -1)
        self.leaves: list[Any] = [vertex for vertex in vertices if not isinstance(vertex, Split)]
        _refuse_repeated_tests(owner, self)

    @property
    def names(self) -> tuple[str, ...]:
        """The parents."""
        return tuple(self.states)

    @property
    def levels(self) -> dict[str, int]:
        """The number of states of each parent; 0 for continuous ones."""
        return {name: len(states) for name, states in self.states.items()}

    @property
    def tested_parents(self) -> tuple[str, ...]:
        """The parents that a vertex tests."""
        found = set(self.tested[self.tests != LEAF].tolist())
        return tuple(name for place, name in enumerate(self.names) if place in found)

    def branches(self, vertex: int) -> range:
        """The vertices below a test."""
        n = len(self.states[self.names[self.tested[vertex]]]) if self.tests[vertex] == EACH_STATE else 2
        return range(int(self.first[vertex]), int(self.first[vertex]) + n)

    def leaf_of_rows(self, parents: Sequence[Rows], n: int) -> NDArray[np.int64]:
        """The number of the leaf that each of `n` rows comes to."""
        points = np.array(parents, dtype=np.float64).reshape(len(self.states), n)
        reached = np.empty(n, dtype=np.int64)
        route(points, self.tests, self.tested, self.at, self.first, reached)
        found: NDArray[np.int64] = self.leaf_of[reached]
        return found

    def reachable(self, owner: str, context: Mapping[str, Label]) -> Iterator[int]:
        """The vertices that rows with these values of some parents can come to."""
        codes = {name: self._code(owner, name, value) for name, value in context.items()}
        waiting = [0]
        while waiting:
            vertex = waiting.pop()
            yield vertex
            if self.tests[vertex] == LEAF:
                continue
            code = codes.get(self.names[self.tested[vertex]])
            branches = self.branches(vertex)
            waiting += branches if code is None else [branches[self._branch(vertex, code)]]

    def nested(self, leaves: Sequence[Any]) -> Tree:
        """The tree of splits again, with these leaves."""
        built: dict[int, Any] = {}
        for vertex in reversed(range(len(self.tests))):
            if self.tests[vertex] == LEAF:
                built[vertex] = leaves[self.leaf_of[vertex]]
                continue
            branches = [built[branch] for branch in self.branches(vertex)]
            built[vertex] = Split(self.names[self.tested[vertex]], branches, self._at(vertex))
        tree: Tree = built[0]
        return tree

    def text(self, title: str, leaf_text: Callable[[int], str]) -> str:
        """The tree as lines of text under a title."""
        if self.tests[0] == LEAF:
            return f"{title}\n└─ always: {leaf_text(0)}"
        return f"{title}\n{first_lines(self._lines(0, '', leaf_text), len(self.tests) - 1)}"

    def _lines(self, vertex: int, margin: str, leaf_text: Callable[[int], str]) -> Iterator[str]:
        branches = self.branches(vertex)
        for place, branch in enumerate(branches):
            is_last = place == len(branches) - 1
            line = f"{margin}{'└─' if is_last else '├─'} {self._condition(vertex, place)}"
            if self.tests[branch] == LEAF:
                yield f"{line}: {leaf_text(self.leaf_of[branch])}"
            else:
                yield line
                yield from self._lines(branch, margin + ("   " if is_last else "│  "), leaf_text)

    def _condition(self, vertex: int, branch: int) -> str:
        name = self.names[self.tested[vertex]]
        if self.tests[vertex] == EACH_STATE:
            return f"{name} = {self.states[name][branch]}"
        if self.tests[vertex] == ONE_STATE:
            return f"{name} {'≠' if branch else '='} {self._at(vertex)}"
        return f"{name} {'>' if branch else '≤'} {self.at[vertex]:g}"

    def _branch(self, vertex: int, code: float) -> int:
        if self.tests[vertex] == EACH_STATE:
            return int(code)
        is_first = code == self.at[vertex] if self.tests[vertex] == ONE_STATE else code <= self.at[vertex]
        return 0 if is_first else 1

    def _at(self, vertex: int) -> Label | None:
        if self.tests[vertex] == ONE_STATE:
            return self.states[self.names[self.tested[vertex]]][int(self.at[vertex])]
        return float(self.at[vertex]) if self.tests[vertex] == AT_MOST else None

    def _code(self, owner: str, name: str, value: Label) -> float:
        if name not in self.states:
            raise DataError(f"{owner}: {name!r} is no parent; there are {', '.join(self.names)}.")
        return _code_of(owner, name, value, self.states[name])


def grown_split(grown: GrownTree, states: States, leaves: Sequence[Any], *, by_value: bool) -> Tree:
    """The tree of splits that grew, with the numbers of each vertex that is a leaf."""
    names = tuple(states)
    built: dict[int, Any] = {}
    for vertex in reversed(range(len(grown.parents))):
        if grown.parents[vertex] < 0:
            built[vertex] = leaves[vertex]
            continue
        name = names[grown.parents[vertex]]
        known, at = states[name], float(grown.at[vertex])
        has_two = by_value or not known
        branches = range(grown.first[vertex], grown.first[vertex] + (2 if has_two else len(known)))
        label = None if not has_two else known[int(at)] if known else at
        built[vertex] = Split(name, [built[branch] for branch in branches], label)
    tree: Tree = built[0]
    return tree


def tree_to_plain(tree: Tree) -> Any:
    """A tree as what JSON can hold: a leaf is a list, a test a mapping."""
    if not isinstance(tree, Split):
        return list(tree)
    branches = [tree_to_plain(branch) for branch in tree.branches]
    known: dict[str, Any] = {"parent": tree.parent, "branches": branches}
    return known if tree.at is None else {**known, "at": tree.at}


def tree_from_plain(known: Any) -> Tree:
    """The tree of what `tree_to_plain` gave."""
    if not isinstance(known, Mapping):
        leaf: Sequence[float] = known
        return leaf
    branches = [tree_from_plain(branch) for branch in known["branches"]]
    return Split(known["parent"], branches, known.get("at"))


def _checked_states(owner: str, parents: Any) -> States:
    known = checked_mapping(owner, "parents", parents)
    return {name: checked_labels(owner, states) if len(states) else () for name, states in known.items()}


def _laid_out(tree: Tree) -> tuple[list[Tree], NDArray[np.int64]]:
    """Every vertex, level by level, and where the branches of each begin."""
    vertices: list[Tree] = [tree]
    first: list[int] = []
    for vertex in vertices:  # it grows meanwhile
        first.append(len(vertices))
        if isinstance(vertex, Split):
            vertices.extend(vertex.branches)
    return vertices, np.array(first)


def _test(owner: str, vertex: Tree, states: States) -> tuple[int, int, float]:
    """What kind of test it is, of which parent, and the state or threshold."""
    if not isinstance(vertex, Split):
        return LEAF, -1, 0.0
    if vertex.parent not in states:
        raise DataError(f"{owner}: the tree tests {vertex.parent!r}, which is none of the parents.")
    known, place = states[vertex.parent], list(states).index(vertex.parent)
    n_wanted = len(known) if known and vertex.at is None else 2
    if len(vertex.branches) != n_wanted:
        raise DataError(
            f"{owner}: the test of {vertex.parent!r} needs {n_wanted} branches, not {len(vertex.branches)}."
        )
    if known and vertex.at is None:
        return EACH_STATE, place, 0.0
    return (
        ONE_STATE if known else AT_MOST,
        place,
        _code_of(owner, vertex.parent, vertex.at, known),
    )


def _code_of(owner: str, name: str, value: Any, states: tuple[Label, ...]) -> float:
    if states and value in states:
        return float(states.index(value))
    if not states and isinstance(value, Real) and math.isfinite(value):
        return float(value)
    allowed = f"one of {', '.join(map(repr, states))}" if states else "a finite number"
    raise DataError(f"{owner}: a value of {name!r} is {allowed}, not {value!r}.")


def _refuse_repeated_tests(owner: str, shape: TreeShape) -> None:
    """Refuse a test that repeats one above it: one of its branches could never be reached."""
    above: dict[int, frozenset[tuple[int, float]]] = {0: frozenset()}
    for vertex in np.flatnonzero(shape.tests != LEAF).tolist():
        test = (int(shape.tested[vertex]), float(shape.at[vertex]))
        if test in above[vertex]:
            name = shape.names[test[0]]
            raise DataError(f"{owner}: the tree tests {name!r} again where the answer is known.")
        for branch in shape.branches(vertex):
            above[branch] = above[vertex] | {test}
