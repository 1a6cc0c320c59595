"""The truth answers as separation says, also where nodes are hidden or selected."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError
from structlearn.graphs.links import Links
from structlearn.independence import SeparationOracle
from tests.oracles.mixed_graphs import subsets
from tests.strategies import dags, mags, mixed_graphs, undirected_graphs


@st.composite
def oracles(draw, min_left=2):
    graph = draw(
        st.one_of(dags(min_left, 6), undirected_graphs(min_left, 5), mixed_graphs(min_left, 5), mags(2))
    )
    roles = {
        name: draw(st.sampled_from(["latent", "selected", "seen", "seen"])) for name in graph.nodes[min_left:]
    }
    latent = [name for name, role in roles.items() if role == "latent"]
    selected = [name for name, role in roles.items() if role == "selected"]
    return sl.Oracle(graph, latent=latent, selected=selected)


def separated(oracle, x, y, known):
    return oracle.graph.m_separated(x, y, given=[*known, *oracle.selected])


@settings(deadline=None, max_examples=50)
@given(oracles(), st.data())
def test_every_question_has_the_answer_of_the_graph(oracle, data):
    names = data.draw(st.permutations(oracle.names))
    truth = SeparationOracle.of(oracle, names)
    for size in range(len(names) - 1):
        rows = data.draw(st.permutations(list(asked(len(names), size))))[:4]
        wanted = [separated(oracle, names[x], names[y], [names[z] for z in known]) for x, y, *known in rows]

        assert truth.many(None, np.array(rows)).p_value.tolist() == wanted


def asked(n_names, size):
    for x, y in combinations(range(n_names), 2):
        yield from ((x, y, *known) for known in combinations(set(range(n_names)) - {x, y}, size))


@settings(deadline=None, max_examples=50)
@given(oracles())
def test_a_separator_is_found_wherever_there_is_one(oracle):
    names = oracle.names
    truth = SeparationOracle.of(oracle, names)
    pairs = list(combinations(range(len(names)), 2))

    found = truth.separators(np.array(pairs), Links(len(names), lines=pairs))

    for (x, y), row in zip(pairs, found.tolist(), strict=True):
        others = [z for z in range(len(names)) if z not in (x, y)]
        fitting = [s for s in subsets(others) if separated(oracle, names[x], names[y], [names[z] for z in s])]
        if fitting:
            assert tuple(sorted(z for z in row if z >= 0)) in fitting
        else:
            assert row[0] == -2


@settings(deadline=None, max_examples=30)
@given(dags(2, 6), st.data())
def test_a_method_that_tries_every_set_joins_what_the_mag_joins(dag, data):
    latent = [name for name in dag.nodes[2:] if data.draw(st.booleans())]
    oracle = sl.Oracle(dag, latent=latent)
    mag = dag.to_mag(latent=latent)

    learned = sl.SGS().fit(oracle).graph_

    assert learned.nodes == mag.nodes == oracle.names
    assert learned.skeleton() == mag.skeleton()
    for target in mag.nodes:
        assert sl.markov_blanket(oracle, target) == mag.markov_blanket(target)


@pytest.mark.parametrize("method", [sl.PC, sl.SGS, sl.GrowShrink, sl.MMPC, sl.LowOrderGraph])
def test_methods_that_only_test_see_what_is_observed(method):
    # a → b, and a hidden cause of b and c: b is a collider on the only path.
    dag = sl.Graph("abcu", directed=["ab", "ub", "uc"])

    graph = method().fit(sl.Oracle(dag, latent=["u"])).graph_

    assert graph.nodes == ("a", "b", "c")
    assert graph.skeleton().undirected == (("a", "b"), ("b", "c"))


def test_statements_are_checked_on_what_is_observed():
    dag = sl.Graph("abcu", directed=["ab", "ub", "uc"])
    oracle = sl.Oracle(dag, latent=["u"])

    assert sl.is_imap(sl.Graph("abc", directed=["ab", "cb"]), oracle)
    assert not sl.is_imap(sl.Graph("abc", directed=["ab", "bc"]), oracle)
    assert not sl.is_imap(sl.Graph("ab"), sl.Oracle(sl.Graph("abs", directed=["as", "bs"]), selected="s"))


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"latent": ["z"]}, "Oracle\\(latent=…\\): the graph has no node 'z'"),
        ({"latent": ["a"], "selected": ["a"]}, "'a' cannot be both"),
        ({"latent": ["a", "b"]}, "leave at least one"),
    ],
)
def test_roles_that_make_no_sense_are_refused(roles, message):
    with pytest.raises(DataError, match=message):
        sl.Oracle(sl.Graph("ab"), **roles)
