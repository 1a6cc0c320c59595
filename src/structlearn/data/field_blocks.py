"""The fields of a text file by columns, block after block.

Most files are regular: no quotes, no comments, as many separators in each line. Such a block is cut all at
once, which takes a quarter of the time of lines that are cut one by one.
"""

from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import chain, islice
from pathlib import Path

from structlearn.data.layouts import Layout
from structlearn.data.separated import BLANK, EMPTY, cut_lines, is_comment, text_of
from structlearn.errors import DataError

FIELDS_AT_ONCE = 1 << 21  # about 150 MiB of text; the columns themselves take an eighth of that
# What stays in the cache of a processor is coded in two thirds of the time; more of wide tables, where
# otherwise each column would have a few fields at once.
CHARACTERS_AT_ONCE = 1 << 16
CHARACTERS_OF_A_COLUMN = 500

Fields = Sequence[str]


def field_blocks(path: Path, layout: Layout, comments: dict[int, None]) -> Iterator[Sequence[Fields]]:
    """The columns of a file, without the names; lines that turn out to be comments are added to those."""
    with text_of(path, layout.encoding) as file:
        number = 1 + sum(1 for _ in islice(file, layout.skip))
        n_names = int(layout.has_names)
        n_at_once = max(CHARACTERS_AT_ONCE, CHARACTERS_OF_A_COLUMN * len(layout.names))
        while text := file.read(n_at_once) + file.readline():
            lines = _regular_lines(text, layout)
            if lines is None:
                rest = chain(StringIO(text, newline=""), file)
                found = cut_lines(path, rest, layout.separator, number=number, comments=layout.has_comments)
                yield from _by_columns(_rows(path, layout, islice(found, n_names, None), comments))
                return
            fields = layout.separator.join(lines[n_names:]).split(layout.separator)
            if len(lines) > n_names:
                yield [fields[j :: len(layout.names)] for j in range(len(layout.names))]
            number, n_names = number + len(lines), 0


def _regular_lines(text: str, layout: Layout) -> list[str] | None:
    """The lines of a text, if each has a field for every name and nothing has to be looked at closely."""
    if '"' in text or layout.has_comments or layout.separator == BLANK or len(layout.names) == 1:
        return None
    text = text.replace("\r\n", "\n") if "\r" in text else text
    lines = text.removesuffix("\n").split("\n")
    n_marks = {line.count(layout.separator) for line in lines}
    return lines if n_marks == {len(layout.names) - 1} and "\r" not in text else None


def _rows(
    path: Path, layout: Layout, records: Iterator[tuple[int, list[str]]], comments: dict[int, None]
) -> Iterator[list[str]]:
    """The fields of each row, as many as there are names; empty lines are rows only of a single column."""
    n_columns = len(layout.names)
    for line, fields in records:
        if len(fields) == n_columns:
            yield fields if n_columns > 1 else [str(fields[0])]
        elif is_comment(fields[0]):
            comments[line] = None
        elif fields != [""] or fields[0] is EMPTY:
            n_fields = f"{len(fields)} field{'' if len(fields) == 1 else 's'}"
            raise DataError(
                f"{path}: line {line} has {n_fields}, but the first line names {n_columns}. Correct that "
                "line; a field with the separator in it needs quotes. Or say separator= if it is another, or "
                "in skip= how many lines above the names are a title."
            )


def _by_columns(rows: Iterator[list[str]]) -> Iterator[Sequence[Fields]]:
    first = next(rows, None)
    if first is None:
        return
    n_rows = max(FIELDS_AT_ONCE // len(first), 1)
    ahead = chain([first], rows)
    while block := list(islice(ahead, n_rows)):
        yield list(zip(*block, strict=True))
