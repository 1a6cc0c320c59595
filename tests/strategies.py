"""Hypothesis strategies that tests of several layers share."""

from itertools import combinations, product

from hypothesis import strategies as st

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from tests.oracles import mixed_graphs as oracle

# Spaces, quotes, letters of several scripts, markup: all are legal names of columns.
NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name.isprintable())

_SHARES = st.none() | st.floats(0, 1)
# The weight, the p-value and the confidence of an edge.
KNOWN_OF_EDGES = st.tuples(st.none() | st.floats(allow_nan=False, allow_infinity=False), _SHARES, _SHARES)


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


@st.composite
def mixed_graphs(draw, min_nodes=0, max_nodes=6):
    """An ADMG: any DAG and any set of ↔, also beside arrows."""
    dag = draw(dags(min_nodes, max_nodes))
    arcs = draw(_subsets(list(combinations(dag.nodes, 2))))
    return Graph(dag.nodes, dag.directed, edges=[(a, "<->", b) for a, b in arcs])


@st.composite
def mags(draw, min_nodes=1, max_nodes=4, n_more=2):
    """The MAG of any DAG with up to `n_more` more nodes, each hidden or selected."""
    n_nodes = draw(st.integers(min_nodes, max_nodes))
    dag = draw(dags(n_nodes, n_nodes + n_more))
    n_latent = draw(st.integers(0, len(dag) - n_nodes))
    place = {name: i for i, name in enumerate(dag.nodes)}
    arrows = {(place[a], place[b]) for a, b in dag.directed}
    edges = oracle.mag_of_dag(arrows, range(n_nodes), range(n_nodes + n_latent, len(dag)))
    return Graph(dag.nodes[:n_nodes], edges=_named(edges), kind="MAG")


@st.composite
def pags(draw, min_nodes=0, max_nodes=6):
    """Any marks, at most one edge between two nodes; few of them are the PAG of a class."""
    names = node_names(draw(st.integers(min_nodes, max_nodes)))
    signs = st.none() | st.sampled_from(["-->", "<--", "---", "<->", "o->", "<-o", "o-o", "--o", "o--"])
    edges = [(a, draw(signs), b) for a, b in combinations(names, 2)]
    return Graph(names, edges=[edge for edge in edges if edge[1]], kind="PAG")


@st.composite
def cyclic_graphs(draw, min_nodes=0, max_nodes=6):
    """Any arrows, both ways and from a node to itself too, and any ↔."""
    names = node_names(draw(st.integers(min_nodes, max_nodes)))
    arrows = draw(_subsets(list(product(names, repeat=2))))
    arcs = draw(_subsets(list(combinations(names, 2))))
    return Graph(names, arrows, edges=[(a, "<->", b) for a, b in arcs])


PLAIN_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda values: st.lists(values, max_size=3) | st.dictionaries(NAMES, values, max_size=3),
    max_leaves=4,
)


@st.composite
def lagged_graphs(draw, max_columns=3, max_lag=2):
    """Columns at several times, with their lag and more as facts, and arrows and ↔ that do not run back."""
    n_columns, n_lags = draw(st.integers(0, max_columns)), draw(st.integers(0, max_lag)) + 1
    lags = {f"x{i}[t-{lag}]": lag for lag in range(n_lags) for i in range(n_columns)}
    forward = [(a, b) for a, b in combinations(lags, 2) if lags[a] > lags[b]]
    inside = [(a, b) for a, b in combinations(lags, 2) if lags[a] == lags[b]]
    more = st.dictionaries(NAMES.filter(lambda name: name != "lag"), PLAIN_VALUES, max_size=2)
    facts = {name: {"lag": lag, **draw(more)} for name, lag in lags.items()}
    arcs = [(a, "<->", b) for a, b in draw(_subsets(inside))]
    return Graph(lags, draw(_subsets(forward)), edges=arcs, facts=facts)


def any_kind_of_graph():
    """A graph of any kind, with marks of all sorts or facts."""
    return st.one_of(graphs(), mixed_graphs(), mags(), pags(), cyclic_graphs(), lagged_graphs())


def _named(edges):
    signs = {("-", ">"): "-->", (">", "-"): "<--", (">", ">"): "<->", ("-", "-"): "---"}
    return [(f"n{a}", signs[at_a, at_b], f"n{b}") for a, at_a, at_b, b in edges]


def _subsets(items):
    return st.lists(st.sampled_from(items), unique=True) if items else st.just([])


@st.composite
def knowledges(draw, names):
    """Arrows along an order of the names, others forbidden, and tiers along it."""
    order = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    required = draw(st.lists(st.sampled_from(pairs), max_size=3))
    forbidden = draw(st.lists(st.sampled_from([(b, a) for a, b in pairs]), max_size=3))
    cut = draw(st.integers(0, len(order)))
    return Knowledge(required, forbidden, [order[:cut], order[cut:]])
