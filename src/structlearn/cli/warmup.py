"""structlearn warmup: compile ahead of the first use."""

import json
import os
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.cli.answers import answering

if TYPE_CHECKING:
    from structlearn.learners.method import Method

# The types of a table matter more than its size; but of 12 columns or fewer some searches know a shorter way,
# and with few rows they come to no family of five.
N_ROWS, N_COLUMNS = 2_000, 13
CODE = "from structlearn.cli.warmup import compile_method; compile_method({name!r})"


def warmup(
    methods: Annotated[
        list[str] | None,
        typer.Argument(metavar="[METHOD]...", help="Methods; all by default.", show_default=False),
    ] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Processes at once; 0 for one per core.")] = 0,
) -> None:
    """Compile the kernels of methods now, once on this machine, so that nobody waits for them later."""
    with answering():
        from structlearn.api import known_method  # noqa: PLC0415, --help needs none of it
        from structlearn.learners.catalog import CATALOG  # noqa: PLC0415, as above

        asked = [known_method(name) for name in methods] if methods else list(CATALOG.values())
        chosen = [method for method in asked if method.takes != ("database",)]
        for method in [method for method in asked if method not in chosen]:
            typer.echo(f"{method.name}: left out, it learns from a database and there is none to try")
        started, compiled, n_failed = time.monotonic(), set[str](), 0
        with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as pool:
            for method, found in zip(chosen, pool.map(_in_a_process, chosen), strict=True):
                typer.echo(f"{method.name}: {_words(found)}", err="error" in found)
                compiled |= {*found.get("kernels", ())}
                n_failed += "error" in found
        seconds, n_methods = time.monotonic() - started, len(chosen) - n_failed
        typer.echo(f"Compiled {len(compiled)} kernels for {n_methods} methods in {seconds:.0f} s.")
        if n_failed:
            raise typer.Exit(1)


def _words(found: dict[str, Any]) -> str:
    if "error" in found:
        return f"failed, {found['error']}"
    return f"{len(found['kernels'])} compiled in {found['seconds']:.1f} s, {found['n_there']} were there"


def _in_a_process(method: "Method") -> dict[str, Any]:
    """What a process of its own compiled, or the last that it said where it failed.

    Kernels of one method may be on disk before the next one asks.
    """
    ended = subprocess.run(  # noqa: S603, this program itself
        [sys.executable, "-c", CODE.format(name=method.name)],
        env={**os.environ, "STRUCTLEARN_COMPILE": "always", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        said = ended.stderr.strip().splitlines() or [f"without a word, with exit status {ended.returncode}"]
        return {"error": said[-1]}
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


def compile_method(name: str) -> None:
    """Fit a method to a small table of each kind that it takes; print which kernels that compiled."""
    from structlearn import compile as tiers  # noqa: PLC0415, --help needs none of it
    from structlearn.api import known_method  # noqa: PLC0415, as above

    method = known_method(name)
    warnings.simplefilter("ignore")
    for kind in ("discrete", "continuous"):
        if kind in method.takes:
            table = _table(kind, method.rows)
            given: dict[str, Any] = {need: {"a": ["c", "d"], "b": ["d", "e"]} for need in method.needs}
            method.load()(**given).fit(table)
    new = {kernel: seconds for kernel, seconds in tiers.compiled().items() if seconds is not None}
    n_there = len(tiers.compiled()) - len(new)
    found = {"kernels": [*new], "seconds": sum(new.values()), "n_there": n_there}
    sys.stdout.write(f"{json.dumps(found)}\n")


def _table(kind: str, rows: str) -> dict[str, Any]:
    """Columns that each depend on the two before; or, row by row, on how they were before."""
    import numpy as np  # noqa: PLC0415, --help needs none of it

    rng = np.random.default_rng(0)
    values = rng.normal(size=(N_ROWS, N_COLUMNS))
    for j in range(2, N_COLUMNS):
        values[:, j] += values[:, j - 1] + values[:, j - 2]
    if rows == "course":
        values = np.cumsum(0.1 * values, axis=0)
    columns = values.T if kind == "continuous" else np.digitize(values.T, [-0.5, 0.5])
    if rows == "steps" and kind == "discrete":
        columns = (columns > 0).astype(int)
    return dict(zip("abcdefghijklm", columns, strict=True))
