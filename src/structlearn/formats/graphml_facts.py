"""Facts about nodes as the data of GraphML nodes.

A fact whose values are all text, all numbers or all truth values has the type that GraphML has for it,
and other programs show it. Any other is written as JSON, under a key whose id says so.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element as MadeElement
from xml.etree.ElementTree import SubElement

from structlearn.errors import DataError
from structlearn.formats.xml_tree import Element, checked
from structlearn.graphs.facts import Facts, plain

FORM = "GraphML"
TYPES: Mapping[type, str] = {bool: "boolean", int: "long", float: "double", str: "string"}
JSON_KEY = "json-"
LARGEST_LONG = 2**63
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_READ: Mapping[str, Callable[[str], Any]] = {
    "boolean": lambda text: _TRUTH[text.lower()],
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "string": str,
}


def write(facts: Facts, root: MadeElement) -> dict[str, dict[str, str]]:
    """Add a key for each fact to the file; give the text of the data of each node by key."""
    keys: dict[str, tuple[str, str | None]] = {}
    names = dict.fromkeys(name for known in facts.values() for name in known)
    for i, name in enumerate(names):
        form = _common_type([known[name] for known in facts.values() if name in known])
        key = f"{JSON_KEY if form is None else 'fact-'}{i}"
        shown = {"id": key, "for": "node", "attr.name": checked(name, FORM), "attr.type": form or "string"}
        SubElement(root, "key", shown)
        keys[name] = key, form
    return {
        node: {keys[name][0]: _text(value, keys[name][1]) for name, value in known.items()}
        for node, known in facts.items()
    }


def read(keys: Iterable[Element], nodes: Mapping[str, Element]) -> dict[str, dict[str, Any]]:
    """Give the data of the nodes under keys that have a name and a type."""
    readers = {key.attributes.get("id", ""): key.attributes for key in keys if _is_of_nodes(key)}
    return {
        name: {
            readers[key]["attr.name"]: _value(data, key, readers[key]["attr.type"])
            for data in node.all("data")
            if (key := data.attributes.get("key", "")) in readers
        }
        for name, node in nodes.items()
    }


def _is_of_nodes(key: Element) -> bool:
    known = key.attributes
    return known.get("for") in {"node", "all"} and "attr.name" in known and known.get("attr.type") in _READ


def _value(data: Element, key: str, form: str) -> Any:
    text = data.word
    try:
        return json.loads(text) if key.startswith(JSON_KEY) else _READ[form](text)
    except (ValueError, KeyError, RecursionError):
        raise data.error(f"{text!r} is no {'JSON' if key.startswith(JSON_KEY) else form}.") from None


def _common_type(values: Sequence[Any]) -> str | None:
    types = {type(value) for value in values}
    form = TYPES.get(types.pop()) if len(types) == 1 else None
    return form if form is None or all(_is_held(value) for value in values) else None


def _is_held(value: Any) -> bool:
    """Whether other programs read the value as it is: a small number, or a text without blanks around it."""
    if isinstance(value, int):
        return abs(value) < LARGEST_LONG
    if isinstance(value, str):
        return value == value.strip() != "" and "\r" not in value and _is_in_xml(value)
    return True


def _is_in_xml(text: str) -> bool:
    try:
        checked(text, FORM)
    except DataError:
        return False
    return True


def _text(value: Any, form: str | None) -> str:
    if form is None:
        return json.dumps(plain(value))
    return str(value).lower() if form == "boolean" else str(value)
