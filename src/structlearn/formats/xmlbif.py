"""XMLBIF 0.3, the interchange format in XML that JavaBayes, Weka, pgmpy and pyAgrum share: tables only.

A table lists the states of the node (`FOR`) fastest, then those of its last parent (`GIVEN`).
Properties are read over.
"""

from collections.abc import Iterator

from structlearn.formats.content import Content
from structlearn.formats.draft import Draft
from structlearn.formats.numbers import read_numbers, written
from structlearn.formats.scanner import shortened
from structlearn.formats.tables import label_texts, tables_of
from structlearn.formats.xml_tree import Element, element, parse_xml
from structlearn.models import BayesianNetwork, TableCPD

FORM = "XMLBIF"


def read(text: str) -> BayesianNetwork:
    """Make a network of the text of an XMLBIF file."""
    network = parse_xml(text, "BIF").only("NETWORK")
    draft = Draft()
    for variable in network.all("VARIABLE"):
        _read_variable(variable, draft)
    for definition in network.all("DEFINITION"):
        child = definition.only("FOR").word
        parents = [given.word for given in definition.all("GIVEN")]
        draft.define(child, parents, _numbers(definition.only("TABLE")), fail=definition.error)
    return draft.network()


def write(thing: Content) -> str:
    """Give a network of tables as XMLBIF."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<BIF VERSION="0.3">',
        "<NETWORK>",
        "<NAME>unknown</NAME>",
    ]
    tables = tables_of(thing, FORM)
    for node, table in tables.items():
        lines += _variable_lines(node, label_texts(node, table.labels, FORM))
    for node, table in tables.items():
        lines += _definition_lines(node, table)
    return "\n".join([*lines, "</NETWORK>", "</BIF>", ""])


def _read_variable(variable: Element, draft: Draft) -> None:
    name = variable.only("NAME").word
    kind = variable.attributes.get("TYPE", "nature")
    if kind != "nature":
        raise variable.error(
            f"the node {name!r} has the type {kind!r}; only chance nodes, 'nature', are read."
        )
    draft.declare(name, [outcome.word for outcome in variable.all("OUTCOME")], variable.error)


def _numbers(table: Element) -> list[float]:
    found = read_numbers(table.text)
    if found is None:
        raise table.error(f"{shortened(table.word)!r} is not a list of numbers.")
    return found


def _variable_lines(node: str, states: list[str]) -> Iterator[str]:
    yield '<VARIABLE TYPE="nature">'
    yield f"  {element('NAME', node, FORM)}"
    yield from (f"  {element('OUTCOME', state, FORM)}" for state in states)
    yield "</VARIABLE>"


def _definition_lines(node: str, table: TableCPD) -> Iterator[str]:
    yield "<DEFINITION>"
    yield f"  {element('FOR', node, FORM)}"
    yield from (f"  {element('GIVEN', parent, FORM)}" for parent in table.parents)
    yield "  <TABLE>"
    yield from (written(row) for row in table.probabilities.reshape(-1, len(table.labels)).tolist())
    yield "  </TABLE>"
    yield "</DEFINITION>"
