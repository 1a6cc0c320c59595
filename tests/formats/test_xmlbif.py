"""XMLBIF files are read as version 0.3 says, or refused with the line."""

import pytest

from structlearn.errors import DataError
from structlearn.formats import xmlbif
from structlearn.graphs import Graph
from structlearn.models import TableCPD

DOG = """<?xml version="1.0" encoding="US-ASCII"?>
<!-- the dog problem, in the manner of JavaBayes -->
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
  <!ATTLIST BIF VERSION CDATA #REQUIRED>
]>
<BIF VERSION="0.3">
<NETWORK>
<NAME>Dog-Problem</NAME>
<PROPERTY>credal-set constant-density-bounded 1.1</PROPERTY>
<VARIABLE TYPE="nature">
  <NAME>light on</NAME>
  <OUTCOME>true</OUTCOME>
  <OUTCOME> false </OUTCOME>
  <PROPERTY>position = (218, 195)</PROPERTY>
</VARIABLE>
<VARIABLE>
  <NAME>family-out</NAME>
  <OUTCOME>true</OUTCOME>
  <OUTCOME>false</OUTCOME>
</VARIABLE>
<DEFINITION>
  <FOR>light on</FOR>
  <GIVEN>family-out</GIVEN>
  <TABLE> <!-- the states of light on fastest -->
    0.6 0.4   <!-- family out -->
    5e-2 .95
  </TABLE>
</DEFINITION>
<DEFINITION> <FOR>family-out</FOR> <TABLE>0.15 0.85</TABLE> </DEFINITION>
</NETWORK>
</BIF>
"""


def changed(before, after):
    assert before in DOG
    return DOG.replace(before, after, 1)


def test_a_file_with_comments_properties_and_a_doctype_is_read_as_it_stands():
    model = xmlbif.read(DOG)

    states = ["true", "false"]
    assert model.graph == Graph(["light on", "family-out"], directed=[("family-out", "light on")])
    assert model.nodes == ("light on", "family-out")
    assert model.cpds == {
        "light on": TableCPD([[0.6, 0.4], [0.05, 0.95]], labels=states, parents=["family-out"]),
        "family-out": TableCPD([0.15, 0.85], labels=states),
    }


def test_the_last_parent_changes_before_the_first():
    text = """<BIF VERSION="0.3"><NETWORK><NAME>x</NAME>
    <VARIABLE><NAME>c</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>
    <VARIABLE><NAME>p</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME></VARIABLE>
    <VARIABLE><NAME>q</NAME><OUTCOME>0</OUTCOME><OUTCOME>1</OUTCOME><OUTCOME>2</OUTCOME></VARIABLE>
    <DEFINITION><FOR>p</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>
    <DEFINITION><FOR>q</FOR><TABLE>0.2 0.3 0.5</TABLE></DEFINITION>
    <DEFINITION><FOR>c</FOR><GIVEN>p</GIVEN><GIVEN>q</GIVEN>
      <TABLE>0.1 0.9 0.2 0.8 0.3 0.7  0.4 0.6 0.5 0.5 0.6 0.4</TABLE></DEFINITION>
    </NETWORK></BIF>"""

    table = xmlbif.read(text).cpds["c"].probabilities

    assert table[:, :, 0].tolist() == [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]


@pytest.mark.parametrize(
    ("before", "after", "line", "reason"),
    [
        ("</FOR>", "</GIVEN>", 23, "this is not XML: mismatched tag"),
        ("<BIF VERSION", "<GRAPH VERSION", 32, "not XML"),
        ("0.6 0.4", "0.6 0.3", 22, r"'light on': row 1: .* sum to 0.9"),
        ("5e-2", "nan", 22, r"'light on': row 2: .* sum to nan"),
        ("5e-2", "1e999", 22, "sum to inf"),
        ("5e-2", "-0.05", 22, "from 0 to 1"),
        ("5e-2", "half", 25, r"not a list of numbers"),
        ("5e-2", "", 22, "'light on': expected 4 probabilities, found 3"),
        ("<GIVEN>family-out", "<GIVEN>dog-out", 22, "'dog-out' is not declared"),
        ("<GIVEN>family-out", "<GIVEN>light on", 22, "appears twice"),
        ("<FOR>family-out", "<FOR>light on", 30, "'light on' has a second table"),
        ("<FOR>light on</FOR>", "", 22, "<DEFINITION> should have one <FOR>, and has 0"),
        ("<NAME>family-out", "<NAME>light on", 17, "declared a second time"),
        ("<OUTCOME>true", "<OUTCOME>false", 11, "state that is listed twice"),
        ('TYPE="nature"', 'TYPE="utility"', 11, "'light on' has the type 'utility'"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(before, after, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        xmlbif.read(changed(before, after))

    assert str(raised.value).startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: this is not XML: no element found"),
        ("<smile/>", "line 1: expected <BIF>, found <smile>"),
        ("<BIF/>", "should have one <NETWORK>, and has 0"),
        ("<BIF><NETWORK/></BIF>", "without having declared a node"),
        (
            DOG.replace("0.15 0.85", "0.15 0.85 0.15 0.85").replace(
                "<FOR>family-out</FOR>", "<FOR>family-out</FOR><GIVEN>light on</GIVEN>"
            ),
            "cycle",
        ),
        (DOG[: DOG.rindex("<DEFINITION>")] + "</NETWORK></BIF>", "'family-out' has no table"),
    ],
)
def test_what_is_missing_is_told(text, reason):
    with pytest.raises(DataError, match=reason):
        xmlbif.read(text)


@pytest.mark.parametrize(
    "trick",
    [
        '<!DOCTYPE BIF [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;&a;">]>',
        '<!DOCTYPE BIF [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE BIF SYSTEM "http://127.0.0.1/bif.dtd">',
    ],
)
def test_entities_and_other_files_are_refused(trick):
    with pytest.raises(DataError, match="line 1: the file declares an entity or refers to another file"):
        xmlbif.read(f"{trick}<BIF><NETWORK><NAME>&c;</NAME></NETWORK></BIF>")


def test_elements_that_nest_without_end_are_refused():
    with pytest.raises(DataError, match="nest too deeply"):
        xmlbif.read("<BIF>" * 1000)
