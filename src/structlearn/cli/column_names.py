"""Columns as they are named on the command line, where blanks around a name are easily lost or added."""

from collections.abc import Collection


def as_named(text: str, names: Collection[str]) -> str:
    """The name that is meant: as it was typed, or without blanks around it, or the only one that has some.

    Examples
    --------
    >>> [as_named(text, ["age", " sex"]) for text in (" sex", "sex", " age ")]
    [' sex', ' sex', 'age']
    """
    bare = text.strip()
    if text in names or bare in names:
        return text if text in names else bare
    alike = [name for name in names if name.strip() == bare]
    return alike[0] if len(alike) == 1 else bare
