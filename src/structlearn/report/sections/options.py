"""The options of the run, with their meaning."""

import inspect

from structlearn.learners.base import SHARED_RULES
from structlearn.report.markup import joined, table, tag
from structlearn.report.subject import Section, Subject


def section(subject: Subject) -> Section:
    """List every option: its value, its meaning, the values it may have."""
    learner = subject.learner
    rules = {**SHARED_RULES, **learner.rules}
    defaults = inspect.signature(type(learner)).parameters
    rows = []
    for name, value in learner.get_params(deep=False).items():
        is_default = value is None or repr(value) == repr(defaults[name].default)
        shown = tag("code", repr(value)) if is_default else tag("strong", tag("code", repr(value)))
        rows.append((tag("code", name), shown, rules[name].meaning, rules[name].allowed))
    note = tag("p", "Values in bold are not the default.", class_="quiet")
    return Section(
        "options", "Options", joined([table(("option", "value", "meaning", "may be"), rows), note])
    )
