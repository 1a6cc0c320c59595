"""XDSL, the format of GeNIe and SMILE: chance nodes with tables, and deterministic nodes.

A table lists the states of the node fastest, then those of its last parent. Positions, colours and
longer names stand in a section of their own, which is read over.
"""

import math
import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.formats.content import Content, graph_of
from structlearn.formats.draft import Draft
from structlearn.formats.numbers import read_numbers, written
from structlearn.formats.scanner import shortened
from structlearn.formats.tables import label_texts, tables_of
from structlearn.formats.xml_tree import Element, parse_xml
from structlearn.models import BayesianNetwork, TableCPD

FORM = "XDSL"
REFUSED = {
    "decision": "a decision",
    "utility": "a utility",
    "mau": "a utility",
    "noisymax": "a noisy-max distribution; let GeNIe change it to a table",
    "noisyadder": "a noisy-adder distribution; let GeNIe change it to a table",
    "equation": "an equation",
    "hybrid": "a hybrid distribution",
}

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read(text: str) -> BayesianNetwork:
    """Make a network of the text of an XDSL file."""
    root = parse_xml(text, "smile")
    for dynamic in root.all("dynamic"):
        raise dynamic.error("the network is dynamic, and only static ones are read.")
    draft = Draft()
    nodes = root.only("nodes").children
    for node in nodes:
        _refuse_other_kinds(node)
        draft.declare(node.attribute("id"), _states(node), node.error)
    for node in nodes:
        numbers = _numbers(node) if node.tag == "cpt" else _resulting(node, draft)
        draft.define(node.attribute("id"), _parents(node), numbers, fail=node.error)
    return draft.network()


def write(thing: Content) -> str:
    """Give a network of tables as XDSL, parents before their children."""
    tables = tables_of(thing, FORM)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<smile version="1.0" id="network">', "  <nodes>"]
    for node in graph_of(thing).topological_order():
        lines += _node_lines(node, tables[node])
    lines += ["  </nodes>", "  <extensions>", '    <genie version="1.0" name="network">']
    # What is drawn; pyAgrum reads no file without this section.
    lines += [f'      <node id="{node}"><name>{node}</name></node>' for node in tables]
    return "\n".join([*lines, "    </genie>", "  </extensions>", "</smile>", ""])


def _refuse_other_kinds(node: Element) -> None:
    if node.tag in {"cpt", "deterministic"}:
        return
    what = REFUSED.get(node.tag, f"a <{node.tag}>")
    name = node.attributes.get("id", "")
    raise node.error(f"the node {name!r} has {what}; nodes with tables are read, and deterministic ones.")


def _states(node: Element) -> list[str]:
    return [state.attribute("id") for state in node.all("state")]


def _parents(node: Element) -> list[str]:
    return [parent for parents in node.all("parents") for parent in parents.text.split()]


def _numbers(node: Element) -> list[float]:
    table = node.only("probabilities")
    found = read_numbers(table.text)
    if found is None:
        raise table.error(f"{shortened(table.word)!r} is not a list of numbers.")
    return found


def _resulting(node: Element, draft: Draft) -> NDArray[np.float64]:
    """The table of a deterministic node: 1 for the state that each row lists."""
    name, states = node.attribute("id"), _states(node)
    listed = node.only("resultingstates")
    code_of = {state: code for code, state in enumerate(states)}
    words = listed.text.split()
    for word in words:
        if word not in code_of:
            raise listed.error(f"{shortened(word)!r} is no state of {name!r}.")
    n_rows = math.prod(draft.count_unlisted(name, _parents(node), node.error)[:-1])
    if len(words) != n_rows:
        raise listed.error(f"expected {n_rows} states, found {len(words)}.")
    table = np.zeros((n_rows, len(states)))
    table[np.arange(n_rows), [code_of[word] for word in words]] = 1.0
    return table.ravel()


def _node_lines(node: str, table: TableCPD) -> Iterator[str]:
    yield f'    <cpt id="{_identifier(node, "the node")}">'
    for state in label_texts(node, table.labels, FORM):
        yield f'      <state id="{_identifier(state, f"the state of {node!r}")}" />'
    if table.parents:
        yield f"      <parents>{' '.join(table.parents)}</parents>"
    yield f"      <probabilities>{written(table.probabilities.ravel().tolist())}</probabilities>"
    yield "    </cpt>"


def _identifier(name: str, what: str) -> str:
    if _IDENTIFIER.fullmatch(name):
        return name
    raise DataError(
        f"{FORM} names nodes and states by letters, digits and _, a letter first, and {what} {name!r} has "
        "another name; rename it, or save as .json or .xmlbif."
    )
