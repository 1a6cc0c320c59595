"""The options of the run, with their meaning."""

from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject


def section(subject: Subject) -> Section:
    """List every option: its value, its meaning, the values it may have."""
    learner = subject.learner
    rows = []
    for name, option in learner.options.items():
        value = repr(getattr(learner, name))
        shown = tag("code", value) if value == repr(option.default) else tag("strong", tag("code", value))
        rows.append((tag("code", name), shown, option.meaning, option.allowed))
    note = tag("p", "Values in bold are not the default.", class_="quiet")
    return Section(
        "options",
        "Options",
        joined([table(("option", "value", "meaning", "may be"), rows, class_="options"), note]),
    )
