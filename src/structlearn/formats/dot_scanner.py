"""The words and marks of a DOT file, with the line where each stands."""

import re
from html.entities import html5
from typing import ClassVar

from structlearn.formats.scanner import Scanner

_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|([A-Za-z0-9]++));")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ANGLE = re.compile("[<>]")
_KEYWORDS = {"strict", "graph", "digraph", "subgraph", "node", "edge"}
_KEYWORD_STARTS = {letter for word in _KEYWORDS for letter in (word[0], word[0].upper())}
_LAST_CHARACTER = 0x10FFFF


class DotScanner(Scanner):
    """A place in the text of a DOT file, moved forward by what is read there."""

    name_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r'"((?:[^"\\]++|\\.)*+)"|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?)|\w++', re.DOTALL
    )
    comment_pattern: ClassVar[re.Pattern[str]] = re.compile(
        # A quote that never ends is taken to the end, so that no text is gone through twice.
        r'"(?:[^"\\]++|\\.)*+"?|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|^\#[^\n]*+',
        re.DOTALL | re.MULTILINE,
    )
    comment_marks: ClassVar[tuple[str, ...]] = ("/", "#")

    def keyword(self) -> str:
        """The word of the language that comes next, in small letters; empty where a name comes."""
        if self._text[self._place : self._place + 1] not in _KEYWORD_STARTS:
            return ""
        found = self.name_pattern.match(self._text, self._place)
        word = found[0].lower() if found else ""
        return word if word in _KEYWORDS else ""

    def arrow(self) -> str:
        """Read an arrow or a line if it comes next."""
        mark = self._text[self._place : self._place + 2]
        return mark if mark in {"->", "--"} and self.accept(mark) else ""

    def identifier(self, what: str) -> str:
        """Read a name: plain, a number, quoted (parts may be joined by +), or HTML in angle brackets."""
        if self._text.startswith("<", self._place):
            return self._html()
        is_quoted = self._text.startswith('"', self._place)
        name = self.name(what)
        while is_quoted and self.accept("+"):
            name += self.name("a name in quotes")
        return name

    def unquoted(self, quoted: str) -> str:
        """The name that Graphviz shows: without the escapes of quotes, backslashes and entities."""
        return _ENTITY.sub(_decoded, _ESCAPED.sub(_unescaped, quoted))

    def _html(self) -> str:
        start, depth = self._place, 0
        for found in _ANGLE.finditer(self._text, start):
            depth += 1 if found[0] == "<" else -1
            if depth == 0:
                self._place = found.end()
                self._skip_space()
                return self._text[start + 1 : found.start()]
        raise self.error("the '<' that begins here has no end '>'.")


def _unescaped(found: re.Match[str]) -> str:
    if found[1] == "\n":  # a line that goes on in the next
        return ""
    return found[1] if found[1] in {'"', "\\"} else found[0]


def _decoded(found: re.Match[str]) -> str:
    if found[1] is None:
        return html5.get(f"{found[2]};", found[0])
    return chr(int(found[1])) if int(found[1]) <= _LAST_CHARACTER else found[0]
