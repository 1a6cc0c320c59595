"""NET, the format of Hugin: discrete chance nodes with tables.

A table lists the states of the node fastest, then those of its last parent. A table without data is
uniform. Positions, labels and other attributes are read over.
"""

import re
from collections.abc import Iterator
from functools import partial

from structlearn.errors import DataError
from structlearn.formats.content import Content
from structlearn.formats.draft import Draft
from structlearn.formats.hugin_scanner import HuginScanner
from structlearn.formats.numbers import written
from structlearn.formats.tables import label_texts, tables_of
from structlearn.models import BayesianNetwork, TableCPD

FORM = "Hugin NET"
REFUSED = ("continuous", "decision", "utility", "function", "interval", "class")
RESERVED = {"net", "node", "potential", "discrete", "data", *REFUSED}

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NOT_IN_QUOTES = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029]')


def read(text: str) -> BayesianNetwork:
    """Make a network of the text of a NET file."""
    scanner = HuginScanner(text)
    draft = Draft()
    while not scanner.at_end:
        start = scanner.place
        word = scanner.word("net", "node", "discrete", "potential", *REFUSED)
        if word in REFUSED:
            raise scanner.error(f"{word!r}: only discrete chance nodes are read.", place=start)
        if word == "net":
            _skip_block(scanner)
        elif word == "potential":
            _read_potential(scanner, draft, start)
        else:
            if word == "discrete":
                scanner.word("node")
            _read_node(scanner, draft, start)
    return draft.network()


def write(thing: Content) -> str:
    """Give a network of tables as NET."""
    tables = tables_of(thing, FORM)
    lines = ["net", "{", "}"]
    for node, table in tables.items():
        states = " ".join(_quoted(state, node) for state in label_texts(node, table.labels, FORM))
        lines += [f"node {_identifier(node)}", "{", f"  states = ({states});", "}"]
    for node, table in tables.items():
        lines += _potential_lines(node, table)
    return "\n".join([*lines, ""])


def _skip_block(scanner: HuginScanner) -> None:
    scanner.expect("{")
    while not scanner.accept("}"):
        scanner.name("an attribute or '}'")
        scanner.expect("=")
        scanner.skip_value()


def _read_node(scanner: HuginScanner, draft: Draft, start: int) -> None:
    name = scanner.name("the name of a node")
    states: list[str] = []
    scanner.expect("{")
    while not scanner.accept("}"):
        attribute = scanner.name("an attribute or '}'")
        scanner.expect("=")
        if attribute != "states":
            scanner.skip_value()
            continue
        scanner.expect("(")
        states = scanner.names("a state", ")")
        scanner.expect(";")
    draft.declare(name, states, partial(scanner.error, place=start))


def _read_potential(scanner: HuginScanner, draft: Draft, start: int) -> None:
    fail = partial(scanner.error, place=start)
    scanner.expect("(")
    child = scanner.name("the name of a node")
    parents: list[str] = []
    if not scanner.accept(")"):
        if not scanner.accept("|"):
            raise fail("a potential should have one node before the '|'.")
        parents = scanner.names("a parent", ")")
    draft.define(child, parents, _read_data(scanner), fail=fail)


def _read_data(scanner: HuginScanner) -> list[float] | None:
    numbers: list[float] | None = None
    scanner.expect("{")
    while not scanner.accept("}"):
        start = scanner.place
        attribute = scanner.name("an attribute or '}'")
        scanner.expect("=")
        if attribute == "model_data":
            raise scanner.error("an expression in place of a table is not read.", place=start)
        if attribute == "data":
            numbers = scanner.numbers()
        else:
            scanner.skip_value()
    return numbers


def _potential_lines(node: str, table: TableCPD) -> Iterator[str]:
    given = f" | {' '.join(table.parents)}" if table.parents else ""
    yield from (f"potential ({node}{given})", "{", "  data =")
    levels = table.probabilities.shape[:-1]
    n_begun = len(levels)
    for number, row in enumerate(table.probabilities.reshape(-1, len(table.labels)).tolist(), start=1):
        n_ended = _n_ended(number, levels)
        yield f"    {'(' * n_begun}({written(row)}){')' * n_ended}"
        n_begun = n_ended
    yield from ("  ;", "}")


def _n_ended(number: int, levels: tuple[int, ...]) -> int:
    """How many parents, from the last on, have gone through all their states at this row."""
    for n_ended, level in enumerate(reversed(levels)):
        number, rest = divmod(number, level)
        if rest:
            return n_ended
    return len(levels)


def _identifier(node: str) -> str:
    if _IDENTIFIER.fullmatch(node) and node not in RESERVED:
        return node
    raise DataError(
        f"{FORM} names nodes by letters, digits and _, a letter first and no word of the language, and there "
        f"is the node {node!r}; rename it, or save as .json or .xmlbif."
    )


def _quoted(state: str, node: str) -> str:
    found = _NOT_IN_QUOTES.search(state)
    if found is None:
        return f'"{state}"'
    raise DataError(
        f"{FORM} cannot hold {found[0]!r} in the state {state!r} of {node!r}; rename it, or save as .json."
    )
