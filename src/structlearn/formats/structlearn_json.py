"""Our own JSON: a graph or a model of any kind, exactly.

A file is one object::

    {"format": "structlearn", "version": 1, "kind": "graph", "graph": GRAPH}
    {"format": "structlearn", "version": 1, "kind": "bayesian-network", "graph": GRAPH, "cpds": CPDS}
    {"format": "structlearn", "version": 1, "kind": "markov-network" | "ising-model" |
     "gaussian-graphical-model" | "dependency-network", "graph": GRAPH, "parameters": what `to_dict` of the
     model gives}

    GRAPH  {"nodes": [name, …], "edges": [EDGE, …]}, with "kind": "DAG" | "CPDAG" | "PDAG" | "undirected" |
           "ADMG" | "MAG" | "PAG" | "cyclic" where it was given, and "facts": {name: {fact: value, …}, …}
           where something is known about nodes
    EDGE   {"source": name, "target": name, "kind": KIND}, and where they are known "weight", "p_value" and
           "confidence", numbers
    KIND   "directed" (→) | "undirected" (—) | "bidirected" (↔) | "partially directed" (o→) |
           "nondirected" (o–o) | "partially undirected" (–o), read from source to target
    CPDS   {name: CPD, …}
    CPD    {"form": "table", "parents": [name, …], "labels": [state, …], "probabilities": nested lists,
           an axis per parent and the node's own last}
        or {"form": "linear-gaussian", "intercept": number, "coefficients": {parent: number, …},
           "variance": number}, with "rank" where parents are linearly dependent; other forms have what
           `to_dict` of the CPD gives
        or {"form": "softmax", "labels": [state, …], "intercepts": [number, …], "weights": {parent: nested
           lists, …}}, a list for each state of a discrete parent but its first, one for a continuous one
        or {"form": "sigmoid", "labels": [state, state], "bias": number, "weights": {parent: number, …}},
           with "continuous": [parent, …] where there are any; "separated": true in both, as fitted
        or {"form": "noisy-or", "labels": [state, state], "strengths": {parent: number, …}, "leak": number
           or null}, with "unidentified": [parent, …] where there are any
        or {"form": "formula", "labels": [state, state], "formula": FORMULA}, which
           `structlearn/models/formulas/plain.py` describes

Numbers are written with as many digits as it takes to read the same number back. A reader of version
1 refuses later versions.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from structlearn.errors import DataError
from structlearn.formats.content import HOMES, Content, class_of, graph_of, kind_of
from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import FORMS
from structlearn.graphs.facts import plain
from structlearn.models import CPD, BayesianNetwork
from structlearn.models.cpds import CPDS

FORMAT = "structlearn"
VERSION = 1
BAYESIAN = "bayesian-network"
MOST_INDENTED = 10_000  # edges that a person may want to read; each has seven lines
KNOWN = ("weight", "p_value", "confidence")


def write(thing: Content) -> str:
    """Give a graph or a fitted model as JSON."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "kind": "graph",
        "graph": _graph_to_dict(graph_of(thing)),
    }
    if isinstance(thing, BayesianNetwork):
        cpds = {node: {"form": cpd.form, **cpd.to_dict()} for node, cpd in thing.cpds.items()}
        content |= {"kind": BAYESIAN, "cpds": cpds}
    elif not isinstance(thing, Graph):
        content |= {"kind": kind_of(thing), "parameters": thing.to_dict()}
    # The lists of a large table would each take thousands of lines, and many edges 2.5 times as long.
    indent = 1 if isinstance(thing, Graph) and len(thing.edges) <= MOST_INDENTED else None
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"
    except ValueError:
        raise DataError("JSON cannot hold NaN or an infinite number, and this has one.") from None


def read(text: str) -> Content:
    """Make the graph or model that `write` gave as JSON."""
    content = _parsed(text)
    if content.get("format") != FORMAT:
        raise DataError('this is JSON, but not of structlearn: it lacks "format": "structlearn".')
    if content.get("version") != VERSION:
        raise DataError(
            f"this file has version {content.get('version')!r} of the format, and this structlearn reads "
            f"version {VERSION}; use the release that wrote it, or a later one."
        )
    kind = content.get("kind")
    graph = _graph_from_dict(_field(content, "graph", dict, "the file"))
    if kind == "graph":
        return graph
    if kind == BAYESIAN:
        return BayesianNetwork(graph, _cpds_from_dict(graph, _field(content, "cpds", dict, "the file")))
    if isinstance(kind, str) and kind in HOMES:
        known = _field(content, "parameters", dict, "the file")
        return cast("Content", _made(f"the {kind}", partial(class_of(kind).from_dict, graph, known)))
    kinds = ", ".join(f'"{name}"' for name in ("graph", *HOMES))
    raise DataError(f'"kind" is {kind!r}; it may be {kinds}.')


def _graph_to_dict(graph: Graph) -> dict[str, Any]:
    made = {"nodes": list(graph.nodes), "edges": [_edge_to_dict(edge) for edge in graph.edges]}
    kind = {} if graph.given_kind is None else {"kind": graph.given_kind}
    return made | kind | ({"facts": plain(graph.facts)} if graph.facts else {})


def _edge_to_dict(edge: Edge) -> dict[str, Any]:
    known = {name: getattr(edge, name) for name in KNOWN}
    known = {name: float(value) for name, value in known.items() if value is not None}
    return {"source": edge.source, "target": edge.target, "kind": edge.kind, **known}


def _parsed(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise DataError(f"line {error.lineno}: this is not JSON: {error.msg}.") from None
    except RecursionError:
        raise DataError("this is not a file of structlearn: it nests too deeply.") from None
    except ValueError as error:  # an integer of thousands of digits
        raise DataError(f"a number cannot be read: {error}.") from None
    if not isinstance(content, dict):
        raise DataError("this is JSON, but not of structlearn: it should be an object, {…}.")
    return content


def _refuse_constant(name: str) -> float:
    raise DataError(f"{name} is not a number that JSON has.")


def _graph_from_dict(known: Mapping[str, Any]) -> Graph:
    nodes = _field(known, "nodes", list, '"graph"')
    edges = [_edge_from_dict(edge) for edge in _field(known, "edges", list, '"graph"')]
    kind = _field(known, "kind", str, '"graph"') if "kind" in known else None
    facts = _field(known, "facts", dict, '"graph"') if "facts" in known else None
    return Graph(nodes, edges=edges, kind=kind, facts=facts)


def _edge_from_dict(known: Any) -> Edge:
    if not isinstance(known, dict):
        raise DataError(f"an edge should be an object, not {known!r}.")
    source, target, kind = (_field(known, name, str, "an edge") for name in ("source", "target", "kind"))
    if kind not in FORMS:
        kinds = ", ".join(f'"{name}"' for name in FORMS)
        raise DataError(f"the edge {source!r}, {target!r} has kind {kind!r}; it is one of {kinds}.")
    numbers = {name: _field(known, name, (int, float), "an edge") for name in KNOWN if name in known}
    return Edge(source, target, kind, **numbers)


def _cpds_from_dict(graph: Graph, known: Mapping[str, Any]) -> dict[str, CPD]:
    for node in graph.nodes:
        if node not in known:
            raise DataError(f'"cpds" lacks the node {node!r}.')
    return {node: _cpd_from_dict(node, cpd) for node, cpd in known.items()}


def _cpd_from_dict(node: str, known: Any) -> CPD:
    where = f"the CPD of {node!r}"
    if not isinstance(known, dict):
        raise DataError(f"{where} should be an object, not {known!r}.")
    form = _field(known, "form", str, where)
    if form not in CPDS:
        raise DataError(f"{where} has the form {form!r}; known are {', '.join(map(repr, CPDS))}.")
    return cast("CPD", _made(where, partial(CPDS[form].from_dict, known)))


def _made(where: str, make: Callable[[], object]) -> object:
    """Make a part of a model, and say which part it was that could not be made."""
    try:
        return make()
    except KeyError as error:
        raise DataError(f"{where} lacks {error}.") from None
    except DataError as error:
        raise DataError(f"{where}: {error}") from None
    except RecursionError:
        raise DataError(f"{where} nests too deeply.") from None
    except (ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        raise DataError(f"{where} has a value of the wrong type.") from None


def _field(known: Mapping[str, Any], name: str, kind: type | tuple[type, ...], where: str) -> Any:
    if name not in known:
        raise DataError(f'{where} lacks "{name}".')
    if isinstance(known[name], bool) or not isinstance(known[name], kind):
        raise DataError(f'"{name}" of {where} has the wrong type: {known[name]!r}.')
    return known[name]
