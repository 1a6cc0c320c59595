"""The words of a UAI file, with the line where each stands."""

import re

from structlearn.errors import DataError
from structlearn.formats.numbers import read_numbers
from structlearn.formats.scanner import shortened

_COUNT = re.compile(r"[0-9]{1,9}")
_COMMENT = re.compile(r"#[^\n]*+")
_WORD = re.compile(r"\S++")


class Words:
    """The words of a text, one after the other; what stands behind a # is no part of it."""

    def __init__(self, text: str) -> None:
        self._text = _COMMENT.sub("", text)
        self._words = self._text.split()
        self._next = 0

    def error(self, reason: str) -> DataError:
        """Make an error that names the line of the word read last."""
        place = 0
        for number, found in enumerate(_WORD.finditer(self._text)):
            place = found.start()
            if number >= self._next - 1:
                break
        line = self._text.count("\n", 0, place) + 1
        return DataError(f"line {line}: {reason}")

    def next(self, what: str) -> str:
        """Read a word."""
        if self._next == len(self._words):
            raise self.error(f"the file ends where {what} should be.")
        self._next += 1
        return self._words[self._next - 1]

    def count(self, what: str) -> int:
        """Read a whole number; what is counted is in the file, so it cannot be more than its words."""
        word = self.next(what)
        if not _COUNT.fullmatch(word) or int(word) > len(self._words):
            raise self.error(f"{shortened(word)!r} cannot be {what}.")
        return int(word)

    def numbers(self, size: int) -> list[float]:
        """Read so many numbers."""
        if self._next + size > len(self._words):
            self._next = len(self._words)
            raise self.error("the file ends inside a table.")
        words = self._words[self._next : self._next + size]
        self._next += size
        found = read_numbers(" ".join(words))
        if found is None:
            raise self.error("the table that ends here has a word that is no number.")
        return found

    def refuse_more(self) -> None:
        """Refuse what stands behind the last table."""
        if self._next < len(self._words):
            word = self.next("nothing")
            raise self.error(f"the tables ended before {shortened(word)!r}.")
