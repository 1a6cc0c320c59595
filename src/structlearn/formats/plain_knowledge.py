"""Knowledge as people write it, a line for each thing that is known.

    # from the earliest to the latest
    tier: age, sex
    tier: smoking
    tier: cancer, "short of breath, often"
    require: smoking -> cancer
    forbid: sex -> cancer
    forbid: age -- sex

`--` forbids both ways. A name with one of the signs `, # : " -> --` in it, or with blanks at its ends, stands
in double quotes; a quote within them is written twice. `#` begins a comment.
"""

import re
from collections.abc import Iterator

from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.formats.content import Saved

_PART = re.compile(
    r'\s*(?:"(?P<quoted>(?:[^"]|"")*)"|(?P<sign>->|→|--|,|#.*)|(?P<bare>(?:(?!->|→|--)[^,#"])+))'
)
_LINE = re.compile(r"\s*(?P<word>[a-z]+)\s*:(?P<rest>.*)", re.IGNORECASE)
_WORDS = ("tier", "require", "forbid")


def read(text: str) -> Knowledge:
    """Make knowledge of the text of a file."""
    tiers, pairs = [], {"require": [], "forbid": []}  # type: ignore[var-annotated]  # lists of pairs
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line)
        word = found["word"].lower() if found else ""
        if found is None or word not in _WORDS:
            raise DataError(
                f"line {number}: write tier: a, b or require: a -> b or forbid: a -> b, not {line!r}."
            )
        parts = list(_parts(found["rest"], number))
        if word == "tier":
            tiers.append(_tier(parts, number))
        else:
            pairs[word] += _arrows(parts, number, both=word == "forbid")
    return Knowledge(pairs["require"], pairs["forbid"], tiers)


def write(thing: Saved) -> str:
    """Give knowledge as lines."""
    if not isinstance(thing, Knowledge):
        raise DataError(f"a file of knowledge holds a Knowledge, not a {type(thing).__name__}.")
    for name in thing.names:
        if len(name.splitlines()) > 1 or name != "".join(name.splitlines()):
            raise DataError(f"a file of knowledge has no place for {name!r}: a name has one line.")
    lines = [f"tier: {', '.join(map(_quoted, sorted(tier)))}" for tier in thing.tiers]
    for word, pairs in (("require", thing.required), ("forbid", thing.forbidden)):
        lines += [f"{word}: {_quoted(a)} -> {_quoted(b)}" for a, b in sorted(pairs)]
    return "\n".join([*lines, ""])


def _parts(text: str, number: int) -> Iterator[tuple[str, bool]]:
    """Names and the signs between them, each with whether it is a sign."""
    text, place = text.rstrip(), 0
    while place < len(text):
        found = _PART.match(text, place)
        if found is None:
            raise DataError(f"line {number}: a double quote has no partner.")
        place = found.end()
        if found["quoted"] is not None:
            yield found["quoted"].replace('""', '"'), False
        elif found["bare"] is not None:
            yield found["bare"].strip(), False
        elif not found["sign"].startswith("#"):
            yield found["sign"], True


def _tier(parts: list[tuple[str, bool]], number: int) -> list[str]:
    names = [word for word, is_sign in parts if not is_sign]
    if not names or [word for word, is_sign in parts if is_sign] != [","] * (len(names) - 1):
        raise DataError(f"line {number}: a tier is names with commas between them.")
    return names


def _arrows(parts: list[tuple[str, bool]], number: int, *, both: bool) -> list[tuple[str, str]]:
    signs = ("->", "→", "--") if both else ("->", "→")
    if [is_sign for _, is_sign in parts] != [False, True, False] or parts[1][0] not in signs:
        raise DataError(f"line {number}: write two names with {' or '.join(signs)} between them.")
    (a, _), (sign, _), (b, _) = parts
    return [(a, b), (b, a)] if sign == "--" else [(a, b)]


def _quoted(name: str) -> str:
    is_plain = name and name == name.strip() and not re.search(r'[,#:"→]|->|--', name)
    return name if is_plain else '"' + name.replace('"', '""') + '"'
