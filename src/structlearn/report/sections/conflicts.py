"""Colliders and marks that the tests ask for but that could not be drawn."""

from structlearn.report.markup import joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted

SHOWN = 200


def section(subject: Subject) -> Section | None:
    """List the conflicts, where there are any."""
    found: tuple[str, ...] = getattr(subject.learner, "conflicts_", None) or ()
    if not found:
        return None
    said = tag(
        "p",
        f"{counted(len(found), 'time')} the tests ask for a direction or a mark that contradicts stronger "
        "evidence or what was known; it was left out. Many of them mean that the tests disagree: try a "
        "smaller alpha, or more rows.",
    )
    more = tag("p", f"… and {len(found) - SHOWN:,} more", class_="quiet") if len(found) > SHOWN else None
    listing = tag("ul", *(tag("li", triple) for triple in found[:SHOWN]), class_="columns")
    return Section("conflicts", "Conflicts", joined([said, listing, more]))
