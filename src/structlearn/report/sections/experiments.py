"""What was set from outside, and in how many rows."""

from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted


def section(subject: Subject) -> Section | None:
    """List what was set together; nothing where no row says so."""
    found: dict[tuple[str, ...], int] = getattr(subject.learner, "experiments_", {})
    if not found:
        return None
    n_set = sum(n_rows for names, n_rows in found.items() if names)
    said = (
        f"In {n_set:,} of {counted(sum(found.values()), 'row')} something was set from outside. Such a row "
        "says nothing of what acts on a column that was set in it; it still says what that column acts on."
    )
    rows = [(", ".join(names) or "nothing", f"{n_rows:,}") for names, n_rows in sorted(found.items())]
    listing = table(("set", "rows"), rows, class_="data")
    return Section("experiments", "Experiments", joined([tag("p", said), listing]))
