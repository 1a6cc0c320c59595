"""What is in the table that was learned from."""

from collections import Counter

from structlearn.data import Dataset
from structlearn.data.describe import ColumnSummary, describe
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, number

MANY_COLUMNS = 40


def section(subject: Subject) -> Section | None:
    """Summarise the columns."""
    if subject.dataset is None:
        return None
    description = describe(subject.dataset)
    columns = description.columns
    kinds = Counter(column.kind for column in columns)
    said = f"{counted(description.n_rows, 'row')}; " + ", ".join(f"{n:,} {kind}" for kind, n in kinds.items())
    said += f" {'column' if len(columns) == 1 else 'columns'}."
    if subject.dataset.weights is not None:
        said += " The rows have weights; the shares below do not use them."
    inferred = sum(column.inferred for column in columns)
    note = f"* {counted(inferred, 'kind')} inferred from the values; check them." if inferred else None
    listing = tag(
        "details",
        tag("summary", "Columns"),
        table(
            ("column", "kind", "levels", "missing", "values"),
            [_row(column) for column in columns],
            class_="data",
        ),
        open=len(columns) <= MANY_COLUMNS,
    )
    read = [tag("p", one, class_="quiet") for one in subject.dataset.notes]
    ends = note and tag("p", note, class_="quiet")
    return Section("data", "Data", joined([tag("p", said), *read, _cuts(subject.dataset), listing, ends]))


def _cuts(dataset: Dataset) -> Markup | None:
    """Where columns were cut into bins."""
    found = dataset.discretization
    if found is None:
        return None
    rows = [(name, str(len(cuts) + 1), "; ".join(map(number, cuts))) for name, cuts in found.cuts.items()]
    said = f"{counted(len(rows), 'column')} cut into bins ({found.method})"
    cuts = table(("column", "bins", "cuts"), rows, class_="data")
    return tag("details", tag("summary", said), cuts, open=len(rows) <= MANY_COLUMNS)


def _row(column: ColumnSummary) -> tuple[str, ...]:
    return (
        column.name,
        column.kind + ("*" if column.inferred else ""),
        "–" if column.levels is None else f"{column.levels:,}",
        f"{column.missing:,}",
        _numbers(column) if column.levels is None else _shares(column),
    )


def _shares(column: ColumnSummary) -> Markup:
    bars = [
        tag("span", class_="share", style=f"--share: {share:.4f}", title=f"{label} {share:.1%}")
        for label, share in column.shares
    ]
    words = [f"{label} {share:.0%}" for label, share in column.shares]
    rest = ["…"] if len(words) < (column.levels or 0) else []
    return joined([tag("span", *bars, class_="shares", aria_hidden="true"), " ", ", ".join(words + rest)])


def _numbers(column: ColumnSummary) -> str:
    if column.mean is None or column.minimum is None or column.maximum is None:
        return "no values"
    spread = "" if column.deviation is None else f", standard deviation {number(column.deviation)}"
    return f"{number(column.minimum)} to {number(column.maximum)}, mean {number(column.mean)}{spread}"
