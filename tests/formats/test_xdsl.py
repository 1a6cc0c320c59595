"""XDSL files of GeNIe are read as they stand, or refused with the line."""

import pytest

from structlearn.errors import DataError
from structlearn.formats import xdsl
from structlearn.graphs import Graph
from structlearn.models import TableCPD
from tests.oracles import models as oracle

UMBRELLA = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<smile version="1.0" id="Umbrella" numsamples="1000">
  <nodes>
    <cpt id="rain">
      <state id="no" />
      <state id="yes" />
      <probabilities>0.7 0.3</probabilities>
      <property id="source">a guess</property>
    </cpt>
    <deterministic id="wet">
      <state id="dry" />
      <state id="damp" />
      <state id="wet" />
      <parents>umbrella rain</parents>
      <resultingstates>dry damp dry wet</resultingstates>
    </deterministic>
    <cpt id="umbrella">
      <state id="open" />
      <state id="shut" />
      <parents>rain</parents>
      <probabilities>0.1 0.9
        0.8 0.2</probabilities>
    </cpt>
  </nodes>
  <extensions>
    <genie version="1.0" app="GeNIe" name="Umbrella">
      <node id="rain"><name>Does it rain?</name><position>1 2 3 4</position></node>
    </genie>
  </extensions>
</smile>
"""


def changed(before, after):
    assert before in UMBRELLA
    return UMBRELLA.replace(before, after, 1)


def test_chance_and_deterministic_nodes_are_read_in_any_order():
    model = xdsl.read(UMBRELLA)

    arrows = [("rain", "umbrella"), ("rain", "wet"), ("umbrella", "wet")]
    assert model.graph == Graph(["rain", "wet", "umbrella"], directed=arrows)
    assert model.cpds["umbrella"] == TableCPD(
        [[0.1, 0.9], [0.8, 0.2]], labels=["open", "shut"], parents=["rain"]
    )
    # Open: dry without rain, damp with it; shut: dry, then wet.
    assert model.cpds["wet"].parents == ("umbrella", "rain")
    assert model.cpds["wet"].probabilities.tolist() == [[[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 1]]]


def test_parents_are_written_before_their_children():
    text = xdsl.write(xdsl.read(UMBRELLA))

    assert text.index('id="rain"') < text.index('id="umbrella"') < text.index('id="wet"')


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("</cpt>", "", 25, "mismatched tag"),
        ("0.7 0.3", "0.7 0.2", 5, r"'rain': row 1: .* sum to 0.9"),
        ("0.7 0.3", "0.7", 5, "'rain': expected 2 probabilities, found 1"),
        ("0.7 0.3", "most", 8, "'most' is not a list of numbers"),
        ("<probabilities>0.7 0.3</probabilities>", "", 5, "<cpt> should have one <probabilities>, and has 0"),
        ("dry damp dry wet", "dry damp dry", 16, "expected 4 states, found 3"),
        ("dry damp dry wet", "dry damp dry soaked", 16, "'soaked' is no state of 'wet'"),
        ("<parents>rain<", "<parents>snow<", 18, "'snow' is not declared"),
        ("umbrella rain", "umbrella umbrella", 11, "appears twice"),
        ('<cpt id="umbrella">', "<cpt>", 18, '<cpt> lacks id="…"'),
        ('<cpt id="umbrella">', '<cpt id="rain">', 18, "declared a second time"),
        ("  <extensions>", "<dynamic/><extensions>", 26, "the network is dynamic"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(before, after, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        xdsl.read(changed(before, after))

    assert str(raised.value).startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("decision", "'x' has a decision"),
        ("utility", "'x' has a utility"),
        ("noisymax", "'x' has a noisy-max distribution; let GeNIe change it to a table"),
        ("equation", "'x' has an equation"),
        ("other", "'x' has a <other>"),
    ],
)
def test_other_kinds_of_nodes_are_refused_by_name(tag, reason):
    with pytest.raises(DataError, match=f"line 1: the node {reason}"):
        xdsl.read(f'<smile><nodes><{tag} id="x"/></nodes></smile>')


def test_a_deterministic_table_too_large_for_memory_is_refused():
    states = '<state id="a"/><state id="b"/>'
    names = [f"v{i}" for i in range(40)]
    roots = "".join(f'<cpt id="{name}">{states}<probabilities>1 0</probabilities></cpt>' for name in names)
    parents = f"<parents>{' '.join(names)}</parents>"
    large = f'<deterministic id="x">{states}{parents}<resultingstates/></deterministic>'

    with pytest.raises(DataError, match=rf"{2**41:,} cells"):
        xdsl.read(f"<smile><nodes>{roots}{large}</nodes></smile>")


@pytest.mark.parametrize(
    ("name", "state", "reason"),
    [
        ("a b", "x", "the node 'a b' has another name; rename it, or save as .json or .xmlbif"),
        ("a", "<5", "the state of 'a' '<5' has another name"),
        ("a", "1", "a letter first"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(name, state, reason):
    with pytest.raises(DataError, match=reason):
        xdsl.write(oracle.network({name: TableCPD([1.0], labels=[state])}))
