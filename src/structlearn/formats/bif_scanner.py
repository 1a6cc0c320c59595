"""The words, numbers and marks of a BIF file, with the line where each stands."""

import re
from typing import ClassVar

from structlearn.formats.numbers import read_numbers
from structlearn.formats.scanner import Scanner, shortened

_TO_SEMICOLON = re.compile(r'(?:[^;{}()\[\]"]++|"[^"]*")*+;')
_PROPERTY = re.compile(r'(?:[^;"]++|"[^"]*")*+;')


class BifScanner(Scanner):
    """A place in the text of a BIF file, moved forward by what is read there."""

    name_pattern: ClassVar[re.Pattern[str]] = re.compile(r'"([^"]*)"|[^\s{}()\[\]|,;"]++')
    comment_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r'"[^"]*"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?'
    )
    comment_marks: ClassVar[tuple[str, ...]] = ("/",)

    def numbers(self) -> list[float]:
        """Read numbers, with commas or spaces between them, up to a semicolon."""
        start = self.place
        text = self._to_semicolon(_TO_SEMICOLON, "numbers")
        found = read_numbers(text, "," if "," in text else None)
        if found is None:
            raise self.error(f"{shortened(text)!r} is not a list of numbers.", place=start)
        return found

    def skip_property(self) -> None:
        """Read over what a property says, up to its semicolon."""
        self._to_semicolon(_PROPERTY, "a property")

    def _to_semicolon(self, pattern: re.Pattern[str], what: str) -> str:
        found = self.match(pattern)
        if found is None:
            raise self.error(f"expected {what} and then ';'.")
        return found[0][:-1]
