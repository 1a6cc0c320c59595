"""The words, numbers and marks of a Hugin NET file, with the line where each stands."""

import re
from typing import ClassVar

from structlearn.formats.numbers import read_numbers
from structlearn.formats.scanner import Scanner, shortened

_VALUE = re.compile(r'(?:[^;"]++|"(?:[^"\\]++|\\.)*+")*+;', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WITHOUT_BRACKETS = str.maketrans("()", "  ")


class HuginScanner(Scanner):
    """A place in the text of a NET file, moved forward by what is read there."""

    name_pattern: ClassVar[re.Pattern[str]] = re.compile(
        r'"((?:[^"\\]++|\\.)*+)"|[^\s{}()=|,;"]++', re.DOTALL
    )
    # A quote that never ends is taken to the end, so that no text is gone through twice.
    comment_pattern: ClassVar[re.Pattern[str]] = re.compile(r'"(?:[^"\\]++|\\.)*+"?|%[^\n]*+', re.DOTALL)
    comment_marks: ClassVar[tuple[str, ...]] = ("%",)

    def unquoted(self, quoted: str) -> str:
        """The name that stands in quotes, where a backslash may stand before a quote."""
        return _ESCAPED.sub(r"\1", quoted)

    def numbers(self) -> list[float]:
        """Read numbers in any brackets, up to a semicolon."""
        start = self.place
        text = self._value()
        found = read_numbers(text.translate(_WITHOUT_BRACKETS))
        if found is None or text.count("(") != text.count(")"):
            raise self.error(f"{shortened(text)!r} is not a list of numbers in brackets.", place=start)
        return found

    def skip_value(self) -> None:
        """Read over the value of an attribute, up to its semicolon."""
        self._value()

    def _value(self) -> str:
        found = self.match(_VALUE)
        if found is None:
            raise self.error("expected a value and then ';'.")
        return found[0][:-1]
