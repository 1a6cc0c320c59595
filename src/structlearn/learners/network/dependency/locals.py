"""The distribution of every column, by either learner, and what is published of them."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from structlearn.graphs import Edge, Graph
from structlearn.learners.network.dependency.learner import DependencyLearner
from structlearn.learners.network.dependency.local import Columns, Local
from structlearn.learners.network.dependency.own_units import in_own_units
from structlearn.learners.network.dependency.refits import Refitter
from structlearn.learners.network.dependency.regressions import chosen_parents, strongest
from structlearn.learners.network.dependency.tails import prices_by_tails
from structlearn.learners.network.dependency.trees import TreeGrower
from structlearn.learners.regression.nodewise.node_blocks import NodeBlocks
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.statistics import Statistics


def grown_trees(
    columns: Columns, statistics: Statistics, options: DependencyLearner, go: NodeBlocks
) -> list[Local]:
    """A tree for each column; those that time leaves out have no tests."""
    grower = TreeGrower(columns, options, prices_by_tails(columns, statistics, options, go.run))
    return _each(
        lambda child: grower.local(child, max_depth=options.max_depth),
        lambda child: grower.local(child, max_depth=0),
        go,
    )


def fitted_regressions(
    columns: Columns, statistics: Statistics, options: DependencyLearner, go: NodeBlocks
) -> list[Local]:
    """A regression for each column on those that a penalty leaves."""
    coefficients = chosen_parents(statistics, columns, options, go, seed=options.random_state)
    is_chosen = strongest(coefficients, columns, options.max_parents)
    refitter = Refitter(columns)
    return _each(
        lambda child: refitter.local(child, np.flatnonzero(is_chosen[child]).tolist()),
        lambda child: refitter.local(child, []),
        go,
    )


def _each(learn: Callable[[int], Local], alone: Callable[[int], Local], go: NodeBlocks) -> list[Local]:
    found: dict[int, Local] = {}

    def work(nodes: slice) -> None:
        for child in range(nodes.start, nodes.stop):
            if not go.run.must_stop():
                found[child] = learn(child)

    go(work)
    return [found[child] if child in found else alone(child) for child in range(go.n_nodes)]


def outcome_of(columns: Columns, locals_: Sequence[Local], run: Run) -> Outcome:
    """The cyclic graph of who uses whom, with its strengths and distributions."""
    names = columns.names
    locals_ = [in_own_units(columns, child, each) for child, each in enumerate(locals_)]
    strength = np.zeros((len(names), len(names)))
    for child, each in enumerate(locals_):
        for parent, gain in each.gains.items():
            strength[parent, child] = gain
    arcs = [(parent, child) for child, each in enumerate(locals_) for parent in each.gains]
    starts = {
        name: _start(columns, column) for column, name in enumerate(names) if not columns.levels[column]
    }
    extra: dict[str, Any] = {
        "conditionals": {name: each.conditional for name, each in zip(names, locals_, strict=True)},
        "starts": starts,
    }
    return Outcome(
        graph=Graph.from_edges(names, [Edge(names[a], names[b], "directed") for a, b in arcs], kind="cyclic"),
        status=run.status,
        score=float(sum(each.score for each in locals_)),
        evidence={(names[a], names[b]): EdgeEvidence(float(strength[a, b])) for a, b in arcs},
        by_node={"scores": np.array([each.score for each in locals_])},
        by_pair={"strength": strength},
        extra=extra,
    )


def _start(columns: Columns, column: int) -> tuple[float, float]:
    mean, variance = columns.mean_and_variance(column)
    unit, origin = columns.scale(column)
    return unit * mean + origin, unit * float(np.sqrt(variance))
