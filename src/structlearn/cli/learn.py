"""structlearn learn: from a table to a graph."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from structlearn.cli.answers import answering, complain
from structlearn.cli.column_names import as_named
from structlearn.cli.databases import (
    check_database_outputs,
    database_options,
    fit_database,
    summary,
    takes_database,
)
from structlearn.cli.destinations import (
    check_certificate,
    check_model_outputs,
    check_outputs,
    refuse_overwriting,
    write_output,
)
from structlearn.cli.findings import findings, inferred_kinds
from structlearn.cli.knowledge import parsed_knowledge
from structlearn.cli.learn_flags import (
    Alpha,
    CertificateFile,
    Confidence,
    Forbid,
    Jobs,
    KnowledgeFile,
    Lags,
    Layout,
    MaxParents,
    Method,
    Missing,
    Outputs,
    Progress,
    Prove,
    Quiet,
    Regulators,
    Report,
    Require,
    Restarts,
    Score,
    Seed,
    Series,
    Settings,
    Tabu,
    Targets,
    Test,
    Tiers,
    Time,
    TimeLimit,
    Whys,
)
from structlearn.cli.regulators import read_regulators
from structlearn.cli.report_model import small_network
from structlearn.cli.settings import make_learner, parsed_lags
from structlearn.cli.sources import OpenSource
from structlearn.cli.table_flags import NOTHING_SAID, OfTable, with_table_flags
from structlearn.cli.tables import OpenDatabase, OpenTable, Table, open_rows
from structlearn.cli.why import Pair, check_pairs, parsed_pairs, say_why
from structlearn.errors import DataError, PackageError

if TYPE_CHECKING:
    from structlearn.data import Knowledge
    from structlearn.learners.base import Learner

Opened = OpenTable | OpenSource | OpenDatabase
Fitted = tuple[Opened, Callable[[], str]]  # what was learned from, and what is said of it


@dataclass(frozen=True)
class Named:
    """What names columns: read before the search for what cannot be, and again when the columns are known."""

    file: Path | None
    require: Sequence[str]
    forbid: Sequence[str]
    tiers: Sequence[str]
    why: Sequence[str]

    def knowledge(self, columns: Sequence[str] = ()) -> "Knowledge | None":
        """What is known about the edges."""
        return parsed_knowledge(self.file, self.require, self.forbid, self.tiers, columns)

    def pairs(self, names: Sequence[str] = ()) -> list[Pair]:
        """The pairs that --why asks about."""
        return parsed_pairs(self.why, names)


@with_table_flags
def learn(  # noqa: PLR0913, each is a flag of the command
    table: Table,
    method: Method = "boss",
    score: Score = None,
    test: Test = None,
    alpha: Alpha = None,
    max_parents: MaxParents = None,
    lags: Lags = None,
    tabu: Tabu = None,
    restarts: Restarts = None,
    prove: Prove = None,
    missing: Missing = None,
    time_limit: TimeLimit = None,
    seed: Seed = None,
    jobs: Jobs = None,
    settings: Settings = None,
    confidence: Confidence = None,
    of_table: OfTable = NOTHING_SAID,
    regulators: Regulators = None,
    targets: Targets = None,
    time: Time = None,
    series: Series = None,
    knowledge: KnowledgeFile = None,
    require: Require = None,
    forbid: Forbid = None,
    tiers: Tiers = None,
    output: Outputs = None,
    layout: Layout = "auto",
    report: Report = None,
    certificate: CertificateFile = None,
    why: Whys = None,
    progress: Progress = None,
    quiet: Quiet = False,
) -> None:
    """Learn a graph from TABLE, print its edges with their evidence, and write what is asked for.

    The first Ctrl-C ends the search and keeps the best graph so far; a second one ends the program.
    """
    flags: dict[str, Any] = {"score": score, "test": test, "alpha": alpha, "max_parents": max_parents}
    flags |= {"tabu": tabu, "restarts": restarts, "prove": prove, "targets": targets, "missing": missing}
    flags |= {"time": time, "series": series, "progress": False if quiet else progress}
    flags |= {"time_limit": time_limit, "random_state": seed, "n_jobs": jobs}
    with answering() as heard:
        outputs = output or []
        named = Named(knowledge, require or (), forbid or (), tiers or (), why or ())
        flags |= {"lags": parsed_lags(lags), "knowledge": named.knowledge()}
        flags["regulators"] = None if regulators is None else read_regulators(regulators)
        if takes_database(method):
            flags |= database_options(of_table)
        learner = make_learner(method, flags, settings or [], confidence=confidence)
        named.pairs()
        check_outputs(outputs, report, layout)
        check_certificate(certificate, learner)
        refuse_overwriting([table, knowledge, regulators], [*outputs, report, certificate])
        fit = _fit_database if takes_database(method) else _fit_table
        opened, said = fit(learner, table, outputs, of_table, named)
        _say_found(learner, said, quiet=quiet)
        _write_certificate(certificate, learner, quiet=quiet)
        _write(outputs, report, learner, opened, layout=layout, warnings=heard.warnings, quiet=quiet)
        say_why(learner, named.pairs(learner.graph_.nodes), opened.dataset)


def _fit_database(
    learner: "Learner", path: str, outputs: Sequence[Path], of_table: OfTable, _: Named
) -> Fitted:
    check_database_outputs(outputs)
    fit_database(learner, path, of_table)
    opened = OpenDatabase(path)
    return opened, partial(summary, learner, opened.source.table)


def _fit_table(
    learner: "Learner", path: str, outputs: Sequence[Path], of_table: OfTable, named: Named
) -> Fitted:
    from structlearn.learners.base import Learner  # noqa: PLC0415, --help needs none of it

    opened = open_rows(path, aside=learner.columns_aside(), **of_table)
    around = getattr(learner, "learner", None)  # of resampling; others may call a word so
    holder = around if isinstance(around, Learner) else learner
    aside = learner.columns_aside().items()
    holder.set_params(**{option: as_named(name, opened.rows.names) for option, name in aside})
    check_model_outputs(outputs, opened.rows, holder)
    check_pairs(named.why, holder, opened.rows.names)
    known = named.knowledge(opened.rows.names)
    if known is not None:
        holder.set_params(knowledge=known)
    learner.fit(opened.rows)
    return opened, partial(_summary, learner, opened)


def _say_found(learner: "Learner", said: Callable[[], str], *, quiet: bool) -> None:
    from structlearn.run import Status  # noqa: PLC0415, --help needs none of it

    if not quiet:
        typer.echo(said())
    elif not learner.status_.startswith(Status.COMPLETE.value):
        complain(f"warning: {learner.status_}")


def _summary(learner: "Learner", opened: OpenTable | OpenSource) -> str:
    from structlearn.report.wording import counted  # noqa: PLC0415, --help needs none of it

    rows = opened.rows
    size = f"{counted(rows.n_rows, 'row')}, {counted(len(rows.names), 'column')}"
    lines = [
        f"{type(learner).__name__} on {opened.source.table}: {opened.note or size}",
        inferred_kinds(rows, learner),
        findings(learner),
        str(learner.statistics_) if isinstance(opened, OpenSource) else None,
    ]
    return "\n".join(line for line in lines if line is not None)


def _write(
    outputs: Sequence[Path],
    report: Path | None,
    learner: "Learner",
    opened: Opened,
    *,
    layout: str,
    warnings: Sequence[str],
    quiet: bool,
) -> None:
    """Write every file that can be written; then complain of the first that cannot."""
    from structlearn.report import write_report  # noqa: PLC0415, --help needs none of it

    targets, record = learner.columns_aside().get("targets"), learner.graph_.record
    missing = "error" if record is None else record.missing
    failed: list[DataError | PackageError | OSError] = []
    for path in outputs:
        try:
            write_output(path, learner.graph_, opened.rows, layout, targets, missing)
        except (DataError, PackageError, OSError) as error:
            failed.append(error)
        else:
            _say_written(path, quiet=quiet)
    if report is not None:
        write_report(
            report,
            learner,
            opened.dataset,
            model=small_network(learner.graph_, opened.rows, targets),
            truth=opened.truth,
            source=opened.source,
            warnings=warnings,
        )
        _say_written(report, quiet=quiet)
    if failed:
        raise failed[0]


def _write_certificate(path: Path | None, learner: "Learner", *, quiet: bool) -> None:
    if path is not None:
        learner.certificate().save(path)  # type: ignore[attr-defined]  # checked before the search
        _say_written(path, quiet=quiet)


def _say_written(path: Path, *, quiet: bool) -> None:
    if not quiet:
        typer.echo(f"Wrote {path}")
