"""What is known about the edges, as it is written on the command line."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from structlearn.cli.column_names import as_named, names_in
from structlearn.cli.own_words import keep_words
from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.data import Knowledge


def parsed_knowledge(
    file: Path | None,
    require: Sequence[str],
    forbid: Sequence[str],
    tiers: Sequence[str],
    columns: Sequence[str] = (),
) -> "Knowledge | None":
    """Read a file and, beside it, `a->b` and `a,b;c` into Knowledge, or None where nothing is said.

    Names are those of the columns, once these are known.
    """
    from structlearn.data import Knowledge  # noqa: PLC0415, --help needs none of it

    before = Knowledge() if file is None else _of_file(file)
    if before.tiers and tiers:
        raise OptionError(f"--tiers: {file} has tiers already; say them in one place.")
    required = [*before.required, *(_arrow("--require", text, columns) for text in require)]
    forbidden = [*before.forbidden, *(_arrow("--forbid", text, columns) for text in forbid)]
    keep_words(name for arrow in (*required, *forbidden) for name in arrow)
    in_tiers = [*before.tiers, *(_names(tier, columns) for text in tiers for tier in text.split(";"))]
    return Knowledge(required=required, forbidden=forbidden, tiers=in_tiers) or None


def _of_file(path: Path) -> "Knowledge":
    from structlearn.data import Knowledge  # noqa: PLC0415, --help needs none of it
    from structlearn.formats import load  # noqa: PLC0415, as above

    found = load(path)
    if not isinstance(found, Knowledge):
        raise OptionError(f"--knowledge {path}: this is a {type(found).__name__}, not knowledge.")
    return found


def _arrow(flag: str, text: str, columns: Sequence[str]) -> tuple[str, str]:
    source, arrow, target = text.replace("→", "->").partition("->")
    if not arrow or not source.strip() or not target.strip():
        raise OptionError(f'{flag} {text!r}: write an arrow as "a->b", in quotes.')
    return as_named(source, columns), as_named(target, columns)


def _names(tier: str, columns: Sequence[str]) -> list[str]:
    names = names_in(tier, columns)
    if not names:
        raise OptionError('--tiers: a tier is empty; write "a,b;c", the earliest first.')
    return names
