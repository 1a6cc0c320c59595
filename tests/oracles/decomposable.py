"""What the edges of decomposable graphs are worth, by fitting the graphs without them."""

import networkx as nx

import structlearn as sl


def lost_without(source, target, graph, data):
    """What the log-likelihood of a graph loses without an edge, and whether the rest is decomposable.

    Where it is not, the least that one of its cliques loses, each in a graph of its own.
    """
    rest = without(graph.to_networkx(), source, target)
    if nx.is_chordal(rest):
        return likelihood(graph.to_networkx(), data) - likelihood(rest, data), True
    cliques = [nx.complete_graph(c) for c in nx.find_cliques(graph.to_networkx()) if {source, target} <= {*c}]
    return min(likelihood(c, data) - likelihood(without(c, source, target), data) for c in cliques), False


def without(net, source, target):
    rest = nx.Graph(net)
    rest.remove_edge(source, target)
    return rest


def likelihood(net, data):
    names = [name for name in data.names if name in net]
    return sl.score(sl.Graph(names, undirected=net.edges).to_dag(), data.select(names), "loglik")
