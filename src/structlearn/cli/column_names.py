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


def names_in(text: str, names: Collection[str]) -> list[str]:
    """The names between commas; several parts are one where only together they are a column.

    Examples
    --------
    >>> names_in("age,income, net", ["age", "income, net"]), names_in("a,b", ["a", "b", "c"])
    (['age', 'income, net'], ['a', 'b'])
    """
    parts, found = text.split(","), []
    if as_named(text, names) in names:
        return [as_named(text, names)]
    are_names = all(as_named(part, names) in names for part in parts if part.strip())
    while parts:
        sizes = [1] if are_names else range(len(parts), 0, -1)
        size = next((size for size in sizes if as_named(",".join(parts[:size]), names) in names), 1)
        whole = ",".join(parts[:size])
        found += [as_named(whole, names)] if whole in names or whole.strip() else []
        del parts[:size]
    return found
