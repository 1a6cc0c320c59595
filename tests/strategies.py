"""Hypothesis strategies that tests of several layers share."""

from itertools import combinations

from hypothesis import strategies as st

from structlearn.graphs import Graph

# Spaces, quotes, letters of several scripts, markup: all are legal names of columns.
NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.isprintable())


def node_names(n_nodes):
    """n0, n1, … as many as asked for."""
    return tuple(f"n{i}" for i in range(n_nodes))


@st.composite
def dags(draw, min_nodes=0, max_nodes=6):
    """Any DAG: an order of the nodes and any set of forward arrows."""
    names = node_names(draw(st.integers(min_nodes, max_nodes)))
    order = draw(st.permutations(names))
    pairs = list(combinations(order, 2))
    return Graph(names, directed=draw(_subsets(pairs)))


@st.composite
def undirected_graphs(draw, min_nodes=0, max_nodes=6):
    """Any undirected graph."""
    names = node_names(draw(st.integers(min_nodes, max_nodes)))
    return Graph(names, undirected=draw(_subsets(list(combinations(names, 2)))))


@st.composite
def partially_directed_graphs(draw, min_nodes=0, max_nodes=6):
    """Any mix of arrows and lines without a directed cycle; many have no extension to a DAG."""
    dag = draw(dags(min_nodes, max_nodes))
    lines = draw(_subsets(list(dag.directed)))
    arrows = [pair for pair in dag.directed if pair not in set(lines)]
    return Graph(dag.nodes, directed=arrows, undirected=lines)


@st.composite
def graphs(draw, min_nodes=0, max_nodes=6):
    """Any graph at all: between two nodes nothing, a line, an arrow, or an arrow each way."""
    names = node_names(draw(st.integers(min_nodes, max_nodes)))
    arrows, lines = [], []
    for a, b in combinations(names, 2):
        kind = draw(st.sampled_from(["none", "line", "forward", "back", "both"]))
        lines += [(a, b)] if kind == "line" else []
        arrows += [(a, b)] if kind in ("forward", "both") else []
        arrows += [(b, a)] if kind in ("back", "both") else []
    return Graph(names, directed=arrows, undirected=lines)


def _subsets(items):
    return st.lists(st.sampled_from(items), unique=True) if items else st.just([])
