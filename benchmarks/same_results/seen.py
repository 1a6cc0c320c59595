"""What a user sees of a result, in JSON, to the last digit."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import sparray, spmatrix

import structlearn as sl

NOT_RESULTS = {"seconds_", "feature_names_in_"}  # the clock, and the names that every case gives
MOST_NUMBERS = 20  # of an array that is written out; larger ones become a digest
MOST_ITEMS = 1_000  # of a mapping or list, as above: those of ALARM are written out
MOST_KEYS = (
    20_000  # of a mapping that are looked up: the separating sets of 1,000 columns take long to ask for
)
FIRST_ITEMS = 25  # of a sequence that makes its items when asked, such as sampled graphs


def seen(value: Any) -> Any:
    """The value as text, numbers, lists and mappings; floats as `float.hex` writes them."""
    if value is None or isinstance(value, bool | int | str):
        return value
    for kinds, written in WRITERS:
        if isinstance(value, kinds):
            return written(value)
    return _results(value) if hasattr(value, "get_params") else dict(_attributes(value))


def _results(learner: Any) -> dict[str, Any]:
    names = [name for name in vars(learner) if name.endswith("_") and name not in NOT_RESULTS]
    return {name: seen(getattr(learner, name)) for name in names}


def _graph(graph: sl.Graph) -> dict[str, Any]:
    """Its nodes, its edges in their order and what is known of each, by the edge's name."""
    known = {
        f"{edge.source} {edge.kind} {edge.target}": [
            seen(number) for number in (edge.weight, edge.p_value, edge.confidence)
        ]
        for edge in graph.edges
    }
    return {"nodes": _digest(list(graph.nodes)), "order": _digest(list(known)), "edges": _shortened(known)}


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """Public fields, attributes and properties that are no functions; the first of its items."""
    names = (
        [field.name for field in fields(value)]
        if is_dataclass(value)
        else list(getattr(value, "__dict__", ()))
    )
    for kind in type(value).__mro__:
        names += [
            name for name, member in vars(kind).items() if isinstance(member, property | cached_property)
        ]
    for name in dict.fromkeys(names):
        if not name.startswith("_"):
            attribute = getattr(value, name)
            if not callable(attribute):
                yield name, seen(attribute)
    if hasattr(value, "__getitem__"):
        yield "length", len(value)
        yield "first", [seen(value[place]) for place in range(min(len(value), FIRST_ITEMS))]


def _array(array: np.ndarray) -> Any:
    """Its numbers where they are few, otherwise a digest of them; integers are the same in every width."""
    if array.size <= MOST_NUMBERS:
        return seen(array.tolist())
    if array.dtype.kind == "f":
        numbers = np.ascontiguousarray(array, dtype=np.float64)
        return f"floats {array.shape} sum {float(numbers.sum())!r} {_sha(numbers.tobytes())}"
    if array.dtype.kind in "iu":
        numbers = np.ascontiguousarray(array, dtype=np.int64)
        return f"integers {array.shape} sum {int(numbers.sum())} {_sha(numbers.tobytes())}"
    return f"array {array.shape} {_digest(seen(array.tolist()))}"


def _mapping(mapping: Mapping[Any, Any]) -> Any:
    """Its items by name, or some spread evenly over it."""
    keys = list(mapping)[:: -(-len(mapping) // MOST_KEYS) or 1]
    items = _shortened({_key(key): seen(mapping[key]) for key in keys})
    return items if len(keys) == len(mapping) else f"{len(mapping)} keys, of which {items}"


def _shortened(items: Any) -> Any:
    return items if len(items) <= MOST_ITEMS else _digest(items)


def _digest(items: Any) -> str:
    return f"{len(items)} items {_sha(json.dumps(items).encode())}"


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(seen(key), ensure_ascii=False)


WRITERS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (float, float.hex),
    (np.generic, lambda value: seen(value.item())),
    (Enum, lambda value: seen(value.value)),
    (np.ndarray, _array),
    (spmatrix | sparray, lambda value: _array(value.toarray())),
    (sl.Graph, _graph),
    (sl.Dataset, lambda value: {"columns": seen(value.to_dict()), "kinds": seen(value.kinds)}),
    (Mapping, _mapping),
    (AbstractSet, lambda value: _shortened(sorted(map(seen, value), key=json.dumps))),
    (Sequence, lambda value: _shortened([seen(item) for item in value])),
)
