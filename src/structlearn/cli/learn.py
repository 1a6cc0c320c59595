"""structlearn learn: from a table to a graph."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.cli.answers import answering, complain
from structlearn.cli.destinations import check_model_outputs, check_outputs, write_output
from structlearn.cli.findings import findings, inferred_kinds
from structlearn.cli.knowledge import parsed_knowledge
from structlearn.cli.settings import make_learner
from structlearn.cli.tables import Columns, Drop, Kinds, OpenTable, Table, open_table
from structlearn.errors import DataError

if TYPE_CHECKING:
    from structlearn.learners.base import Learner

METHOD, KNOWN, OUTPUT = "Method", "What is known", "Output"


def learn(  # noqa: PLR0913, each is a flag of the command
    table: Table,
    method: Annotated[
        str, typer.Option("--method", "-m", help="See `structlearn methods`.", rich_help_panel=METHOD)
    ] = "boss",
    score: Annotated[
        str | None,
        typer.Option(
            help="What to maximise: bic, aic, loglik, mdl, bdeu, bde, bds, bdj, k2, laplace, bge, bic-g "
            "or bic-cg.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            help="The test of independence: g2, chi2, mutual-information, permutation, fisher-z, t or "
            "conditional-gaussian.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="The significance level of each test.", rich_help_panel=METHOD)
    ] = None,
    max_parents: Annotated[
        int | None, typer.Option(help="The most parents a node may have.", rich_help_panel=METHOD)
    ] = None,
    tabu: Annotated[
        int | None,
        typer.Option(help="How many past graphs may not be visited again.", rich_help_panel=METHOD),
    ] = None,
    restarts: Annotated[
        int | None,
        typer.Option(help="How often to shake the best graph and climb again.", rich_help_panel=METHOD),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds after which the best graph so far is kept.", rich_help_panel=METHOD),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of all randomness.", rich_help_panel=METHOD)
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="How many threads to use; -1 for all.", rich_help_panel=METHOD)
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="Any other option of the method; `structlearn methods NAME` lists them. Repeat for more.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    kind: Kinds = None,
    columns: Columns = None,
    drop: Drop = None,
    require: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"A->B"', help="An arrow that must be there. Repeat for more.", rich_help_panel=KNOWN
        ),
    ] = None,
    forbid: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"A->B"', help="An arrow that must not be there. Repeat for more.", rich_help_panel=KNOWN
        ),
    ] = None,
    tiers: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"A,B;C,D"',
            help="Groups of columns, the earliest first, with semicolons between them; or repeat the flag "
            "for each group. No arrow goes back to an earlier group.",
            rich_help_panel=KNOWN,
        ),
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to write the graph; the ending says how: .json, .graphml, .dot, .bif (with the "
            "distributions fitted to the table), or a picture, .svg, .png, .pdf. Repeat for more.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.html", help="Write a page about the result.", rich_help_panel=OUTPUT),
    ] = None,
    progress: Annotated[
        bool | None,
        typer.Option(
            "--progress/--no-progress",
            help="Show a progress bar on stderr; by default only in a terminal.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print only warnings and errors.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    """Learn a graph from TABLE, print its edges with their evidence, and write what is asked for.

    The first Ctrl-C ends the search and keeps the best graph so far; a second one ends the program.
    """
    flags: dict[str, Any] = {
        "score": score,
        "test": test,
        "alpha": alpha,
        "max_parents": max_parents,
        "tabu": tabu,
        "restarts": restarts,
        "time_limit": time_limit,
        "random_state": seed,
        "n_jobs": jobs,
        "progress": False if quiet else progress,
    }
    outputs = output or []
    with answering() as heard:
        flags["knowledge"] = parsed_knowledge(require or [], forbid or [], tiers or [])
        learner = make_learner(method, flags, settings or [])
        check_outputs(outputs, report)
        opened = open_table(table, kinds=kind, columns=columns, drop=drop)
        check_model_outputs(outputs, opened.dataset)
        learner.fit(opened.dataset)
        _say_found(learner, opened, quiet=quiet)
        _write(outputs, report, learner, opened, warnings=heard.warnings, quiet=quiet)


def _say_found(learner: "Learner", opened: OpenTable, *, quiet: bool) -> None:
    from structlearn.run import Status  # noqa: PLC0415, --help needs none of it

    if not quiet:
        typer.echo(_summary(learner, opened))
    elif learner.status_ != Status.COMPLETE.value:
        complain(f"warning: {learner.status_}")


def _summary(learner: "Learner", opened: OpenTable) -> str:
    from structlearn.report.wording import counted  # noqa: PLC0415, --help needs none of it

    dataset = opened.dataset
    size = f"{counted(dataset.n_rows, 'row')}, {counted(len(dataset.names), 'column')}"
    lines = [
        f"{type(learner).__name__} on {opened.source.table}: {opened.note or size}",
        inferred_kinds(dataset),
        findings(learner),
    ]
    return "\n".join(line for line in lines if line is not None)


def _write(
    outputs: Sequence[Path],
    report: Path | None,
    learner: "Learner",
    opened: OpenTable,
    *,
    warnings: Sequence[str],
    quiet: bool,
) -> None:
    """Write every file that can be written; then complain of the first that cannot."""
    from structlearn.report import write_report  # noqa: PLC0415, --help needs none of it

    failed: list[DataError | OSError] = []
    for path in outputs:
        try:
            write_output(path, learner.graph_, opened.dataset)
        except (DataError, OSError) as error:
            failed.append(error)
        else:
            _say_written(path, quiet=quiet)
    if report is not None:
        write_report(
            report, learner, opened.dataset, truth=opened.truth, source=opened.source, warnings=warnings
        )
        _say_written(report, quiet=quiet)
    if failed:
        raise failed[0]


def _say_written(path: Path, *, quiet: bool) -> None:
    if not quiet:
        typer.echo(f"Wrote {path}")
