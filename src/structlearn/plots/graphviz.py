"""Graphviz, called in silence: what it and its fonts say on standard error stays out of a user's terminal."""

import contextlib
import ctypes
import io
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

from structlearn.errors import DataError, needing

# Lines of Graphviz, and of the libraries under it. What other threads write meanwhile is passed on.
CHATTER = re.compile(rb"(?i)\s*(fontconfig|warning|error|pango|cairo|\(process:|as required by|$)")
STANDARD_ERROR = 2
ONE_AT_A_TIME = threading.Lock()  # Graphviz keeps its state in global variables


def rendered(text: str, program: str, form: str, **page: Any) -> bytes:
    """Give the picture, or what else Graphviz can write, of its text; `page` changes attributes of it."""
    with needing("pygraphviz", "A picture of a graph"):
        import pygraphviz  # noqa: PLC0415, loads Graphviz

    try:
        with ONE_AT_A_TIME, silent():
            _begin_random_numbers()
            graph = pygraphviz.AGraph(string=text)  # by way of a temporary file
            graph.graph_attr.update(page)
            drawn: bytes = graph.draw(format=form, prog=program)
    except OSError as error:
        raise DataError(
            f"The graph cannot be drawn: a temporary file in {tempfile.gettempdir()} cannot be written: "
            f"{error.strerror or error}."
        ) from None
    except ValueError as error:
        raise DataError(f"The graph cannot be drawn: Graphviz says: {error}.") from None
    return drawn


def _begin_random_numbers() -> None:
    """Let sfdp, which takes those of C from wherever they are, draw the same graph the same way."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # Windows has them elsewhere
        ctypes.CDLL(None).srand(1)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Keep the chatter of compiled libraries from standard error, and pass other lines on at the end."""
    try:
        kept = os.dup(STANDARD_ERROR)
    except OSError:  # a program without a terminal may have closed it
        yield
        return
    with tempfile.TemporaryFile() as heard, contextlib.redirect_stderr(io.StringIO()):
        os.dup2(heard.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)
            heard.seek(0)
            for line in heard:
                if not CHATTER.match(line):
                    os.write(STANDARD_ERROR, line)
