"""Draw how often a graph is found exactly: `python -m tools.recovery_curves --repeats 20`.

As in Meinshausen and Bühlmann (2006) and Ravikumar, Wainwright and Lafferty (2010), rows are drawn from
chains, stars and grids of three sizes, and the share of exact answers is drawn against n / (d·log p),
with n rows, p nodes and d the most neighbours of a node. Where theory holds the three lines fall together.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, log, sqrt
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import structlearn as sl

PICTURE = Path(__file__).parents[1] / "docs" / "figures" / "recovery.svg"
N_POINTS = 10
# Halfway between black and white, so that the picture reads on a page of either.
INK = "#7d8590"
LINES = (("#3b82f6", "o"), ("#e0701f", "s"), ("#a45ee5", "^"))
Shape = Callable[[int], sl.Graph]


@dataclass(frozen=True)
class Family:
    """Models on a graph, and the learner that should find the graph again."""

    name: str
    model: Callable[[sl.Graph, np.random.Generator], sl.GaussianGraphicalModel | sl.IsingModel]
    learner: Callable[[sl.Graph, int], sl.NeighborhoodSelection | sl.IsingNeighborhoods]
    furthest: Mapping[str, float]  # where the axis of each shape ends


def chain(p: int) -> sl.Graph:
    """Every node joined to the next."""
    return _graph(p, [(i, i + 1) for i in range(p - 1)])


def star(p: int) -> sl.Graph:
    """One node joined to an eighth of the others, which are else alone."""
    return _graph(p, [(0, i) for i in range(1, p // 8 + 1)])


def grid(p: int) -> sl.Graph:
    """A square of nodes, joined to those beside, above and below."""
    side = round(sqrt(p))
    across = [(i, i + 1) for i in range(p) if (i + 1) % side]
    return _graph(p, across + [(i, i + side) for i in range(p - side)])


def gaussian(graph: sl.Graph, _: np.random.Generator) -> sl.GaussianGraphicalModel:
    """Partial correlations of 0.8 / d, or 0.6 / √d on a star: all edges alike, and positive definite."""
    d = most_neighbours(graph)
    strength = 0.6 / sqrt(d) if is_star(graph) else 0.8 / d
    return sl.GaussianGraphicalModel(graph, np.eye(len(graph)) - strength * graph.adjacency())


def ising(graph: sl.Graph, rng: np.random.Generator) -> sl.IsingModel:
    """Couplings of 0.5 with signs at random, 1 / √d on a star, and no fields."""
    strength = 1.0 / sqrt(most_neighbours(graph)) if is_star(graph) else 0.5
    signs = rng.choice([-1.0, 1.0], len(graph.edges))
    couplings = dict(zip(graph.undirected, (strength * signs).tolist(), strict=True))
    return sl.IsingModel(graph, dict.fromkeys(graph.nodes, 0.0), couplings)


def lasso(_: sl.Graph, __: int) -> sl.NeighborhoodSelection:
    """The penalty of theory, at level 0.05."""
    return sl.NeighborhoodSelection()


def logistic(graph: sl.Graph, n_rows: int) -> sl.IsingNeighborhoods:
    """The penalty c·√(log p / n) of theory, with a larger constant where there are cycles."""
    constant = 2.5 if len(graph.edges) < len(graph) else 3.5
    return sl.IsingNeighborhoods(penalty=constant * sqrt(log(len(graph)) / n_rows), field=False)


def most_neighbours(graph: sl.Graph) -> int:
    """The d of n / (d·log p)."""
    return int(graph.adjacency().sum(axis=0).max())


def is_star(graph: sl.Graph) -> bool:
    """Whether one node has a part in every edge."""
    return most_neighbours(graph) == len(graph.edges)


SHAPES: Mapping[str, tuple[Shape, tuple[int, int, int]]] = {
    "chain": (chain, (16, 32, 64)),
    "star": (star, (32, 64, 128)),
    "grid": (grid, (16, 36, 64)),
}
FAMILIES = (
    Family("Gaussian", gaussian, lasso, {"chain": 50, "star": 40, "grid": 150}),
    Family("Ising", ising, logistic, {"chain": 60, "star": 40, "grid": 120}),
)


def success_rate(family: Family, graph: sl.Graph, n_rows: int, n_repeats: int) -> float:
    """How often the learner finds exactly this graph, in tables of that many rows."""
    n_found = 0
    for seed in range(n_repeats):
        rng = np.random.default_rng((seed, n_rows))
        data = family.model(graph, rng).sample(n_rows, random_state=rng)
        n_found += family.learner(graph, n_rows).fit(data).graph_ == graph
    return n_found / n_repeats


def draw_curves(panel: Axes, family: Family, shape: str, n_repeats: int) -> None:
    """Draw a line for each of the three sizes."""
    make, sizes = SHAPES[shape]
    controls = np.linspace(0.0, family.furthest[shape], N_POINTS + 1)[1:].tolist()
    for p, (colour, marker) in zip(sizes, LINES, strict=True):
        graph = make(p)
        unit = most_neighbours(graph) * log(p)
        rates = [success_rate(family, graph, ceil(control * unit), n_repeats) for control in controls]
        panel.plot(controls, rates, color=colour, marker=marker, markersize=4, lw=1.5, label=f"p = {p}")
        sys.stdout.write(f"{family.name} {shape} p={p}: {rates}\n")
        sys.stdout.flush()
    panel.set_title(f"{family.name}, {shape}", color=INK, fontsize=11)
    panel.legend(frameon=False, labelcolor=INK, fontsize=9, loc="lower right")


def picture(n_repeats: int) -> Figure:
    """Draw a panel for each family and shape."""
    figure = Figure(figsize=(9.6, 5.6), layout="constrained")
    panels = figure.subplots(len(FAMILIES), len(SHAPES), sharey=True)
    for row, family in zip(panels, FAMILIES, strict=True):
        for panel, shape in zip(row, SHAPES, strict=True):
            draw_curves(panel, family, shape, n_repeats)
            _quieten(panel)
    figure.supxlabel("n / (d log p)", color=INK, fontsize=11)
    figure.supylabel(f"share of exact answers, {n_repeats} runs each", color=INK, fontsize=11)
    return figure


def main() -> None:
    """Draw the curves into the documentation."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--repeats", type=int, default=20, help="how many tables for each point")
    # Letters stay letters, and the same curves give the same file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "recovery", "font.family": "sans-serif"}):
        picture(options.parse_args().repeats).savefig(PICTURE, transparent=True, metadata={"Date": None})


def _graph(p: int, pairs: list[tuple[int, int]]) -> sl.Graph:
    names = [f"x{i}" for i in range(p)]
    return sl.Graph(names, undirected=[(names[a], names[b]) for a, b in pairs])


def _quieten(panel: Axes) -> None:
    panel.set_xlim(left=0.0)
    panel.set_ylim(-0.04, 1.04)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(INK)
    panel.tick_params(colors=INK, labelsize=9)
    panel.grid(axis="y", color=INK, alpha=0.25, linewidth=0.8)


if __name__ == "__main__":
    main()
