"""Random graphs for tests, benchmarks and simulation studies."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Literal

import numpy as np

from structlearn.errors import OptionError
from structlearn.graphs.graph import Graph
from structlearn.graphs.links import Positions
from structlearn.graphs.shapes import KIND, SHAPES, Kind, Shape
from structlearn.graphs.uniform_dags import uniform_arrows
from structlearn.naming import has_no
from structlearn.options import OneOf, OrNone, Rules, Whole, check_options
from structlearn.options.seeds import Seed, generator_of

Direction = Literal["random", "old-to-new", "new-to-old"]

RULES: Rules = {
    "n_nodes": Whole(0, "the number of nodes"),
    "kind": KIND,
    "direction": OneOf(("random", "old-to-new", "new-to-old"), "which way arrows point"),
    "max_parents": OrNone(Whole(0, "the most parents a node may have"), "no limit"),
}


def random_dag(
    n_nodes: int,
    *,
    kind: Kind = "erdos-renyi",
    direction: Direction = "random",
    max_parents: int | None = None,
    random_state: Seed = None,
    names: Sequence[str] | None = None,
    **options: Any,
) -> Graph:
    """Draw a directed acyclic graph of a given kind.

    Parameters
    ----------
    n_nodes : int
        The number of nodes.
    kind : str, default "erdos-renyi"
        "erdos-renyi": every edge with the same probability. "scale-free": hubs. "small-world":
        a ring with shortcuts. "hierarchical": modules of modules. "uniform": every labelled DAG with
        the same probability, up to 150 nodes.
    direction : "random", "old-to-new" or "new-to-old", default "random"
        Whether arrows follow a random order of the nodes, or the order in which the graph grew
        (x0 is then the oldest node). A uniform DAG has its own directions.
    max_parents : int or None, default None
        The most parents of a node; of more, some are dropped at random.
    random_state : int, numpy Generator or None, default None
        Reproduces a draw.
    names : sequence of str, optional
        The names of the nodes; x0, x1, … without.
    **options
        Of "erdos-renyi": `expected_degree` (2.0), how many edges a node has on average.
        Of "scale-free": `n_links` (1) old nodes that a new one joins, `attractiveness` (0.0),
        `triangles` (0.0). Of "small-world": `degree` (4), `rewiring` (0.1), `keep_ring` (False),
        `connected` (False), `tries` (100). Of "hierarchical": `module_size` (5), of which n_nodes is a
        power, and `joining` (None). See the classes of `structlearn.graphs.shapes`.

    Examples
    --------
    >>> random_dag(4, expected_degree=3, random_state=0).is_dag
    True
    >>> len(random_dag(50, kind="scale-free", n_links=2, random_state=0).edges)
    96
    """
    checked = {"n_nodes": n_nodes, "kind": kind, "direction": direction, "max_parents": max_parents}
    check_options("random_dag", RULES, checked)
    generator = generator_of("random_dag", random_state)
    if kind == "uniform":
        _refuse_options("random_dag", kind, options, known=())
        arrows = uniform_arrows(n_nodes, generator)
    else:
        shape = _shape("random_dag", kind, options)
        arrows = _arrows(shape, n_nodes, direction=direction, generator=generator)
    if max_parents is not None:
        arrows = _limited(arrows, max_parents, generator)
    nodes = _names(n_nodes, names)
    return Graph(nodes, directed=[(nodes[i], nodes[j]) for i, j in arrows.tolist()])


def random_undirected(
    n_nodes: int,
    *,
    kind: Kind = "erdos-renyi",
    random_state: Seed = None,
    names: Sequence[str] | None = None,
    **options: Any,
) -> Graph:
    """Draw an undirected graph of any kind but "uniform"; see `random_dag`.

    Nodes are in the order in which the graph grew: the hubs of a scale-free graph come first.
    """
    check_options("random_undirected", RULES, {"n_nodes": n_nodes, "kind": kind})
    if kind == "uniform":
        raise OptionError(
            'random_undirected(kind="uniform"): ask for expected_degree=(n_nodes - 1) / 2 instead; then '
            "every undirected graph has the same probability."
        )
    generator = generator_of("random_undirected", random_state)
    pairs = _shape("random_undirected", kind, options).pairs(n_nodes, generator)
    nodes = _names(n_nodes, names)
    return Graph(nodes, undirected=[(nodes[i], nodes[j]) for i, j in pairs.tolist()])


def _shape(owner: str, kind: str, options: dict[str, Any]) -> Shape:
    """The shape of that name with these options, or a refusal of what it does not know."""
    shape: Any = SHAPES[kind]
    _refuse_options(owner, kind, options, known=[option.name for option in fields(shape)])
    check_options(owner, shape.rules, options)
    made: Shape = shape(**options)
    return made


def _refuse_options(owner: str, kind: str, options: dict[str, Any], *, known: Sequence[str]) -> None:
    for name in options:
        if name not in known:
            raise OptionError(has_no(f"{owner}(kind={kind!r})", "option", name, known, shown=len(known)))


def _arrows(shape: Shape, n_nodes: int, *, direction: Direction, generator: np.random.Generator) -> Positions:
    pairs = shape.pairs(n_nodes, generator)
    if direction != "random":
        return pairs if direction == "old-to-new" else pairs[:, ::-1]
    if shape.has_order:
        # Old nodes must not become sources: first forget who is old.
        pairs = np.sort(generator.permutation(n_nodes)[pairs], axis=1)
    return generator.permutation(n_nodes)[pairs]


def _limited(arrows: Positions, max_parents: int, generator: np.random.Generator) -> Positions:
    """Keep at most `max_parents` arrows into each node, drawn alike."""
    drawn = arrows[generator.permutation(len(arrows))]
    by_target = drawn[np.argsort(drawn[:, 1], kind="stable")]
    is_first = np.r_[True, by_target[1:, 1] != by_target[:-1, 1]][: len(arrows)]
    group_starts = np.flatnonzero(is_first)
    place_in_group = np.arange(len(arrows)) - np.repeat(
        group_starts, np.diff(np.r_[group_starts, len(arrows)])
    )
    return by_target[place_in_group < max_parents]


def _names(n_nodes: int, names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return tuple(f"x{i}" for i in range(n_nodes))
    if len(names) != n_nodes:
        raise OptionError(f"A random graph of {n_nodes} nodes needs as many names, not {len(names)}.")
    return tuple(names)
