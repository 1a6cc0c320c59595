"""Why pairs of nodes have no edge: the sets that separate them."""

from collections.abc import Mapping

from structlearn.outcome import Pair, Separation
from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, p_value

SHOWN = 300


def section(subject: Subject) -> Section | None:
    """List the separations that came closest to an edge."""
    found: Mapping[Pair, Separation] | None = getattr(subject.learner, "separating_sets_", None)
    if not found:
        return None
    closest = sorted(found.items(), key=lambda item: item[1].p_value)[:SHOWN]
    said = f"{counted(len(found), 'pair')} of nodes without an edge, each with the set that separates it. "
    order = "The closest to an edge come first" + (f"; {SHOWN} are shown." if len(found) > SHOWN else ".")
    rows = [
        (a, b, ", ".join(separation.given) or "nothing", p_value(separation.p_value))
        for (a, b), separation in closest
    ]
    listing = tag(
        "details", tag("summary", "Table of separations"), table(("node", "node", "given", "p-value"), rows)
    )
    return Section("separations", "Separations", joined([tag("p", said, order), listing]))
