"""Options that a message names, as the flags that the terminal has for them."""

import ast
import re
import shlex
from collections.abc import Callable, Iterable

from structlearn.cli.sources import FLAGS as OF_SOURCES
from structlearn.cli.table_flags import FLAGS as READING
from structlearn.learners.flags import FLAGS

_OF_TABLES = {name: f"--{name.replace('_', '-')}" for name in (*OF_SOURCES, "columns", "table")}
_TEXT = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_QUOTED = re.compile(rf"(?<!\w){_TEXT}(?!\w)")  # names and values, as messages repeat them; no apostrophes
_CALL = re.compile(rf"""\w+\((?:{_TEXT}|[^()'"])*\)|--\S+ \S+""")  # what was called, and flags
_KINDS = re.compile(r"""kinds=\{(?:(["'])(?P<name>.*?)\1: (["'])(?P<kind>\w+)\3|…)\}""")
_NUMBERED = re.compile(r"save model\.numbered\(\)")
_OWNER = re.compile("^(kinds|weights)(?=: )")
_LISTED = re.compile(rf"\b(?P<name>drop|na)=\[(?P<values>{_TEXT}(?:, {_TEXT})*)\]")
_SWITCH = re.compile(r"(?:sl\.Dataset\(data, )?\b(?P<name>header|transpose)=(?P<value>True|False)\)?")
_OPTION = re.compile(
    r"(?<![-\w/\\.?&])"  # in a path or an address it is a part of that
    rf"(?P<name>[a-z]+(?:_[a-z]+)*)=(?P<value>{_TEXT}|\[…\]|…|(?:[0-9][0-9.]*(?<!\.)|None|True|False)(?![\w/\\]|\.\w)"
    r"|(?=[ ,.:;]))"  # without a value, as in "say in time= which column"
)


def in_flags(text: str, kept: Iterable[str] = ()) -> str:
    """The message with flags in the place of options of functions.

    Words that are `kept` are the user's own, as is what stands in quotes, and stay as they are.

    Examples
    --------
    >>> in_flags('drop it, or pass kinds={"the id": "continuous"} if it is a measurement.')
    "drop it, or pass --kind 'the id=continuous' if it is a measurement."
    >>> in_flags("PC(alpha=5): say otherwise with kinds={…}, or use missing='drop' or time_limit=3.")
    'PC(alpha=5): say otherwise with --kind COLUMN=KIND, or use --missing drop or --time-limit 3.'
    >>> in_flags("alpha=1: there is no column 'alpha=2'; see time=5.", kept=["alpha=1"])
    "alpha=1: there is no column 'alpha=2'; see --time 5."
    """
    turns = dict.fromkeys(_own(kept), _as_it_is) | _TURNS
    said, place = "", 0
    while found := [match for pattern in turns if (match := pattern.search(text, place))]:
        first = min(found, key=lambda match: (match.start(), -match.end()))  # of those, the longest
        said += text[place : first.start()] + turns[first.re](first)
        place = first.end()
    return said + text[place:]


def _own(words: Iterable[str]) -> list[re.Pattern[str]]:
    """A pattern for the words, where there are any, also behind a flag."""
    some = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return [re.compile(rf"(?:--[\w-]+ |(?<!\w))(?:{some})(?!\w)")] if some else []


def _as_it_is(found: re.Match[str]) -> str:
    return found[0]


def _switch(found: re.Match[str]) -> str:
    return f"--{'no-' * (found['value'] == 'False')}{found['name']}"


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
    flag = FLAGS.get(name) or READING.get(name) or _OF_TABLES.get(name)
    if "…" in found["value"]:
        return f"{flag} …" if flag else found[0]
    return f"{flag} {value}".rstrip() if flag else f"--set {name}={value}"


_TURNS: dict[re.Pattern[str], Callable[[re.Match[str]], str]] = {
    _QUOTED: _as_it_is,
    _CALL: _as_it_is,
    _KINDS: _kind,
    _NUMBERED: lambda _: "use structlearn convert --numbered",
    _OWNER: lambda found: "--kind" if found[0] == "kinds" else "--weights",
    _LISTED: _listed,
    _SWITCH: _switch,
    _OPTION: _option,
}
