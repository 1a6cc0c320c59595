"""BIF, the Bayesian interchange format of the public network repositories: tables only.

Reads what bnlearn, GeNIe, pgmpy, pyAgrum and JavaBayes write. A row of a table stands behind the
states of its parents, `(yes, no) 0.2, 0.8;`. The word `table` with parents lists the node's states
slowest and the last parent's fastest, and `default` gives the rows that are not listed.
"""

import itertools
import re
from collections.abc import Iterator, Sequence

from structlearn.errors import DataError
from structlearn.formats.bif_scanner import BifScanner
from structlearn.formats.bif_tables import Block, Entry, refuse_large_tables, table_of
from structlearn.formats.content import Content
from structlearn.formats.tables import label_texts, tables_of
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, TableCPD

FORM = "BIF"

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_SIZE = re.compile(r"[0-9]{1,9}")


def read(text: str) -> BayesianNetwork:
    """Make a network of the text of a BIF file."""
    scanner = BifScanner(text)
    states: dict[str, tuple[str, ...]] = {}
    blocks: dict[str, Block] = {}
    while not scanner.at_end:
        start = scanner.place
        word = scanner.word("network", "variable", "probability")
        if word == "network":
            _skip_network(scanner)
        elif word == "variable":
            _read_variable(scanner, states)
        else:
            block = _read_block(scanner, start)
            if block.child in blocks:
                raise scanner.error(f"{block.child!r} has a second probability block.", place=start)
            blocks[block.child] = block
    return _assembled(scanner, states, blocks)


def write(thing: Content) -> str:
    """Give a network of tables as BIF."""
    lines = ["network unknown {", "}"]
    tables = tables_of(thing, FORM)
    words = {node: [*map(_word, label_texts(node, cpd.labels, FORM))] for node, cpd in tables.items()}
    for node in tables:
        listed = ", ".join(words[node])
        lines += [
            f"variable {_word(node)} {{",
            f"  type discrete [ {len(words[node])} ] {{ {listed} }};",
            "}",
        ]
    for node, table in tables.items():
        lines += _block_lines(node, table, [words[parent] for parent in table.parents])
    return "\n".join([*lines, ""])


def _skip_network(scanner: BifScanner) -> None:
    scanner.name("the name of the network")
    scanner.expect("{")
    while not scanner.accept("}"):
        scanner.word("property")
        scanner.skip_property()


def _read_variable(scanner: BifScanner, states: dict[str, tuple[str, ...]]) -> None:
    start = scanner.place
    name = scanner.name("the name of a variable")
    if name in states:
        raise scanner.error(f"the variable {name!r} is declared a second time.", place=start)
    scanner.expect("{")
    found: tuple[str, ...] = ()
    while not scanner.accept("}"):
        if scanner.word("type", "property") == "property":
            scanner.skip_property()
        elif found:
            raise scanner.error(f"the variable {name!r} has a second type.")
        else:
            found = _read_states(scanner, name)
    if not found:
        raise scanner.error(f"the variable {name!r} has no 'type discrete'.", place=start)
    states[name] = found


def _read_states(scanner: BifScanner, variable: str) -> tuple[str, ...]:
    start = scanner.place
    scanner.word("discrete")
    scanner.expect("[")
    size = scanner.name("the number of states")
    scanner.expect("]")
    scanner.expect("{")
    states = tuple(scanner.names("a state", "}"))
    scanner.expect(";")
    if not _SIZE.fullmatch(size) or int(size) != len(states) or not states:
        raise scanner.error(
            f"{variable!r} should have {size} states, and {len(states)} are listed.", place=start
        )
    if len(set(states)) < len(states):
        raise scanner.error(f"{variable!r} has a state that is listed twice.", place=start)
    return states


def _read_block(scanner: BifScanner, start: int) -> Block:
    scanner.expect("(")
    child = scanner.name("the name of a variable")
    if not scanner.accept("|"):
        scanner.accept(",")
    parents = tuple(scanner.names("a parent", ")"))
    scanner.expect("{")
    rows: list[Entry] = []
    whole: dict[str, Entry] = {}
    while not scanner.accept("}"):
        place = scanner.place
        if scanner.accept("("):
            given = tuple(scanner.names("a state", ")"))
            rows.append(Entry(place, scanner.numbers(), given))
            continue
        word = scanner.word("table", "default", "property")
        if word == "property":
            scanner.skip_property()
        elif word in whole:
            raise scanner.error(f"{child!r} has a second {word!r}.", place=place)
        else:
            whole[word] = Entry(place, scanner.numbers())
    return Block(start, child, parents, rows, whole.get("table"), whole.get("default"))


def _assembled(
    scanner: BifScanner, states: dict[str, tuple[str, ...]], blocks: dict[str, Block]
) -> BayesianNetwork:
    if not states:
        raise scanner.error("the file ends without having declared a variable.")
    for block in blocks.values():
        _check_names(scanner, block, states)
    for name in states:
        if name not in blocks:
            raise scanner.error(f"the file ends, and the variable {name!r} has no probability block.")
    refuse_large_tables(scanner, blocks.values(), states)
    arrows = [(parent, child) for child in states for parent in blocks[child].parents]
    cpds = {name: table_of(scanner, blocks[name], states) for name in states}
    return BayesianNetwork(Graph(states, directed=arrows), cpds)


def _check_names(scanner: BifScanner, block: Block, states: dict[str, tuple[str, ...]]) -> None:
    family = (block.child, *block.parents)
    for name in family:
        if name not in states:
            raise scanner.error(f"the variable {name!r} is not declared.", place=block.place)
    if len(set(family)) < len(family):
        raise scanner.error(f"a variable appears twice in the block of {block.child!r}.", place=block.place)


def _block_lines(node: str, table: TableCPD, parent_words: Sequence[Sequence[str]]) -> Iterator[str]:
    rows = table.probabilities.reshape(-1, len(table.labels)).tolist()
    numbers = (", ".join(map(repr, row)) for row in rows)
    if not table.parents:
        yield from (f"probability ( {_word(node)} ) {{", f"  table {next(numbers)};", "}")
        return
    yield f"probability ( {_word(node)} | {', '.join(map(_word, table.parents))} ) {{"
    for given, row in zip(itertools.product(*parent_words), numbers, strict=True):
        yield f"  ({', '.join(given)}) {row};"
    yield "}"


def _word(name: str) -> str:
    if _PLAIN.fullmatch(name):
        return name
    if '"' in name:
        raise DataError(f"BIF cannot hold the double quote in {name!r}; rename it, or save as .json.")
    return f'"{name}"'
