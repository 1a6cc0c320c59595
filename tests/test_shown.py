"""Distributions, models, tables and answers read well in terminals and notebooks, whatever their names."""

import copy
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import structlearn as sl
from structlearn.models import (
    ConditionalGaussianCPD,
    LinearGaussianCPD,
    PointCPD,
    SoftmaxCPD,
    Split,
    TableCPD,
    TreeCPD,
)
from structlearn.shown import Listing, html_text
from tests.contracts.test_cpds import EXAMPLES
from tests.contracts.test_every_model import UNDIRECTED
from tests.oracles.models import asia, network

NASTY = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["<script>alert(1)</script>", "a & b", "\"'>", "</td>", "\u202e", "x\ny", "<!--", "\0"]
)
KNOWN_TAGS = {"table", "thead", "tbody", "tr", "th", "td", "caption", "p", "pre", "details", "summary", "b"}


class Page(HTMLParser):
    """The tags of a page that nests as it should, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.open, self.text = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        assert {name for name, _ in attributes} <= {"style"}
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def handle_comment(self, data):
        raise AssertionError(data)


def assert_is_safe(page):
    assert set(Page(page).tags) <= KNOWN_TAGS


def chain(first, second, states):
    roots = TableCPD([0.25, 0.75], labels=states)
    child = TableCPD([[0.5, 0.5], [0.125, 0.875]], labels=states, parents=[first])
    graph = sl.Graph([first, second], directed=[(first, second)])
    return sl.BayesianNetwork(graph, {first: roots, second: child})


@given(names=st.lists(NASTY, min_size=4, max_size=4, unique=True))
def test_no_name_or_state_becomes_markup(names):
    model = chain(names[0], names[1], names[2:])

    for page in (
        model._repr_html_(),
        sl.BayesianNetwork(model.graph)._repr_html_(),
        model.query(names[1])._repr_html_(),
        model.map()._repr_html_(),
        *(cpd._repr_html_() for cpd in model.cpds.values()),
    ):
        assert_is_safe(page)


@given(name=NASTY, state=NASTY)
def test_no_column_or_value_becomes_markup(name, state):
    assert_is_safe(sl.Dataset({name: [state, state, "other"]}, kinds={name: "discrete"})._repr_html_())


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_every_kind_of_distribution_shows_its_parents_and_states(example):
    cpd = example.network().cpds["y"]

    shown = str(cpd)

    assert not shown.startswith("<")
    assert all(name in shown for name in cpd.parents)
    assert all(str(label) in shown for label in cpd.labels[1:])
    page = Page(cpd._repr_html_())
    assert set(page.tags) <= KNOWN_TAGS
    assert "".join(shown.split()) == "".join("".join(page.text).split())


def test_a_table_in_a_network_has_the_states_of_its_parents():
    assert str(asia().cpds["dysp"]).splitlines() == [
        "either  bronc     yes      no",
        "yes     yes    0.9000  0.1000",
        "yes     no     0.7000  0.3000",
        "no      yes    0.8000  0.2000",
        "no      no     0.1000  0.9000",
    ]


def test_a_table_without_parents_has_a_line_for_each_state():
    assert str(TableCPD([0.25, 0.75], labels=["low", "high"])).splitlines() == [
        "state  probability",
        "low         0.2500",
        "high        0.7500",
    ]


def test_what_a_network_tells_a_table_changes_nothing_else():
    alone = TableCPD([[0.5, 0.5], [0.125, 0.875]], labels=["a", "b"], parents=["x"])
    told = chain("x", "y", ["a", "b"]).cpds["y"]

    assert "x" in str(alone)
    assert (told, hash(told), told.to_dict()) == (alone, hash(alone), alone.to_dict())
    assert dict(alone.parent_states) == {}


def test_numbers_stand_for_states_that_nobody_has_told():
    assert str(TableCPD([[0.5, 0.5], [0.125, 0.875]], labels=["a", "b"], parents=["x"])).splitlines()[2] == (
        "1  0.1250  0.8750"
    )


def test_long_tables_are_cut_with_a_count():
    parents = [f"p{k}" for k in range(16)]
    table = TableCPD(np.full((2,) * 17, 0.5), labels=["off", "on"], parents=parents)

    lines = str(table).splitlines()

    assert len(lines) == 1 + 20 + 1
    assert lines[-1] == "… and 65,516 more"
    assert table._repr_html_().count("<tr>") == 21


def test_wide_tables_are_cut_with_a_count():
    table = TableCPD(np.full((2, 40), 1 / 40), labels=range(40), parents=["p"])

    assert str(table).splitlines()[0].split("  ")[-1].strip() == "… 31 more"
    assert len(str(table).splitlines()[1].split()) == 1 + 9


def test_long_sums_trees_and_lists_of_regimes_are_cut():
    many = {f"p{k}": 1.0 for k in range(15)}
    tree = Split("a", [[0.5, 0.5]] * 30)
    regimes = ConditionalGaussianCPD(np.zeros(25), {}, variances=np.ones(25), regimes=["g"])

    assert str(LinearGaussianCPD(0.0, many, variance=1.0)).endswith("+ 1 p11 + … (3 more terms), 1)")
    assert str(TreeCPD(tree, labels=[0, 1], parents={"a": range(30)})).endswith("\n… and 10 more")
    assert str(regimes).endswith("g = 19: N(0, 1)\n… and 5 more")


def test_signs_are_written_once():
    assert str(LinearGaussianCPD(-1.0, {"a": -0.5, "b": 2.0}, variance=0.25)) == "N(-1 - 0.5 a + 2 b, 0.25)"
    assert str(PointCPD(2.5)) == "always 2.5"


def test_a_softmax_names_the_states_of_its_parents():
    cpd = SoftmaxCPD([0, 1.0], {"sex": [[0, -0.5]], "dose": [0, 0.25]}, labels=["well", "ill"])
    roots = {"sex": TableCPD([0.5, 0.5], labels=["f", "m"]), "dose": LinearGaussianCPD(0.0, {}, variance=1.0)}

    assert str(network({**roots, "y": cpd}).cpds["y"]).splitlines() == [
        "log odds against well   ill",
        "(always)                  1",
        "sex = m                -0.5",
        "dose                   0.25",
    ]


def test_a_network_shows_each_node_with_its_table():
    page = Page(asia()._repr_html_())

    assert page.tags.count("details") == page.tags.count("table") == 8
    assert page.text[0] == "<BayesianNetwork: 8 nodes, 8 edges, 18 parameters>"
    assert " given either, bronc" in "".join(page.text)


def test_a_network_without_distributions_shows_parents():
    page = Page(sl.BayesianNetwork(asia().graph)._repr_html_())

    assert "not fitted" in page.text[0]
    assert page.text[page.text.index("xray") :][:2] == ["xray", "either"]


def test_large_networks_are_cut():
    nodes = [f"n{k}" for k in range(45)]
    model = network({node: TableCPD([0.5, 0.5], labels=[0, 1]) for node in nodes})

    page = model._repr_html_()

    assert page.count("<details>") == 40
    assert page.endswith("<p>… and 5 more nodes</p>")


def test_a_dependency_network_shows_its_tables_too():
    data = {"a": [0, 0, 1, 1] * 50, "b": [0, 1] * 100}

    assert Page(sl.DependencyNetwork().fit(data).model_._repr_html_()).tags.count("details") == 2


@pytest.mark.parametrize("model", UNDIRECTED.values(), ids=UNDIRECTED.keys())
def test_a_model_of_lines_shows_its_factors(model):
    page = Page(model._repr_html_())

    factors = model.factors()
    assert page.tags.count("details") == len(factors)
    assert page.text[0] == repr(model)
    assert all(f"{value:.4g}" in page.text for value in factors[0][1].ravel())


def test_a_gaussian_field_shows_its_nodes():
    graph = sl.Graph("ab", undirected=["ab"])
    model = sl.GaussianGraphicalModel(graph, [[4.0, 1.0], [1.0, 1.0]], mean=[2.0, 3.0])

    assert Page(model._repr_html_()).text[5:] == ["a", "b", "2", "0.5", "b", "a", "3", "1"]


def test_models_of_lines_without_parameters_show_neighbours():
    graph = sl.Graph("ab", undirected=["ab"])
    for model in (sl.GaussianGraphicalModel(graph), sl.MarkovNetwork(graph), sl.IsingModel(graph)):
        assert Page(model._repr_html_()).text[1:] == ["node", "neighbours", "a", "b", "b", "a"]


def test_a_table_of_data_shows_kinds_gaps_and_first_rows():
    data = sl.Dataset({"age": [31.5, None, 28.0], "smoker": ["yes", "no", None]})

    page = Page(data._repr_html_())

    assert page.text == [
        "3 rows, 2 columns", "age", "smoker", "continuous, 1 missing", "discrete, 2 levels, 1 missing",
        "31.5", "yes", "no", "28",
    ]  # fmt: skip


def test_a_wide_table_of_data_shows_its_first_columns():
    data = sl.Dataset(np.arange(60.0).reshape(3, 20), kinds={f"x{k}": "continuous" for k in range(20)})

    page = Page(data._repr_html_())

    assert page.text[0] == "3 rows, 20 columns, the first 12 of them here"
    assert page.tags.count("th") == 12


def test_answers_show_the_table_that_they_print():
    model = asia()
    for answer in (model.query(["lung", "bronc"]), model.map(["lung"]), gaussian().query(["a", "b"])):
        page = Page(answer._repr_html_())

        assert "".join(str(answer).split()) == "".join("".join(page.text).split())


def gaussian():
    return network(
        {"a": LinearGaussianCPD(1.0, {}, variance=1.0), "b": LinearGaussianCPD(0.0, {"a": 2.0}, variance=1.0)}
    )


def test_a_listing_aligns_numbers_to_the_right_and_cuts_long_words():
    listing = Listing.of(["word", "n"], [["x" * 100, "5"], ["two\nlines", "10"]], title="T")

    lines = listing.text().splitlines()

    assert lines[0] == "T"
    assert lines[2] == "x" * 59 + "…   5"
    assert lines[3].split() == ["two", "lines", "10"]
    assert listing.html().startswith("<table><caption>T</caption>")


def test_text_for_pages_is_escaped_between_quotes_too():
    assert (
        html_text("<a href='x'>\"&\x07") == "&lt;a href=&#x27;x&#x27;&gt;&quot;&amp;\N{REPLACEMENT CHARACTER}"
    )


def test_a_copy_of_a_model_shows_the_same():
    model = asia()

    assert str(copy.deepcopy(model).cpds["lung"]) == str(model.cpds["lung"])
