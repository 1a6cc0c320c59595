"""The tree of clusters of columns, above a map of their similarities."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from structlearn.plots.dendrogram import similarity_of_leaves
from structlearn.report.heat_map import heat_map
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

if TYPE_CHECKING:
    from structlearn.learners.network.similarity.dendrogram import Dendrogram

MOST_COLUMNS = 100  # a map has a square for each pair: more would weigh megabytes
LEFT, TREE, CELL, LABELS = 60.0, 180.0, 16.0, 110.0


def section(subject: Subject) -> Section | None:
    """Draw the tree and the map, and list the clusters of each scale that was asked for."""
    tree: Dendrogram | None = getattr(subject.learner, "dendrogram_", None)
    if tree is None or len(tree.names) < 2:
        return None
    last = float(tree.merges[-1, 2])
    said = f"Clusters merge at the {tree.linkage} distance of their columns, the last ones at {number(last)}."
    parts = [tag("p", said), _picture(subject, tree), *map(joined, _modules(subject))]
    return Section("clusters", "Clusters", joined(parts))


def _picture(subject: Subject, tree: "Dendrogram") -> Markup:
    if len(tree.names) > MOST_COLUMNS:
        return tag("p", f"The picture is for up to {MOST_COLUMNS} columns; plot_dendrogram draws more.")
    similarity, _ = similarity_of_leaves(subject.learner)  # type: ignore[arg-type]  # the section is of that learner
    side = CELL * len(tree.names)
    drawn = [*_branches(tree), *_cells(similarity, tree.leaves), *_names(tree.leaves)]
    label = f"The tree of {counted(len(tree.names), 'column')}, and the similarity of each two of them"
    svg = tag(
        "svg",
        *drawn,
        viewBox=f"0 0 {LEFT + side + LABELS:.0f} {TREE + side + LABELS:.0f}",
        role="img",
        aria_label=label,
    )
    return tag("figure", svg, tag("figcaption", label), class_="clusters")


def _branches(tree: "Dendrogram") -> Iterator[Markup]:
    """A bracket for each merge, from the middle of one cluster to that of the other."""
    n_leaves, highest = len(tree.names), float(tree.merges[:, 2].max()) or 1.0
    across, height = np.zeros(2 * n_leaves - 1), np.zeros(2 * n_leaves - 1)
    across[tree.places] = LEFT + CELL * (np.arange(n_leaves) + 0.5)
    for step, (first, second, far, _) in enumerate(tree.merges.tolist()):
        a, b, top = int(first), int(second), n_leaves + step
        across[top], height[top] = (across[a] + across[b]) / 2.0, far
        y, y_a, y_b = (TREE - (TREE - 12.0) * each / highest for each in (far, height[a], height[b]))
        path = f"M{across[a]:.1f},{y_a:.1f}V{y:.1f}H{across[b]:.1f}V{y_b:.1f}"
        yield tag("path", tag("title", f"merged at {number(far)}"), d=path, class_="branch")
    for value in (0.0, highest):
        y = TREE - (TREE - 12.0) * value / highest
        yield tag("text", number(value), x=LEFT - 8, y=f"{y + 4:.1f}", text_anchor="end")


def _cells(similarity: NDArray[np.float64], names: tuple[str, ...]) -> Iterator[Markup]:
    is_pair = ~np.eye(len(names), dtype=np.bool_)
    largest = float(np.abs(similarity[is_pair]).max()) or 1.0
    for i, j in np.argwhere(is_pair).tolist():
        value = float(similarity[i, j])
        yield tag(
            "rect",
            tag("title", f"{names[i]}, {names[j]}: {number(value)}"),
            x=f"{LEFT + CELL * j:.0f}",
            y=f"{TREE + 6 + CELL * i:.0f}",
            width=CELL - 1,
            height=CELL - 1,
            class_="with" if value >= 0.0 else "against",
            fill_opacity=f"{abs(value) / largest:.2f}",
        )


def _names(names: tuple[str, ...]) -> Iterator[Markup]:
    right = LEFT + CELL * len(names) + 6
    for i, name in enumerate(names):
        yield tag("text", name, x=f"{right:.0f}", y=f"{TREE + 6 + CELL * (i + 0.75):.1f}")


def _modules(subject: Subject) -> Iterator[list[Markup]]:
    if found := getattr(subject.learner, "clusters_", {}):
        listed = [(node, f"{len(each):,}", ", ".join(each)) for node, each in found.items()]
        yield [tag("h3", counted(len(found), "node")), table(("node", "columns", "which"), listed)]
        nodes = list(subject.graph.nodes)
        partial = np.asarray(subject.learner.partial_correlation_)  # type: ignore[attr-defined]  # as above
        picture = heat_map(
            "partial correlation of each two profiles", partial - np.eye(len(nodes)), nodes, nodes
        )
        yield [picture] if picture is not None else []
        return
    for n_clusters, clusters in getattr(subject.learner, "modules_", {}).items():
        rows = [(f"{len(each):,}", ", ".join(each)) for each in clusters]
        yield [tag("h3", counted(n_clusters, "cluster")), table(("columns", "which"), rows)]
