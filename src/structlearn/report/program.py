"""Values as a Python program writes them, with the imports and the lines that they need before."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import structlearn
from structlearn.data import Knowledge
from structlearn.graphs import Edge, Graph
from structlearn.options.configured import Configured

UNTOLD = frozenset({"progress"})
PLAIN = (bool, int, float, str, bytes, range, slice, Path, type(None))
MOST_CELLS = 100  # of an array that is written out


@dataclass
class Program:
    """Writes values, and remembers what the program has to say before they can be read."""

    imports: set[str] = field(default_factory=set)
    before: list[str] = field(default_factory=list)

    def written(self, value: Any, name: str) -> str:
        """The value as code; of what cannot be written, `name`, which a line before leaves open."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, PLAIN):
            return _plain(value)
        if isinstance(value, Knowledge):
            return f"sl.{value!r}"
        if isinstance(value, Graph):
            return self._graph(value, name)
        if isinstance(value, Configured):
            return self._made(value, changed_options(value))
        if is_dataclass(value) and type(value).__module__.startswith("structlearn."):
            given = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
            return self._made(value, given)
        return self._several(value, name)

    def _several(self, value: Any, name: str) -> str:
        if isinstance(value, np.ndarray) and value.size <= MOST_CELLS:
            self.imports.add("import numpy as np")
            return f"np.array({self.written(value.tolist(), name)})"
        if type(value) is dict:
            items = [f"{self.written(key, name)}: {self.written(each, name)}" for key, each in value.items()]
            return f"{{{', '.join(items)}}}"
        if type(value) in (list, tuple, set, frozenset):
            items = [self.written(each, name) for each in value]
            listed = f"[{', '.join(items)}]"
            return listed if type(value) is list else f"{type(value).__name__}({listed})"
        line = f"{name} = ...  # the same {type(value).__name__}"
        if line not in self.before:
            self.before.append(line)
        return name

    def _made(self, value: Any, given: Mapping[str, Any]) -> str:
        kind = type(value)
        options = ", ".join(f"{name}={self.written(each, name)}" for name, each in given.items())
        if kind.__name__ in structlearn.__all__:
            return f"sl.{kind.__name__}({options})"
        package = ".".join(kind.__module__.split(".")[:2])  # the public place of scores and tests
        is_public = getattr(import_module(package), kind.__name__, None) is kind
        self.imports.add(f"from {package if is_public else kind.__module__} import {kind.__name__}")
        return f"{kind.__name__}({options})"

    def _graph(self, graph: Graph, name: str) -> str:
        edges = ", ".join(_edge(edge) for edge in graph.edges)
        facts = {node: dict(known) for node, known in graph.facts.items()}
        more = f", facts={self.written(facts, name)}" if facts else ""
        kind = f", kind={graph.given_kind!r}" if graph.given_kind else ""
        return f"sl.Graph({list(graph.nodes)!r}, edges=[{edges}]{kind}{more})"


def changed_options(configured: Configured) -> Mapping[str, Any]:
    """Give the options that are not at their default."""
    return {
        name: value
        for name, value in configured.get_params(deep=False).items()
        if name not in UNTOLD and repr(value) != repr(configured.options[name].default)
    }


def _plain(value: object) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    return repr(str(value) if isinstance(value, Path) else value)


def _edge(edge: Edge) -> str:
    return f"sl.Edge({edge.source!r}, {edge.target!r}, {edge.kind!r})"
