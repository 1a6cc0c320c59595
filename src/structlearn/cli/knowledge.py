"""What is known about the edges, as it is written on the command line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.data import Knowledge


def parsed_knowledge(
    require: Sequence[str], forbid: Sequence[str], tiers: Sequence[str]
) -> "Knowledge | None":
    """Read `a->b` and `a,b;c` into Knowledge, or None where nothing is said."""
    from structlearn.data import Knowledge  # noqa: PLC0415, --help needs none of it

    known = Knowledge(
        required=[_arrow("--require", text) for text in require],
        forbidden=[_arrow("--forbid", text) for text in forbid],
        tiers=[_names(tier) for text in tiers for tier in text.split(";")],
    )
    return known or None


def _arrow(flag: str, text: str) -> tuple[str, str]:
    source, arrow, target = text.replace("→", "->").partition("->")
    if not arrow or not source.strip() or not target.strip():
        raise OptionError(f'{flag} {text!r}: write an arrow as "a->b", in quotes.')
    return source.strip(), target.strip()


def _names(tier: str) -> list[str]:
    names = [name.strip() for name in tier.split(",") if name.strip()]
    if not names:
        raise OptionError('--tiers: a tier is empty; write "a,b;c", the earliest first.')
    return names
