"""Where nodes stand: in layers, by springs or on a circle, as the graph needs."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.graphs.edge import SYMMETRIC
from structlearn.graphs.separation import topological_order
from structlearn.plots.drawing import Direction, Drawing

Attributes = Mapping[str, object]
Engine = Literal["dot", "sfdp", "circo", "neato", "fdp"]

# More nodes in layers are a strip that no page holds: 109 nodes were 15 times as wide as high.
MOST_NODES_IN_LAYERS = 60
# Measured: 1,200 edges take layers 3 s, and 100 nodes take bent lines 2 s; both grow fast. An edge takes a
# place in each layer that it passes: all edges between 30 nodes, 4,500 places, take 7 s, and between 40 nodes
# half a minute.
MOST_EDGES_IN_LAYERS = 1500
MOST_PLACES_IN_LAYERS = 5000
MOST_NODES_WITH_BENT_LINES, MOST_BENT_LINES = 80, 320
# Springs between all pairs: 800 nodes take 1.6 s of them, or 0.9 s in fewer rounds, with nearly the same
# picture; 2,000 nodes take 4 s. Of more, sfdp has springs between near ones only.
MOST_NODES_WITH_ALL_ROUNDS, MOST_NODES_WITH_ALL_SPRINGS = 400, 2000
FEWER_ROUNDS = 10

BETWEEN_NODES = 9  # points
LAYERS: Attributes = {"ranksep": 0.42, "nodesep": 0.22}
RANKS: Mapping[Direction, str] = {"down": "TB", "right": "LR", "up": "BT", "left": "RL"}
SPRINGS: Attributes = {"mode": "sgd", "start": 1, "overlap": "vpsc", "sep": f"+{BETWEEN_NODES}"}


def engine_for(drawing: Drawing) -> Engine:
    """Name the Graphviz layout: the one that was asked for, or layers for arrows and springs for lines."""
    graph = drawing.graph
    if drawing.layout != "auto":
        return drawing.layout
    if len(graph) > MOST_NODES_IN_LAYERS:
        return "neato" if len(graph) <= MOST_NODES_WITH_ALL_SPRINGS else "sfdp"
    if (
        (graph.edge_kinds <= SYMMETRIC and not drawing.columns_of_time)
        or len(graph.edges) > MOST_EDGES_IN_LAYERS
        or _n_places(graph) > MOST_PLACES_IN_LAYERS
    ):
        return "fdp" if drawing.groups else "neato"
    return "dot"


def has_boxes(engine: Engine) -> bool:
    """Whether the layout keeps the nodes of a group together, so that a box can stand round them."""
    return engine in {"dot", "fdp"}


def is_spread(drawing: Drawing, engine: Engine) -> bool:
    """Whether the engine places points only, and the boxes are pushed apart afterwards.

    What Graphviz has for that makes a strip of hundreds of nodes.
    """
    return engine == "sfdp" or (engine == "neato" and len(drawing.graph) > MOST_NODES_IN_LAYERS)


def page_attributes(drawing: Drawing, engine: Engine) -> Attributes:
    """What Graphviz is told about the layout."""
    graph = drawing.graph
    if engine == "dot":
        usual: Direction = "right" if drawing.columns_of_time else "down"
        return {**LAYERS, "rankdir": RANKS[drawing.direction or usual]}
    few = len(graph) <= MOST_NODES_WITH_BENT_LINES and len(graph.edges) <= MOST_BENT_LINES
    lines = {"splines": "true" if few else "line"}
    if engine == "circo":
        return lines
    if not is_spread(drawing, engine):
        return {**SPRINGS, **lines}
    rounds = {} if len(graph) <= MOST_NODES_WITH_ALL_ROUNDS else {"maxiter": FEWER_ROUNDS}
    springs = {"mode": "sgd", **rounds} if engine == "neato" else {}
    # Straight lines between so many nodes cross some of them: their names stay readable on top.
    return {"start": 1, "overlap": "true", "outputorder": "edgesfirst", **springs, **lines}


def places_in(plain: bytes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The centre and the size of each node, in points, of what Graphviz writes as plain text."""
    lines = (line.split(" ") for line in plain.decode().split("\n") if line.startswith("node "))
    found = {
        int(name.strip('"').removeprefix("node-")): [72 * float(number) for number in numbers[:4]]
        for _, name, *numbers in lines
    }
    table = np.array([found[i] for i in range(len(found))]).reshape(-1, 4)
    return table[:, :2], table[:, 2:]


def _n_places(graph: Graph) -> int:
    """How many layers the arrows of a graph pass, all together; 0 where there is no order."""
    order = topological_order(graph.links)
    layer = [0] * len(graph)
    for node in order or ():
        layer[node] = 1 + max((layer[parent] for parent in graph.links.parents(node).tolist()), default=-1)
    return (
        sum(layer[target] - layer[source] for source, target in graph.links.arrows.tolist()) if order else 0
    )
