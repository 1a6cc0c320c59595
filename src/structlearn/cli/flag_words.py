"""Options that a message names, as the flags that the terminal has for them."""

import ast
import re
import shlex

from structlearn.cli.table_flags import FLAGS as READING
from structlearn.learners.flags import FLAGS

_CALL = re.compile(r"(\w+\([^()]*\)|--\S+ \S+)")  # what was called, and flags, stay as they are
_KINDS = re.compile(r"""kinds=\{(?:(["'])(?P<name>.*?)\1: (["'])(?P<kind>\w+)\3|…)\}""")
_LISTED = re.compile(r"""\b(?P<name>drop|na)=\[(?P<values>(?:'[^']*'|"[^"]*")(?:, (?:'[^']*'|"[^"]*"))*)\]""")
_HEADER = re.compile(r"\bheader=(True|False)")
_TRANSPOSE = re.compile(r"(?:sl\.Dataset\(data, )?\btranspose=(True|False)\)?")
_OPTION = re.compile(
    r"""(?<![-\w])(?P<name>[a-z]+(?:_[a-z]+)*)=(?P<value>'[^']*'|"[^"]*"|[0-9][0-9.]*(?<!\.)|None|True|False"""
    r"""|(?=[ ,.:;]))"""  # without a value, as in "say in time= which column"
)


def in_flags(text: str) -> str:
    """The message with flags in the place of options of functions.

    Examples
    --------
    >>> in_flags('drop it, or pass kinds={"the id": "continuous"} if it is a measurement.')
    "drop it, or pass --kind 'the id=continuous' if it is a measurement."
    >>> in_flags("PC(alpha=5): say otherwise with kinds={…}, or use missing='drop' or time_limit=3.")
    'PC(alpha=5): say otherwise with --kind COLUMN=KIND, or use --set missing=drop or --time-limit 3.'
    """
    text = _TRANSPOSE.sub(lambda found: f"--{'no-' * (found[1] == 'False')}transpose", text)
    text = _HEADER.sub(lambda found: f"--{'no-' * (found[1] == 'False')}header", _LISTED.sub(_listed, text))
    text = re.sub(r"^kinds: ", "--kind: ", _KINDS.sub(_kind, text))
    parts = _CALL.split(text)
    parts[::2] = [_OPTION.sub(_option, part) for part in parts[::2]]
    return "".join(parts)


def _kind(found: re.Match[str]) -> str:
    if found["name"] is None:
        return "--kind COLUMN=KIND"
    named = f"{found['name']}={found['kind']}"
    return f"--kind {shlex.quote(named)}"


def _listed(found: re.Match[str]) -> str:
    values = ast.literal_eval(f"[{found['values']}]")
    if found["name"] == "drop":
        return f"--drop {shlex.quote(','.join(values))}"
    return " ".join(f"--na {shlex.quote(value)}" for value in values)


def _option(found: re.Match[str]) -> str:
    name, text = found["name"], found["value"].strip("'\"")
    value = shlex.quote(text) if found["value"] else ""
    flag = FLAGS.get(name) or READING.get(name)
    return f"{flag} {value}".rstrip() if flag else f"--set {name}={value}"
