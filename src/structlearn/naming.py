"""How messages name things: a few of many, and the one that was probably meant."""

from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

NEAR = 0.7  # the likeness from which a name is proposed: one letter of three wrong is near, two are not


def each_of(given: Any) -> tuple[Any, ...]:
    """What was given, one by one; what has no parts is one thing, which is then refused as such."""
    return tuple(given) if isinstance(given, Iterable) else (given,)


def as_names(names: Any) -> tuple[Any, ...]:
    """The names that were given, one or several; a text is one."""
    return (names,) if isinstance(names, str) else each_of(names)


def quoted(name: object) -> str:
    """A name as it is typed: texts of NumPy as others, `'a'` and not `np.str_('a')`."""
    return repr(str(name) if isinstance(name, str) else name)


def listed(names: Sequence[object], shown: int = 8) -> str:
    """The first names, quoted, and how many more there are."""
    words = ", ".join(quoted(name) for name in names[:shown])
    return words + (f" and {len(names) - shown} more" if len(names) > shown else "")


def meant(name: object, known: Iterable[object]) -> str:
    """A question in brackets if `name` is nearly a known one, and nothing otherwise.

    Examples
    --------
    >>> meant("hillclimbing", ["hill-climbing", "pc"]), meant("xyz", ["hill-climbing", "pc"])
    (" (did you mean 'hill-climbing'?)", '')
    """
    by_letters = {_letters(each): each for each in known}
    near = get_close_matches(_letters(name), by_letters, n=1, cutoff=NEAR)
    return f" (did you mean {quoted(by_letters[near[0]])}?)" if near else ""


def no_such(what: str, name: object, known: Collection[object], *, owner: str = "") -> str:
    """Say that nothing has this name, what was probably meant, and what there is.

    Examples
    --------
    >>> no_such("column", "hight", ["age", "height"])
    "There is no column 'hight' (did you mean 'height'?); the columns are 'age', 'height'."
    """
    begin = f"{owner}: there" if owner else "There"
    there = f"the {what}s are {listed(tuple(known))}" if known else f"there are no {what}s"
    return f"{begin} is no {what} {quoted(name)}{meant(name, known)}; {there}."


def has_no(owner: str, what: str, name: object, known: Collection[object], *, shown: int = 8) -> str:
    """Say that something has nothing of this name, what was probably meant, and what it has.

    Examples
    --------
    >>> has_no("PC", "option", "alhpa", ["alpha", "test"])
    "PC has no option 'alhpa' (did you mean 'alpha'?); its options are 'alpha', 'test'."
    """
    there = f"its {what}s are {listed(tuple(known), shown)}" if known else "it has none"
    return f"{owner} has no {what} {quoted(name)}{meant(name, known)}; {there}."


def _letters(name: object) -> str:
    """The name without what people spell differently: capitals, hyphens, spaces."""
    return "".join(letter for letter in str(name).casefold() if letter.isalnum()) or str(name)
