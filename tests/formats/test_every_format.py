"""Whatever the names are, every format gives back what it was given, or says what it cannot hold."""

import gzip
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import ENDINGS, load, save
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, LinearGaussianCPD, TableCPD
from tests.oracles import models as oracle
from tests.strategies import graphs

PLAIN = [
    ending for ending, form in ENDINGS.items() if not ending.endswith(".gz") and form.holds != "knowledge"
]
OF_GRAPHS = [".json", ".graphml", ".dot"]
OF_TABLES = [ending for ending in PLAIN if ENDINGS[ending].needs_tables]
OF_NETWORKS = [".json", *OF_TABLES]

WORDS = """
probability variable network property table default discrete type node net potential states data class
decision graph digraph subgraph edge strict cpt state True None null nan
0 1 00 1e-5 -1 .5 a.b a-b _ _a a_b 9lives é 名前 🙂
\\ \\\\ \\" { } ( ) [ ] < > & &amp; &#37; %% %20 = == -> -- // /* */ # <!-- --> ]]> | , ; : ' "
"""
BLANKS = [
    "",
    " ",
    " a",
    "a ",
    "a b",
    "\t",
    "a\tb",
    "\n",
    "a\nb",
    "\r",
    "a\r\nb",
    "\u2028",
    "\xa0",
    "\x85",
    'say "x"',
]
EVIL = st.sampled_from([*WORDS.split(), *BLANKS])
NAMES = EVIL | st.text(max_size=5) | st.text("abcXYZ_019", min_size=1, max_size=5)

IDENTIFIER = re.compile("[A-Za-z_][A-Za-z0-9_]*")
IN_XML = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
MUST_HOLD = {
    ".json": lambda _: True,
    ".bif": lambda name: '"' not in name,
    ".xmlbif": IN_XML.fullmatch,
    ".xml": IN_XML.fullmatch,
    ".graphml": IN_XML.fullmatch,
    ".dot": lambda _: True,
    ".net": lambda name: IDENTIFIER.fullmatch(name) and name not in WORDS.split(),
    ".xdsl": IDENTIFIER.fullmatch,
    ".uai": lambda _: False,
}
"""The names that a format has no excuse to refuse."""


def through(ending, thing):
    """Write a thing and read it again, by way of bytes as a file has them."""
    form = ENDINGS[ending]
    return form.read(form.write(thing).encode().decode("utf-8-sig"))


def names_in(model):
    return [*model.nodes, *(label for labels in model.labels.values() for label in labels)]


@pytest.mark.parametrize("ending", OF_NETWORKS)
@settings(deadline=None, max_examples=150)
@given(model=oracle.networks(NAMES))
def test_a_network_comes_back_whole_or_the_name_in_the_way_is_told(ending, model):
    try:
        back = through(ending, model)
    except DataError as error:
        refused = [name for name in names_in(model) if not MUST_HOLD[ending](name)]
        assert any(repr(name) in str(error) for name in refused)  # noqa: PT017, either end will do
    else:
        assert back == model


@settings(deadline=None, max_examples=60)
@given(model=oracle.networks(NAMES))
def test_a_network_without_names_always_comes_back_from_uai(model):
    numbered = model.numbered()

    assert through(".uai", numbered) == numbered
    assert numbered.n_parameters == model.n_parameters


def _renamed(cpd):
    """The same table with names that are no word of any language here."""
    labels = [f"s{label}" for label in cpd.labels]
    return TableCPD(cpd.probabilities, labels=labels, parents=[f"n{parent}" for parent in cpd.parents])


@pytest.mark.parametrize("ending", OF_GRAPHS)
@settings(deadline=None, max_examples=150)
@given(graph=graphs(), names=st.lists(NAMES, min_size=6, max_size=6, unique=True))
def test_a_graph_of_any_kind_comes_back_whole_or_the_name_in_the_way_is_told(ending, graph, names):
    name = dict(zip(graph.nodes, names, strict=False))
    graph = Graph(
        name.values(),
        directed=[(name[a], name[b]) for a, b in graph.directed],
        undirected=[(name[a], name[b]) for a, b in graph.undirected],
    )

    try:
        back = through(ending, graph)
    except DataError as error:
        refused = [node for node in graph.nodes if not MUST_HOLD[ending](node)]
        assert any(repr(node) in str(error) for node in refused)  # noqa: PT017, either end will do
    else:
        assert back == graph
        assert back.nodes == graph.nodes


@pytest.mark.parametrize("ending", [".graphml", ".dot"])
def test_a_format_of_graphs_holds_the_graph_of_a_network(ending):
    assert through(ending, oracle.asia()) == oracle.asia().graph


@pytest.mark.parametrize("ending", PLAIN)
def test_a_file_may_be_zipped_and_has_an_ending_in_any_case(tmp_path, ending):
    model = oracle.asia().numbered()
    model = model if ending == ".uai" else oracle.asia()
    for path in (tmp_path / f"net{ending}", tmp_path / f"net{ending}.gz", tmp_path / f"NET{ending.upper()}"):
        save(model, path)
    zipped = (tmp_path / f"net{ending}.gz").read_bytes()

    assert gzip.decompress(zipped) == (tmp_path / f"net{ending}").read_bytes()
    loaded = [load(path) for path in tmp_path.iterdir()]
    assert len(loaded) == 3
    assert all(thing == loaded[0] for thing in loaded)


@pytest.mark.parametrize("ending", OF_TABLES)
def test_a_format_of_tables_refuses_graphs_and_continuous_nodes(ending):
    gaussian = oracle.network({"0": LinearGaussianCPD(0.0, {}, variance=1.0)})

    with pytest.raises(DataError, match=r"fit BayesianNetwork\(graph\) first"):
        ENDINGS[ending].write(Graph(["0"]))
    with pytest.raises(DataError, match="tables only, and '0' has a LinearGaussianCPD"):
        ENDINGS[ending].write(gaussian)


@pytest.mark.parametrize("ending", [ending for ending in OF_TABLES if ending != ".uai"])
def test_labels_become_text_unless_two_would_read_the_same(ending):
    labels = {".xdsl": [True, "maybe"]}.get(ending, [0, 2.5, True, "x y"])
    model = oracle.network({"x": TableCPD([1 / len(labels)] * len(labels), labels=labels)})

    assert through(ending, model).labels == {"x": tuple(map(str, labels))}
    with pytest.raises(DataError, match="two states of 'x' read the same"):
        ENDINGS[ending].write(oracle.network({"x": TableCPD([0.5, 0.5], labels=[True, "True"])}))


@pytest.mark.parametrize("ending", OF_NETWORKS)
def test_every_digit_of_a_small_probability_is_kept(ending):
    row = [np.pi * 1e-300, 5e-324, 1 / 3, 2 / 3]
    model = BayesianNetwork(Graph(["n"]), {"n": TableCPD(row, labels=["a", "b", "c", "d"])})
    model = model.numbered() if ending == ".uai" else model

    assert through(ending, model).cpds[model.nodes[0]].probabilities.tolist() == row


@pytest.mark.parametrize("ending", OF_TABLES)
def test_a_table_with_three_parents_of_different_sizes_keeps_its_order(ending):
    table = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4, 5))
    levels = {"0": 4, "1": 5, "2": 2}
    cpds = {node: TableCPD([1 / n] * n, labels=range(n)) for node, n in levels.items()}
    cpds["3"] = TableCPD(table, labels=range(3), parents=["2", "0", "1"])
    model = oracle.network(cpds)
    named = oracle.network({f"n{node}": _renamed(cpd) for node, cpd in cpds.items()})
    model = model if ending == ".uai" else named

    back = through(ending, model).cpds[model.nodes[-1]]

    assert back.parents == model.cpds[model.nodes[-1]].parents
    assert np.array_equal(back.probabilities, table)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "k.txt",
            "/knowledge\nforbiddirect\na b\nrequiredirect\na b\n",
            "a → b is both required and forbidden",
        ),
        ("k.knowledge", "require: a -> b\nforbid: a -> b\n", "a → b is both required and forbidden"),
        ("k.knowledge", "require: a -> b\nrequire: b -> a\n", "the required edges form a cycle"),
    ],
)
def test_knowledge_that_contradicts_itself_is_refused_with_the_name_of_its_file(
    name, text, message, tmp_path
):
    (tmp_path / name).write_text(text)

    with pytest.raises(DataError, match=f"{name}: Knowledge: {message}"):
        load(tmp_path / name)
