"""Linear effects of one column on another, as far as a graph tells them.

Where an adjustment gives the effect, one regression does. In an equivalence class whose members disagree,
each possible set of parents of the cause gives a value, and the effect is among these values [1]_.

References
----------
.. [1] Maathuis, Kalisch and Bühlmann (2009), Estimating high-dimensional intervention effects from
   observational data, Annals of Statistics 37.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.graphs.adjustment_sets import AdjustmentSets
from structlearn.inference.linear_effects import LinearEffect, Regressions
from structlearn.naming import listed
from structlearn.statistics import Missing

Chosen = Literal["optimal", "minimal", "canonical"]
CHOICES = ("optimal", "minimal", "canonical")
LEARNED = (
    "The graph was learned: intervals from the rows that it was learned from are too narrow. Learn from one "
    "half of the rows, and estimate from the other."
)


@dataclass(frozen=True)
class Effect:
    """What the cause does to the effect when it is raised by one: a value, or all that a class allows.

    Parameters
    ----------
    cause, effect : str
        The two columns.
    level : float
        How sure the intervals are.
    values : tuple of LinearEffect
        One where the effect is identified; else one for each set that the parents of the cause may be.
    notes : tuple of str
        What to know of them.
    """

    cause: str
    effect: str
    level: float
    values: tuple[LinearEffect, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_identified(self) -> bool:
        """Whether the graph leaves one value."""
        return len(self.values) == 1

    @property
    def value(self) -> float | None:
        """The effect; None where the graph leaves several."""
        return self.values[0].value if self.is_identified else None

    @property
    def interval(self) -> tuple[float, float]:
        """An interval that holds the effect, or the intervals of all values together."""
        lows, highs = zip(*(found.interval for found in self.values), strict=True)
        return min(lows), max(highs)

    @property
    def smallest(self) -> float:
        """How large the effect is at least, whatever its sign: the smallest of the values."""
        return min(abs(found.value) for found in self.values)

    def __str__(self) -> str:
        of = f"effect of {self.cause} on {self.effect}"
        low, high = self.interval
        if self.is_identified:
            given = listed(self.values[0].given) or "nothing"
            interval = f"({self.level:.0%} interval {low:.4g} to {high:.4g})"
            head = f"The {of} is {self.value:.4g} {interval}, given {given}."
        else:
            lines = [f"  {found}" for found in self.values]
            head = "\n".join([f"The {of} is one of {len(self.values)} values:", *lines])
        return "\n".join([head, *self.notes])


def effect(  # noqa: PLR0913, each by name
    graph: Graph,
    data: Any,
    x: str,
    y: str,
    *,
    given: Chosen | Sequence[str] = "optimal",
    level: float = 0.95,
    weights: bool = False,
    missing: Missing = "error",
) -> Effect:
    """Estimate the linear effect of one column on another, with an interval.

    Parameters
    ----------
    graph : Graph
        A DAG, CPDAG, MAG or PAG with the two as nodes.
    data : data frame, array, dict of columns, path or Dataset
        The table; its columns are continuous.
    x, y : str
        The cause and the effect.
    given : "optimal", "minimal", "canonical" or a list of names, default "optimal"
        What to adjust for, where the graph tells the effect by adjustment. Without an optimal set, as in
        graphs with hidden causes, a minimal one.
    level : float, default 0.95
        How sure the intervals are.
    weights : bool, default False
        Whether to count how many members of a class agree with each value (`n_members`).
    missing : "error" or "drop", default "error"
        What to do about rows that miss a value.

    Returns
    -------
    Effect
        The value, or the values that the members of the class have.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> z, x_noise, y_noise = np.random.default_rng(0).normal(size=(3, 1000))
    >>> x = z + x_noise
    >>> graph = sl.Graph("xyz", directed=["zx", "zy", "xy"])
    >>> print(sl.effect(graph, {"x": x, "y": 2 * x + z + y_noise, "z": z}, "x", "y"))
    The effect of x on y is 2.007 (95% interval 1.948 to 2.067), given 'z'.
    """
    sets = graph.adjustment_sets(x, y)
    regressions = Regressions(data, graph.nodes, x, y, level=level, missing=missing)
    notes = (LEARNED,) if graph.record is not None else ()
    if not sets.is_possible:
        none = LinearEffect(0.0, 0.0, (0.0, 0.0), ())
        return Effect(x, y, level, (none,), (f"By the graph {x} is not a cause of {y}.",))
    if sets.canonical is not None:
        return Effect(x, y, level, (regressions.given(chosen_set(sets, given, owner="effect")),), notes)
    if sets.adjustment.hides_causes:
        raise DataError(f"effect: {sets}")
    found = tuple(_of_every_parent_set(graph, regressions, x, y, weights=weights))
    return Effect(x, y, level, found, (f"No adjustment gives one value: {sets.reason}.", *notes))


def chosen_set(sets: AdjustmentSets, given: Chosen | Sequence[str], *, owner: str) -> tuple[str, ...]:
    """The set of this name, or this one where it gives the effect."""
    if isinstance(given, str):
        if given not in CHOICES:
            raise OptionError(f"{owner}(given={given!r}): one of {listed(CHOICES)}, or a list of names.")
        found: tuple[str, ...] | None = getattr(sets, given)
        return found if found is not None else sets.minimal or ()
    if not sets.is_valid(given):
        raise OptionError(
            f"{owner}(given={list(given)!r}): this set does not give the effect; {sets.minimal!r} does."
        )
    return tuple(given)


def _of_every_parent_set(
    graph: Graph, regressions: Regressions, x: str, y: str, *, weights: bool
) -> Iterator[LinearEffect]:
    for chosen in possible_parents(graph, x):
        parents = (*graph.parents(x), *chosen)
        found = LinearEffect(0.0, 0.0, (0.0, 0.0), parents) if y in parents else regressions.given(parents)
        yield replace(found, n_members=_n_members(graph, x, chosen) if weights else None)


def possible_parents(graph: Graph, node: str) -> Iterator[tuple[str, ...]]:
    """Which neighbours of a node of a CPDAG may be its parents together: those that are all joined."""
    return _cliques(graph, graph.neighbors(node))


def _cliques(graph: Graph, nodes: Sequence[str], chosen: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every set of nodes that are all joined to each other, the empty one first."""
    yield chosen
    for i, node in enumerate(nodes):
        joined = set(graph.adjacent(node))
        yield from _cliques(graph, [n for n in nodes[i + 1 :] if n in joined], (*chosen, node))


def _n_members(graph: Graph, x: str, parents: Sequence[str]) -> int:
    """How many members have just these of the neighbours of x as parents."""
    arrows = [(node, x) if node in parents else (x, node) for node in graph.neighbors(x)]
    lines = [pair for pair in graph.undirected if x not in pair]
    return Graph(graph.nodes, directed=[*graph.directed, *arrows], undirected=lines).n_members()
