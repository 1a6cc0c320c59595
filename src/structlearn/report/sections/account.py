"""What was asked of the engine that has the rows."""

from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.statistics.engines.account import Account


def section(subject: Subject) -> Section | None:
    """Say where the rows stayed, and what went to and fro."""
    account: Account | None = getattr(subject.learner, "statistics_", None)
    if account is None:
        return None
    said = f"The rows stayed where they are. {account.sentence}"
    costs = {
        "round trips": account.round_trips,
        "rows scanned": account.rows_scanned,
        "bytes moved": account.bytes_moved,
    }
    asked = table(tuple(costs), [tuple(f"{cost:,}" for cost in costs.values())], class_="data")
    return Section("engine", "Where the rows are", joined([tag("p", said), asked]))
