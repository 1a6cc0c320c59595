"""HTML by construction: whatever a name is made of, it stays text."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from structlearn.graphs import Edge
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.wording import evidence, p_value, strongest_first
from structlearn.shown import visible

# Carriage returns are control characters, and so never reach the page.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.text(
    "<>&\"'/=!-;#ab ", max_size=12
)


class Reader(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.texts, self.attributes = [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append(dict(attrs))

    def handle_data(self, data):
        self.texts.append(data)


@given(text=TEXTS, attribute=TEXTS)
def test_a_text_is_read_back_as_it_was_and_adds_no_element(text, attribute):
    seen = Reader(tag("p", text, title=attribute))

    assert seen.tags == ["p"]
    assert "".join(seen.texts) == visible(text)
    assert seen.attributes == [{"title": visible(attribute)}]


@given(cells=st.lists(TEXTS, min_size=1, max_size=4))
def test_a_table_has_a_cell_for_every_text(cells):
    seen = Reader(table(["head"] * len(cells), [cells, cells]))

    assert seen.tags.count("td") == 2 * len(cells)
    assert seen.tags.count("th") == len(cells)


def test_markup_is_not_escaped_again():
    assert tag("b", tag("i", "<")) == "<b><i>&lt;</i></b>"
    assert joined([Markup("<br>"), "&", None], " ") == "<br> &amp;"


def test_false_and_none_leave_an_attribute_out_and_true_keeps_its_name():
    assert tag("details", open=True, hidden=False, id=None) == "<details open></details>"


def test_what_moves_the_cursor_or_reorders_text_is_replaced():
    assert visible("a\x1b[31m\x00\u202eb\nc") == "a�[31m��b\nc"


def test_the_strongest_edge_comes_first_whatever_measures_it():
    edges = [Edge("a", "b", p_value=0.04), Edge("b", "c", p_value=1e-9), Edge("c", "d", weight=2.0)]
    sure = Edge("d", "e", confidence=0.5)

    assert strongest_first([*edges, sure]) == [sure, edges[2], edges[1], edges[0]]


def test_evidence_says_each_measure_that_is_known():
    edge = Edge("a", "b", weight=12.345, p_value=0.0, confidence=0.25)

    assert evidence(edge) == {"confidence": "25.0%", "score gain": "12.35", "p-value": "<1e-300"}
    assert evidence(Edge("a", "b")) == {}
    assert p_value(0.012) == "0.012"
