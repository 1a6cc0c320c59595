"""The examples of a page are run, and what they print is written below them.

The `python` blocks of a page are one program, run from top to bottom; what a block prints stands in a
`text` block right after it. A `console` block has `$ structlearn …` lines, each followed by what
that command prints. Everything runs in an empty folder that has a copy of `docs/data`.
"""

import re
import shlex
import shutil
from collections.abc import Callable
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner

from structlearn.cli import app

DATA = Path(__file__).parents[1] / "docs" / "data"
PYTHON = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?", re.DOTALL | re.MULTILINE
)
CONSOLE = re.compile(r"^```console\n(?P<lines>.*?)^```\n", re.DOTALL | re.MULTILINE)
SECONDS = re.compile(r"\d+\.\d\d s\b")
PROMPT = "$ "


def with_fresh_outputs(text: str, page: Path) -> str:
    """Run the examples of a page and write what they print; a time that changed is no change."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(DATA, folder / "docs" / "data")
        program = _Program(page.name)
        with chdir(folder):
            text = PYTHON.sub(_unless_only_times_differ(program.run), text)
            return CONSOLE.sub(_unless_only_times_differ(_run_commands), text)


def _unless_only_times_differ(make: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
    def replaced(block: re.Match[str]) -> str:
        before, after = block[0], make(block)
        return before if SECONDS.sub("", before) == SECONDS.sub("", after) else after

    return replaced


class _Program:
    """The python blocks of one page; later ones know the names of earlier ones."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._names: dict[str, Any] = {"__name__": page}

    def run(self, block: re.Match[str]) -> str:
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(block["code"], self._page, "exec"), self._names)  # noqa: S102, our own pages
        shown = f"```python\n{block['code']}```\n"
        return f"{shown}\n```text\n{_trimmed(printed.getvalue())}```\n" if printed.getvalue() else shown


def _run_commands(block: re.Match[str]) -> str:
    commands = [line.removeprefix(PROMPT) for line in block["lines"].splitlines() if line.startswith(PROMPT)]
    shown = [f"{PROMPT}{command}\n{_trimmed(_run(command))}" for command in commands]
    return "```console\n" + "\n".join(shown) + "```\n"


def _run(command: str) -> str:
    program, *words = shlex.split(command)
    if program != "structlearn":
        raise ValueError(f"{command}: a console block runs structlearn only; use a sh block.")
    # Within this process: a program of its own takes a second to start.
    done = CliRunner().invoke(app, words)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    # Libraries below may have something to say about the machine; only our own words belong on the page.
    ours = [line for line in done.stderr.splitlines(keepends=True) if line.startswith("structlearn: ")]
    return done.stdout + "".join(ours)


def _trimmed(printed: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in printed.rstrip().splitlines())
