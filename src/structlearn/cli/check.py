"""structlearn check: whether a certificate is right."""

from typing import Annotated

import typer

from structlearn.cli.answers import answering
from structlearn.cli.table_flags import NOTHING_SAID, OfTable, with_table_flags
from structlearn.cli.tables import Table, open_rows
from structlearn.errors import DataError, OptionError


@with_table_flags
def check(
    certificate: Annotated[
        str, typer.Argument(metavar="CERTIFICATE", help="A file that learner.certificate().save(…) wrote.")
    ],
    table: Table,
    of_table: OfTable = NOTHING_SAID,
) -> None:
    """Compute from TABLE what CERTIFICATE claims, and say what holds; exit code 1 if something fails."""
    with answering():
        from structlearn.certificates import Certificate  # noqa: PLC0415, --help needs none of it
        from structlearn.shown import visible  # noqa: PLC0415, as above

        if table.lower().endswith(".json"):
            raise OptionError(f"{table} is no table. The certificate comes first: check c.json table.csv.")
        found = Certificate.load(certificate)
        verdict = found.check(open_rows(table, **of_table).rows)
        typer.echo(visible(f"{found.content.get('method')}, {found.content['kind']}"))
        for finding in verdict.findings:
            typer.echo(visible(f"  {finding}"))
        held = [finding.holds for finding in verdict.findings]
        n_right, n_wrong = held.count(True), held.count(False)
        unchecked = f"{held.count(None)} were not checked"
        typer.echo(f"Of {len(held)} claims, {n_right} hold, {n_wrong} fail and {unchecked}.")
        if not verdict.holds:
            is_of_table, *_ = held
            otherwise = "is about another table: pass that of the fit."
            changed = "does not hold: the certificate or the table was changed since the fit."
            raise DataError(f"{certificate}, of {table}, {changed if is_of_table else otherwise}")
