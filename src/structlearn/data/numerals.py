"""Numbers as people write them: decimal commas, marks between thousands, percent signs and currencies."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from structlearn.reading import Decimal

LONGEST = 60  # signs that a number in writing may have
REMEMBERED = 10_000  # words: the columns of a table mostly have the same few
_SPACES = "\u00a0\u202f\u2009 "  # of any width, that break lines or do not
_WHOLE = "(?:0|[1-9][0-9]*)"
_EXPONENT = "(?:[eE][+-]?[0-9]+)?"
_CURRENCIES = "[$€£¥₹₩₽₺₪฿]|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK)"
_UNIT = re.compile(
    rf"(?P<sign>[+\-−]?)(?P<before>{_CURRENCIES})?\s*(?P<number>.*?)\s*(?P<after>%|‰|{_CURRENCIES})?"
)
_DIGIT = re.compile("[0-9]")
_FRACTION = re.compile("[.eE]")
CODE = re.compile(r"\s*[+-]?0[0-9]+\s*|\s*[0-9]{19,}\s*")  # 007, or digits that no number here holds


def _pattern(point: str, marks: str) -> re.Pattern[str]:
    grouped = rf"[1-9][0-9]{{0,2}}(?:(?P<mark>[{marks}])[0-9]{{3}})(?:(?P=mark)[0-9]{{3}})*"
    return re.compile(rf"[+\-−]?(?:(?:{grouped}|{_WHOLE})(?:{point}[0-9]*)?|{point}[0-9]+){_EXPONENT}")


_FORMS: dict[Decimal, re.Pattern[str]] = {
    ".": _pattern(r"\.", rf",'’{_SPACES}"),
    ",": _pattern(",", rf".'’{_SPACES}"),
}
_NO_DIGITS = str.maketrans({"−": "-"} | dict.fromkeys(f"'’{_SPACES}"))


@dataclass(frozen=True)
class Numeral:
    """A word that is a number in writing: its value under each decimal mark, and the unit beside it."""

    word: str
    readings: Mapping[Decimal, int | float]
    unit: str = ""


@lru_cache(REMEMBERED)
def numeral(word: str) -> Numeral | None:
    """The word as a number in writing, or None if it is none under any decimal mark."""
    looks_so = len(word) <= LONGEST and _DIGIT.search(word) is not None
    found = _UNIT.fullmatch(word.strip().rstrip("*").rstrip()) if looks_so else None  # * is of a footnote
    if found is None or (found["before"] and found["after"]):
        return None
    digits = found["sign"] + found["number"]
    readings = {mark: _value(digits, mark) for mark, form in _FORMS.items() if form.fullmatch(digits)}
    return Numeral(word, readings, found["before"] or found["after"] or "") if readings else None


def _value(digits: str, decimal: Decimal) -> int | float:
    plain = digits.translate(_NO_DIGITS)
    plain = plain.replace(",", "") if decimal == "." else plain.replace(".", "").replace(",", ".")
    return float(plain) if _FRACTION.search(plain) else int(plain)


def is_numeral(word: str) -> bool:
    """Whether a word is a number in writing, and nothing beside it."""
    found = numeral(word)
    return found is not None and not found.unit


def decimals_of(numerals: Iterable[Numeral]) -> set[Decimal]:
    """The decimal marks under which all of these are numbers."""
    marks: set[Decimal] = {".", ","}
    for read in numerals:
        marks &= read.readings.keys()
    return marks
