"""HTML by construction: text is escaped unless it was made here."""

from collections.abc import Iterable, Sequence

from structlearn.shown import html_text

VOID = frozenset({"input", "br"})
Value = str | int | float | bool | None


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *children: str | None, **attributes: Value) -> Markup:
    """Make an element; None and False leave a child or an attribute out.

    Examples
    --------
    >>> tag("p", "a < b", class_="note", data_row=3)
    '<p class="note" data-row="3">a &lt; b</p>'
    """
    opening = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    return Markup(opening) if name in VOID else Markup(f"{opening}{joined(children)}</{name}>")


def joined(children: Iterable[str | None], separator: str = "") -> Markup:
    """Put elements and texts one after the other."""
    return Markup(separator.join(_safe(child) for child in children if child is not None))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, class_: str | None = None) -> Markup:
    """Make a table that scrolls sideways where it is too wide; every cell is text or an element."""
    header = tag("thead", tag("tr", *(tag("th", cell, scope="col") for cell in head)))
    body = tag("tbody", *(tag("tr", *(tag("td", cell) for cell in row)) for row in rows))
    return tag("div", tag("table", header, body, class_=class_), class_="scroll")


def _safe(text: str) -> str:
    return text if isinstance(text, Markup) else html_text(text)


def _attribute(key: str, value: Value) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{_safe(str(value))}"'
