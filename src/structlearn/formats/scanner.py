"""The words and marks of a text, with the line where each stands."""

import re
from typing import ClassVar

from structlearn.errors import DataError

_MORE = re.compile(r"\S")
_NOT_NEWLINE = re.compile(r"[^\n]")
LONGEST_SHOWN = 40


class Scanner:
    """A place in a text, moved forward by what is read there.

    Every method that does not find what it expects raises a DataError with the line. A language is a
    subclass: it says what a name is (group 1 is the name inside quotes) and what a comment is.
    """

    name_pattern: ClassVar[re.Pattern[str]]
    comment_pattern: ClassVar[re.Pattern[str]]
    """Comments and quoted names, so that what begins a comment may stand in quotes."""
    comment_marks: ClassVar[tuple[str, ...]]
    """Without one of these a text has no comments."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        if any(mark in text for mark in self.comment_marks):
            # Comments become spaces, so that lines keep their numbers.
            self._text = self.comment_pattern.sub(self._blanked, text)
        self._skip_space()

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._place == len(self._text)

    @property
    def place(self) -> int:
        """Where we are, for `error`."""
        return self._place

    def error(self, reason: str, *, place: int | None = None) -> DataError:
        """Make an error that names the line of a place, by default of this one."""
        line = self._text.count("\n", 0, self._place if place is None else place) + 1
        return DataError(f"line {line}: {reason}")

    def accept(self, mark: str) -> bool:
        """Read a bracket, bar or comma if it comes next."""
        if not self._text.startswith(mark, self._place):
            return False
        self._place += len(mark)
        self._skip_space()
        return True

    def expect(self, mark: str) -> None:
        """Read a bracket, bar or semicolon that must come next."""
        if not self.accept(mark):
            raise self.error(f"expected {mark!r}, found {self.ahead()}.")

    def word(self, *expected: str) -> str:
        """Read a word that must be one of those expected."""
        start = self._place
        found = self.name(" or ".join(map(repr, expected)))
        if found not in expected:
            raise self.error(
                f"expected {' or '.join(map(repr, expected))}, found {shortened(found)!r}.", place=start
            )
        return found

    def name(self, what: str) -> str:
        """Read a name, quoted or not."""
        found = self.match(self.name_pattern)
        if found is None:
            raise self.error(f"expected {what}, found {self.ahead()}.")
        quoted: str | None = found[1]
        return found[0] if quoted is None else self.unquoted(quoted)

    def names(self, what: str, end: str) -> list[str]:
        """Read names up to the mark `end`; commas between them may be left out."""
        found: list[str] = []
        while not self.accept(end):
            if found:
                self.accept(",")
            found.append(self.name(f"{what} or {end!r}"))
        return found

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern finds here, and the space behind it."""
        found = pattern.match(self._text, self._place)
        if found is not None:
            self._place = found.end()
            self._skip_space()
        return found

    def unquoted(self, quoted: str) -> str:
        """The name that stands in quotes; a language with escapes says how."""
        return quoted

    def ahead(self) -> str:
        """What comes next, for a message."""
        if self.at_end:
            return "the end of the file"
        found = self.name_pattern.match(self._text, self._place)
        return repr(shortened(found[0]) if found else self._text[self._place])

    def _skip_space(self) -> None:
        found = _MORE.search(self._text, self._place)
        self._place = found.start() if found else len(self._text)

    def _blanked(self, found: re.Match[str]) -> str:
        if found[0].startswith('"'):
            return found[0]
        if found[0].startswith("/*") and not found[0].endswith("*/", 2):
            raise self.error("the comment that begins here has no end '*/'.", place=found.start())
        return _NOT_NEWLINE.sub(" ", found[0])


def shortened(text: str) -> str:
    """A text that fits in a message."""
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
