"""What `graph.why` says is true of every method's graph."""

from itertools import pairwise

from tests.contracts.conftest import fitted


def test_every_pair_has_an_answer_and_no_direction_is_denied_that_is_told(method, kind):
    graph = fitted(method, kind).graph_
    lag = {node: graph.facts.get(node, {}).get("lag", 0) for node in graph.nodes}
    pairs = {(edge.source, edge.target) for edge in graph.edges if edge.source != edge.target}
    for a, b in pairs | set(pairwise(graph.nodes)):
        said = str(graph.why(a, b))
        assert said
        if method.noise == "not Gaussian" or lag[a] != lag[b]:
            assert "cannot tell its direction" not in said
