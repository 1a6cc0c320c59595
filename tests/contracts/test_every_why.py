"""What `graph.why` says is true of every method's graph."""

from itertools import pairwise

import numpy as np
import pytest

from tests.contracts.conftest import chain_in_contexts, fitted, learner_of, table_for


def test_every_pair_has_an_answer_and_no_direction_is_denied_that_is_told(method, kind):
    graph = fitted(method, kind).graph_
    lag = {node: graph.facts.get(node, {}).get("lag", 0) for node in graph.nodes}
    pairs = {(edge.source, edge.target) for edge in graph.edges if edge.source != edge.target}
    for a, b in pairs | set(pairwise(graph.nodes)):
        said = str(graph.why(a, b))
        assert said
        if method.noise == "not Gaussian" or lag[a] != lag[b]:
            assert "cannot tell its direction" not in said


@pytest.mark.methods_that(lambda method: method.returns == "DAG" and method.nodes == "columns")
def test_a_gain_by_the_table_is_the_gain_that_the_search_found(method, kind):
    table = table_for(method, kind)
    few = {name: column[:30] for name, column in table.items()}
    wide = few | {f"noise {i}": np.random.default_rng(i).permutation(few["a"]) for i in range(4)}
    for rows in (table, wide):  # of the second, with few rows per column, the usual scores have another form
        learner = learner_of(method).fit(rows)
        if not hasattr(learner, "score_") or learner.weight_means != "score gain":
            pytest.skip("it has no score of a graph")
        for edge in learner.graph_.edges:
            said = learner.graph_.why(edge.source, edge.target, data=rows).sentences
            by = f"{edge.target}'s family by {edge.weight:+,.2f}."
            assert any(each.startswith(f"{edge} changes") and each.endswith(by) for each in said), said


@pytest.mark.methods_that(lambda method: method.returns == "DAG" and "targets" in method.load().options)
def test_a_gain_in_contexts_is_the_gain_that_the_search_found(learner, kind):
    table, rows = chain_in_contexts(kind)
    learner.set_params(targets=rows, interventions="soft")
    if learner.why_no_targets() or not hasattr(learner.fit(table), "score_"):
        pytest.skip("it has no use for contexts, or no score")
    assert learner.graph_.edges
    for edge in learner.graph_.edges:
        said = str(learner.graph_.why(edge.source, edge.target, data=table))
        assert f"{edge.target}'s family by {edge.weight:+,.2f}." in said
