"""UAI, the format of the inference competitions: networks by the positions of their nodes.

The file is numbers with blanks between them: how many nodes, the states of each, how many tables, the
nodes of each table, and the tables. The last node of a table changes fastest; in a Bayesian network it
is the child. There are no names: nodes are "0", "1", …, and their states 0, 1, …
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, cast

import numpy as np

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.formats.content import Content, kind_of
from structlearn.formats.numbers import written
from structlearn.formats.scanner import shortened
from structlearn.formats.tables import Rows, first_wrong, normalised, tables_of
from structlearn.formats.uai_words import Words
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, TableCPD
from structlearn.models.cpds.table import refuse_large_table

if TYPE_CHECKING:
    from structlearn.models.markov_network import MarkovNetwork

FORM = "UAI"
MOST_PAIRS = 2_000_000
MOST_UNLISTED_STATES = 2**20  # of nodes in no table: each state is a label in memory

Scope = list[int]
Part = tuple[Sequence[str], Rows]


def read(text: str) -> "BayesianNetwork | MarkovNetwork":
    """Make a network of the text of a UAI file."""
    words = Words(text)
    kind = words.next("BAYES or MARKOV")
    if kind not in {"BAYES", "MARKOV"}:
        raise words.error(f"the file begins with {shortened(kind)!r}; it should be 'BAYES' or 'MARKOV'.")
    levels = [words.count("the number of states") for _ in range(words.count("the number of nodes"))]
    if not levels:
        raise words.error("a network should have a node.")
    n_tables = words.count("the number of tables")
    scopes = [_read_scope(words, len(levels)) for _ in range(n_tables)]
    if kind == "BAYES":
        _check_children(words, scopes, len(levels))
        return _read_bayesian(words, levels, scopes)
    return _read_markov(words, levels, scopes)


def write(thing: Content) -> str:
    """Give a network of tables as UAI, once its nodes and states are numbered."""
    if kind_of(thing) == "markov-network":
        markov = cast("MarkovNetwork", thing)
        return _written("MARKOV", markov.labels, markov.factors())
    tables = tables_of(thing, FORM)
    parts = [((*table.parents, node), table.probabilities) for node, table in tables.items()]
    return _written("BAYES", {node: table.labels for node, table in tables.items()}, parts)


def _read_scope(words: Words, n_nodes: int) -> Scope:
    n_members = words.count("the number of nodes of a table")
    scope = [words.count("a node") for _ in range(n_members)]
    if not scope or len(set(scope)) < len(scope) or max(scope) >= n_nodes:
        raise words.error(f"a table is of different nodes from 0 to {n_nodes - 1}, and here it is not.")
    return scope


def _check_children(words: Words, scopes: Sequence[Scope], n_nodes: int) -> None:
    children = [scope[-1] for scope in scopes]
    if len(set(children)) < len(children):
        raise words.error("a node has two tables: it is listed last in both.")
    lone = set(range(n_nodes)).difference(children)
    if lone:
        raise words.error(f"the node {min(lone)} has no table: none lists it last.")


def _read_bayesian(words: Words, levels: Sequence[int], scopes: Sequence[Scope]) -> BayesianNetwork:
    cpds = {}
    for *parents, child in scopes:
        table = _read_table(words, [levels[node] for node in (*parents, child)], child)
        rows = table.reshape(-1, levels[child])
        wrong = first_wrong(rows)
        if wrong is not None:
            raise words.error(f"row {wrong[0] + 1} of the table of {child}: {wrong[1]}")
        table = normalised(rows).reshape(table.shape)
        cpds[str(child)] = TableCPD(table, labels=range(levels[child]), parents=map(str, parents))
    words.refuse_more()
    arrows = [(str(parent), str(child)) for *parents, child in scopes for parent in parents]
    return BayesianNetwork(Graph(map(str, range(len(levels))), directed=arrows), cpds)


def _read_markov(words: Words, levels: Sequence[int], scopes: Sequence[Scope]) -> "MarkovNetwork":
    from structlearn.models.factors import Factor  # noqa: PLC0415, slow to load
    from structlearn.models.markov_network import MarkovNetwork  # noqa: PLC0415, as above

    lone = set(range(len(levels))).difference(*scopes)
    if sum(levels[node] for node in lone) > MOST_UNLISTED_STATES:
        raise words.error(f"nodes that are in no table have more than {MOST_UNLISTED_STATES:,} states.")
    factors = []
    for scope in scopes:
        table = _read_table(words, [levels[node] for node in scope], scope[-1])
        try:
            factors.append(Factor(map(str, scope), table))
        except DataError as error:
            raise words.error(str(error)) from None
    words.refuse_more()
    if sum(math.comb(len(scope), 2) for scope in scopes) > MOST_PAIRS:
        raise words.error(f"the tables join more than {MOST_PAIRS:,} pairs of nodes.")
    pairs = {tuple(sorted(pair)) for scope in scopes for pair in combinations(scope, 2)}
    graph = Graph(map(str, range(len(levels))), undirected=[(str(a), str(b)) for a, b in sorted(pairs)])
    return MarkovNetwork(graph, factors, labels={str(node): range(n) for node, n in enumerate(levels)})


def _read_table(words: Words, shape: Sequence[int], node: int) -> Rows:
    n_cells = words.count("the size of a table")
    try:
        refuse_large_table(str(node), shape)
    except DataError as error:
        raise words.error(str(error)) from None
    if n_cells != math.prod(shape) or not n_cells:
        raise words.error(f"the table of {node} should have {math.prod(shape)} cells, not {n_cells}.")
    return np.array(words.numbers(n_cells)).reshape(shape)


def _written(kind: str, labels: dict[str, tuple[Label, ...]], parts: Sequence[Part]) -> str:
    for position, (node, states) in enumerate(labels.items()):
        _refuse_names(node, states, position)
    lines = [kind, str(len(labels)), " ".join(str(len(states)) for states in labels.values())]
    lines.append(str(len(parts)))
    lines += [" ".join([str(len(names)), *names]) for names, _ in parts]
    for _, table in parts:
        rows = table.reshape(-1, table.shape[-1]).tolist()
        lines += ["", str(table.size), *map(written, rows)]
    return "\n".join([*lines, ""])


def _refuse_names(node: str, labels: Sequence[Label], position: int) -> None:
    if node != str(position):
        raise DataError(
            f"{FORM} has no names, and node {position} is called {node!r}; save model.numbered(), whose "
            "nodes are '0', '1', …"
        )
    for number, label in enumerate(labels):
        if type(label) is not int or label != number:
            raise DataError(
                f"{FORM} has no names, and state {number} of the node {node!r} is {label!r}; save "
                "model.numbered(), whose states are 0, 1, …"
            )
