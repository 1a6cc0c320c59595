"""What a search for modules found, under names: modules, programmes, graphs and a model."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Edge, Graph
from structlearn.learners.network.modules.problem import Floats, Problem
from structlearn.learners.network.modules.programs import Vertex
from structlearn.learners.network.modules.state import State, program_of

Tree = Any  # a leaf's mean and variance, or what is needed to make a Split
Units = dict[str, tuple[float, float]]


def named_modules(state: State) -> dict[str, int]:
    """The names of the modules that have columns, the largest first, with their numbers in the search.

    A name that a column has is passed over.
    """
    there, firsts, counts = np.unique(state.modules, return_index=True, return_counts=True)
    ordered = there[np.lexsort((firsts, -counts))].tolist()
    names = (name for k in count(1) if (name := f"module {k}") not in state.problem.names)
    return dict(zip(names, ordered, strict=False))


def members_of(state: State, m: int) -> tuple[str, ...]:
    """The columns of a module."""
    problem = state.problem
    return tuple(problem.names[j] for j in problem.members[state.modules == m].tolist())


def gains_of(state: State, m: int) -> dict[str, float]:
    """The regulators of a module with what their splits gain, the strongest first."""
    found = sorted(state.gains(m).items(), key=lambda item: (-item[1], item[0]))
    return {state.problem.names[j]: gain for j, gain in found}


def plain_tree(state: State, m: int) -> dict[str, Any]:
    """The programme of a module as a tree in the form of JSON, thresholds in the units of the regulators."""
    program, means, variances = program_of(state, m)
    numbers = iter(zip(means.tolist(), variances.tolist(), strict=True))
    parents = sorted(state.problem.names[j] for j in program.parents)
    return {
        "parents": {name: [] for name in parents},
        "tree": _plain(program.root, state.problem, numbers),
    }


def _plain(vertex: Vertex, problem: Problem, numbers: Any) -> Tree:
    if vertex.low is None or vertex.high is None:
        return list(next(numbers))
    name = problem.names[vertex.regulator]
    branches = [_plain(below, problem, numbers) for below in (vertex.low, vertex.high)]
    return {"parent": name, "branches": branches, "at": vertex.threshold}


def module_graph(modules: Mapping[str, tuple[str, ...]], gains: Mapping[str, Mapping[str, float]]) -> Graph:
    """Arrows from regulators to modules, which know their columns; a regulator knows its module."""
    regulators = sorted({name for each in gains.values() for name in each})
    home = {name: module for module, members in modules.items() for name in members}
    edges = [
        Edge(name, module, "directed", weight=gain)
        for module, each in gains.items()
        for name, gain in each.items()
    ]
    facts: dict[str, dict[str, Any]] = {module: {"members": members} for module, members in modules.items()}
    facts |= {name: {"module": home[name].removeprefix("module ")} for name in regulators if name in home}
    return Graph.from_edges([*regulators, *modules], edges, facts=facts)


def columns_of_trace(steps: list[tuple[int, int, str, float, int]]) -> dict[str, NDArray[Any]]:
    """The half-steps of all starts, as columns."""
    names = ("start", "n_modules", "step", "score", "n_changed")
    found = dict(zip(names, map(list, zip(*steps, strict=True)), strict=True))
    return {name: np.array(column) for name, column in found.items()}


def units_of(names: tuple[str, ...], means: Floats, deviations: Floats) -> Units:
    """The mean and deviation of each column, by name."""
    return {
        name: (mean, deviation)
        for name, mean, deviation in zip(names, means.tolist(), deviations.tolist(), strict=True)
    }
