"""The words, numbers and marks of a BIF file, with the line where each stands."""

import re

from structlearn.errors import DataError

_MORE = re.compile(r"\S")
_NAME = re.compile(r'"([^"]*)"|[^\s{}()\[\]|,;"]++')
_TO_SEMICOLON = re.compile(r'(?:[^;{}()\[\]"]++|"[^"]*")*+;')
_PROPERTY = re.compile(r'(?:[^;"]++|"[^"]*")*+;')
_COMMENT = re.compile(r'"[^"]*"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?')
_NOT_NEWLINE = re.compile(r"[^\n]")


class Scanner:
    """A place in the text of a BIF file, moved forward by what is read there.

    Every method that does not find what it expects raises a DataError with the line.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        if "/" in text:
            # Comments become spaces, so that lines keep their numbers.
            self._text = _COMMENT.sub(self._blanked, text)
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
            raise self.error(f"expected {mark!r}, found {self._ahead()}.")

    def word(self, *expected: str) -> str:
        """Read a word that must be one of those expected."""
        start = self._place
        found = self.name(" or ".join(map(repr, expected)))
        if found not in expected:
            raise self.error(f"expected {' or '.join(map(repr, expected))}, found {found!r}.", place=start)
        return found

    def name(self, what: str) -> str:
        """Read a name, quoted or not."""
        found = _NAME.match(self._text, self._place)
        if found is None:
            raise self.error(f"expected {what}, found {self._ahead()}.")
        self._place = found.end()
        self._skip_space()
        quoted: str | None = found[1]
        return found[0] if quoted is None else quoted

    def names(self, what: str, end: str) -> list[str]:
        """Read names up to the mark `end`; commas between them may be left out, as JavaBayes does."""
        found: list[str] = []
        while not self.accept(end):
            if found:
                self.accept(",")
            found.append(self.name(f"{what} or {end!r}"))
        return found

    def numbers(self) -> list[float]:
        """Read numbers, with commas or spaces between them, up to a semicolon."""
        start = self._place
        text = self._to_semicolon(_TO_SEMICOLON, "numbers")
        parts = text.split(",") if "," in text else text.split()
        try:
            if "_" not in text:  # which Python would allow inside a number
                return [float(part) for part in parts]
        except ValueError:
            pass
        raise self.error(f"{_shortened(text)!r} is not a list of numbers.", place=start)

    def skip_property(self) -> None:
        """Read over what a property says, up to its semicolon."""
        self._to_semicolon(_PROPERTY, "a property")

    def _to_semicolon(self, pattern: re.Pattern[str], what: str) -> str:
        found = pattern.match(self._text, self._place)
        if found is None:
            raise self.error(f"expected {what} and then ';'.")
        self._place = found.end()
        self._skip_space()
        return found[0][:-1]

    def _skip_space(self) -> None:
        found = _MORE.search(self._text, self._place)
        self._place = found.start() if found else len(self._text)

    def _blanked(self, found: re.Match[str]) -> str:
        if found[0].startswith('"'):
            return found[0]
        if found[0].startswith("/*") and not found[0].endswith("*/", 2):
            raise self.error("the comment that begins here has no end '*/'.", place=found.start())
        return _NOT_NEWLINE.sub(" ", found[0])

    def _ahead(self) -> str:
        if self.at_end:
            return "the end of the file"
        found = _NAME.match(self._text, self._place)
        return repr(_shortened(found[0]) if found else self._text[self._place])


def _shortened(text: str, longest: int = 40) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
