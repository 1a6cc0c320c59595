"""The lines that repeat the run, in Python and in a shell."""

import shlex
from collections.abc import Mapping
from typing import Any

from structlearn import __version__
from structlearn.data import Knowledge
from structlearn.data.examples import NETWORKS
from structlearn.learners.catalog import CATALOG
from structlearn.learners.ensemble.edge_confidence import EdgeConfidence
from structlearn.learners.flags import FLAGS
from structlearn.learners.network.relational.database_learner import DatabaseLearner
from structlearn.report.markup import joined, tag
from structlearn.report.program import Program, changed_options
from structlearn.report.subject import EXAMPLE, EXAMPLE_ROWS, EXAMPLE_SEED, Section, Source, Subject

SEPARATORS = (",", ";", "->", "=")
AROUND = {"n_resamples", "random_state", "n_jobs", "time_limit"}  # what the command gives to the resampling


def section(subject: Subject) -> Section:
    """Write the Python and, where the table is known, the shell line."""
    parts = [tag("h3", "Python"), _code(python_lines(subject))]
    line = shell_line(subject)
    if line is not None:
        parts += [tag("h3", "Shell"), _code(line)]
    parts.append(tag("p", f"Made with structlearn {__version__}.", class_="quiet"))
    return Section("reproduce", "Do it again", joined(parts))


def python_lines(subject: Subject) -> str:
    """Give a Python program that repeats the run."""
    program = Program()
    learner = program.written(subject.learner, "learner")
    return "\n".join(
        [
            *sorted(program.imports | {"import structlearn as sl"}),
            "",
            *program.before,
            f"data = {_python_data(subject)}",
            f"learner = {learner}.fit(data)",
            "print(learner.graph_)",
        ]
    )


def shell_line(subject: Subject) -> str | None:
    """Give the command that repeats the run, or None where it cannot be told."""
    around = learner = subject.learner
    options = dict(changed_options(learner))
    if isinstance(around, EdgeConfidence):  # which --confidence puts around a method
        learner = options.pop("learner")
        inside = changed_options(learner)
        if not options.keys() <= AROUND or inside.keys() & AROUND:
            return None
        options = {**inside, **options, "n_resamples": around.n_resamples}
    method = next((m.name for m in CATALOG.values() if m.learner == type(learner).__name__), None)
    if subject.source is None or method is None or not _can_be_typed(subject.source, options):
        return None
    words = ["structlearn", "learn", subject.source.table, "--method", method]
    words += ["--table", subject.source.name] if subject.source.name is not None else []
    words += [word for name, value in options.items() for word in _shell_option(name, value)]
    words += [word for name, kind in subject.source.kinds.items() for word in ("--kind", f"{name}={kind}")]
    if subject.source.columns is not None:
        words += ["--columns", ",".join(subject.source.columns)]
    if subject.source.transpose is not None:
        words.append("--transpose" if subject.source.transpose else "--no-transpose")
    for name, value in (subject.source.part or {}).items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    words += [word for item in subject.source.reading.items() for word in _shell_reading(*item)]
    flags = {"method": "--discretize", "bins": "--bins"}
    words += [word for name, value in subject.source.cutting.items() for word in (flags[name], str(value))]
    return shlex.join(words)


def _code(text: str) -> str:
    return tag("pre", tag("code", text))


def _python_data(subject: Subject) -> str:
    source = subject.source
    if source is None:
        return "...  # the same table"
    if isinstance(subject.learner, DatabaseLearner):
        return repr(source.table)
    if source.part is not None:
        return _python_source(source)
    if source.name is not None:
        return f"...  # the table {source.name!r} of {source.table!r}"
    kinds = f", kinds={dict(source.kinds)!r}" if source.kinds else ""
    turned = "" if source.transpose is None else f", transpose={source.transpose}"
    turned += "".join(f", {name}={value!r}" for name, value in source.reading.items())
    columns = "" if source.columns is None else f".select({list(source.columns)!r})"
    made = f"sl.Dataset({_python_table(source.table)}{kinds}{turned}){columns}"
    cutting = ", ".join(f"{name}={value!r}" for name, value in source.cutting.items())
    return f"sl.discretize({made}, {cutting})" if cutting else made


def _python_source(source: Source) -> str:
    said: dict[str, Any] = {
        "table": source.name,
        "columns": None if source.columns is None else list(source.columns),
    }
    said |= {"kinds": dict(source.kinds) or None, **source.reading, **(source.part or {})}
    words = [repr(source.table), *(f"{name}={value!r}" for name, value in said.items() if value is not None)]
    return f"sl.source({', '.join(words)})"


def _python_table(table: str) -> str:
    if not table.startswith(EXAMPLE):
        return repr(table)
    name = table.removeprefix(EXAMPLE)
    sampled = f".sample({EXAMPLE_ROWS}, random_state={EXAMPLE_SEED})" if name in NETWORKS else ""
    return f"sl.example({name!r}){sampled}"


def _can_be_typed(source: Source, options: Mapping[str, Any]) -> bool:
    """Whether the options are plain values, and no name has a sign that separates names in a shell."""
    names = [*source.kinds, *(source.columns or ())]
    for value in options.values():
        if isinstance(value, Knowledge):
            names += value.names
        elif not isinstance(value, str | int | float | bool | None):
            return False
    return not any(sign in name for name in names for sign in SEPARATORS)


def _shell_option(name: str, value: object) -> list[str]:
    if isinstance(value, Knowledge):
        return _shell_knowledge(value)
    flags = {**FLAGS, "n_resamples": "--confidence"}
    return [flags[name], str(value)] if name in flags else ["--set", f"{name}={value}"]


def _shell_knowledge(knowledge: Knowledge) -> list[str]:
    words = [word for a, b in sorted(knowledge.required) for word in ("--require", f"{a}->{b}")]
    words += [word for a, b in sorted(knowledge.forbidden) for word in ("--forbid", f"{a}->{b}")]
    return words + [word for tier in knowledge.tiers for word in ("--tiers", ",".join(sorted(tier)))]


def _shell_reading(name: str, value: object) -> list[str]:
    """An option of reading as it is typed."""
    if isinstance(value, bool):
        return [f"--{name}" if value else f"--no-{name}"]
    values = value if isinstance(value, list | tuple) else [value]
    return [word for each in values for word in (f"--{name}", str(each))]
