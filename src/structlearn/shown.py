"""Small tables as people read them: lines of text in a terminal, HTML in a notebook."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice

SHOWN_ROWS = 20  # fit on a screen
LONGEST_CELL = 60  # of a name that nobody reads on


def visible(text: str) -> str:
    """Replace what would move the cursor, hide, or reorder text; line breaks stay.

    Examples
    --------
    >>> visible("bell" + chr(7))
    'bell�'
    """
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if letter != "\n" and unicodedata.category(letter)[0] == "C" else letter
        for letter in text
    )


def on_one_line(text: str) -> str:
    """Text of a table or a message, whose lines are its own: breaks in names become blanks."""
    return visible(" ".join(text.splitlines()))


def html_text(text: str) -> str:
    """Text that can stand anywhere in a page, also between quotes."""
    return escape(visible(text))


@dataclass(frozen=True)
class Listing:
    """The first rows of a table; the first columns flush left, the others, numbers, flush right.

    Examples
    --------
    >>> print(Listing.of(["state", "share"], [["no", "0.25"], ["yes", "0.75"]]).text())
    state  share
    no      0.25
    yes     0.75
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_left: int = 1
    left_out: int = 0
    title: str = ""

    @classmethod
    def of(
        cls,
        head: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        n_left: int = 1,
        n_rows: int | None = None,
        title: str = "",
    ) -> "Listing":
        """Keep the first of the rows; where there are many they need not all be made."""
        if n_rows is None:
            rows = list(rows)
            n_rows = len(rows)
        first = tuple(tuple(map(_cell, row)) for row in islice(rows, SHOWN_ROWS))
        return cls(tuple(map(_cell, head)), first, n_left, n_rows - len(first), title)

    def text(self) -> str:
        """Lines with aligned columns."""
        shown = [self.head, *self.rows]
        widths = [max(len(row[k]) for row in shown) for k in range(len(self.head))]
        lines = [self.title] if self.title else []
        lines += [
            "  ".join(
                word.ljust(width) if k < self.n_left else word.rjust(width)
                for k, (word, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in shown
        ]
        return "\n".join([*lines, *self._rest()])

    def html(self) -> str:
        """An HTML table; every cell is escaped."""
        caption = f"<caption>{html_text(self.title)}</caption>" if self.title else ""
        head = "".join(f"<th{self._side(k)}>{html_text(word)}</th>" for k, word in enumerate(self.head))
        body = "".join(
            f"<tr>{''.join(f'<td{self._side(k)}>{html_text(word)}</td>' for k, word in enumerate(row))}</tr>"
            for row in self.rows
        )
        rest = "".join(f"<p>{html_text(line)}</p>" for line in self._rest())
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def _rest(self) -> list[str]:
        return [f"… and {self.left_out:,} more"] if self.left_out else []

    def _side(self, column: int) -> str:
        return f' style="text-align: {"left" if column < self.n_left else "right"}"'


class Listed:
    """What prints as a listing, and shows it in a notebook."""

    def listing(self) -> Listing:
        """The table that is shown."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.listing().text()

    def _repr_html_(self) -> str:
        return self.listing().html()


def first_lines(lines: Iterable[str], n_lines: int) -> str:
    """The first of some lines, and how many more there are."""
    more = [] if n_lines <= SHOWN_ROWS else [f"… and {n_lines - SHOWN_ROWS:,} more"]
    return "\n".join([*islice(lines, SHOWN_ROWS), *more])


def html_lines(text: str) -> str:
    """Lines of text as they are, in HTML."""
    return f'<pre style="text-align: left">{html_text(text)}</pre>'


def _cell(word: str) -> str:
    """A word on one line, cut where it is long."""
    line = on_one_line(word)
    return line if len(line) <= LONGEST_CELL else f"{line[: LONGEST_CELL - 1]}…"
