"""How the command line answers: one line per error or warning on stderr, and an exit code."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import typer

from structlearn.cli.flag_words import in_flags
from structlearn.cli.own_words import own_words
from structlearn.errors import ColumnsError, DataError, DataNote, OptionError, PackageError

BAD_INPUT = 1
BAD_USAGE = 2
SHOWN = 8  # of columns that cannot be read


@dataclass
class Heard:
    """The warnings of a command, for its report, which has notes on the data in another place."""

    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@contextmanager
def answering() -> Iterator[Heard]:
    """Turn errors into a line and an exit code, and say warnings as they come."""
    heard = Heard()

    from structlearn.shown import on_one_line  # noqa: PLC0415, --help needs none of it

    def hear(message: Warning | str, *_place: Any, **_more: Any) -> None:
        text = on_one_line(str(message))
        is_note = isinstance(message, DataNote)
        before = heard.notes if is_note else heard.warnings
        if text not in before:
            before.append(text)
            complain(f"{'note' if is_note else 'warning'}: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = hear
        try:
            yield heard
        except OptionError as error:
            complain(str(error))
            raise typer.Exit(BAD_USAGE) from None
        except BrokenPipeError:
            raise  # whoever read our output has left: nobody is there to complain to
        except ColumnsError as error:
            for reason in error.reasons[:SHOWN]:
                complain(reason)
            if len(error.reasons) > SHOWN:
                complain(f"and {len(error.reasons) - SHOWN:,} columns more that cannot be read as they are.")
            raise typer.Exit(BAD_INPUT) from None
        except (DataError, PackageError, OSError) as error:
            complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except MemoryError:
            complain("there is not enough memory; use fewer columns or rows.")
            raise typer.Exit(BAD_INPUT) from None


def complain(text: str) -> None:
    """Say one line on stderr, with flags in the place of options."""
    from structlearn.shown import on_one_line  # noqa: PLC0415, --help needs none of it

    kept = [on_one_line(word) for word in own_words()]
    typer.echo(f"structlearn: {in_flags(on_one_line(text), kept)}", err=True)
