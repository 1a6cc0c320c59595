"""A relational model: the tables of the database, and what each attribute depends on."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from structlearn.data.relational import EntityClass, Schema
from structlearn.models.cpds import TreeCPD
from structlearn.models.relational import Dependency
from structlearn.report.markup import Markup, joined, table, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, listed, number

if TYPE_CHECKING:
    from structlearn.models.relational import ProbabilisticRelationalModel

SHOWN_STATES = 8
SHOWN_ROWS = 60  # of one distribution
SHOWN_SIGNS = 3


def section(subject: Subject) -> Section | None:
    """Show tables, references, columns left out, and the distributions by attribute."""
    model: ProbabilisticRelationalModel | None = getattr(subject.learner, "model_", None)
    schema: Schema | None = getattr(subject.learner, "schema_", None)
    if model is None or schema is None:
        return None
    parts = [*_tables(schema), *_references(schema), *_left_out(schema), *_dependencies(model)]
    return Section("database", "Database", joined(parts))


def _tables(schema: Schema) -> Iterator[Markup]:
    n = counted(sum(each.n_objects for each in schema.classes), "row")
    yield tag("p", f"{counted(len(schema.classes), 'table')} with {n}.")
    rows = [(each.name, f"{each.n_objects:,}", " + ".join(each.key) or "none") for each in schema.classes]
    yield table(("table", "rows", "key"), rows)
    columns = ("attribute", "states", "missing")
    yield table(columns, [row for each in schema.classes for row in _attributes(each)])


def _attributes(entity: EntityClass) -> list[tuple[str, str, str]]:
    return [
        (each.node, listed(tuple(map(str, each.labels)), SHOWN_STATES), f"{each.n_missing:,}")
        for each in entity.attributes
    ]


def _references(schema: Schema) -> Iterator[Markup]:
    if schema.slots:
        rows = [
            (each.full_name, each.target, f"{each.n_null:,}", f"{each.n_dangling:,}") for each in schema.slots
        ]
        yield table(("reference", "to", "empty", "to nothing"), rows)


def _left_out(schema: Schema) -> Iterator[Markup]:
    rows = [
        (f"{each.name}.{column}", why) for each in schema.classes for column, why in each.left_out.items()
    ]
    if rows:
        heading = tag("summary", f"{counted(len(rows), 'column')} left out")
        yield tag("details", heading, table(("column", "why"), rows))


def _dependencies(model: "ProbabilisticRelationalModel") -> Iterator[Markup]:
    said = (
        f"{counted(model.n_parameters, 'parameter')} in all. A chain follows references: student.age is the "
        "age of the student that a row refers to, and Exam[student] are the rows of Exam that refer to one."
    )
    yield tag("h3", "What each attribute depends on")
    yield tag("p", said)
    for node, each in model.dependencies.items():
        depends = ", ".join(parent.name for parent in each.parents) or "nothing"
        yield tag("details", tag("summary", f"{node} depends on {depends}"), _distribution(each))


def _distribution(dependency: Dependency) -> Markup:
    cpd = dependency.cpd
    if isinstance(cpd, TreeCPD):
        return tag("pre", str(cpd))
    chances = cpd.as_table()
    states = [parent.labels for parent in dependency.parents]
    if chances is None:
        return tag("p", f"{counted(cpd.n_parameters, 'parameter')}.")
    rows = zip(product(*states), chances.reshape(-1, chances.shape[-1]), strict=True)
    shown = [_row(labels, row) for labels, row in islice(rows, SHOWN_ROWS)]
    columns = (*(parent.name for parent in dependency.parents), *map(str, cpd.labels))
    more = chances.size // chances.shape[-1] - len(shown)
    note = tag("p", f"… and {counted(more, 'row')} more", class_="quiet") if more > 0 else None
    return joined([table(columns, shown), note])


def _row(labels: Sequence[object], chances: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> list[str]:
    return [*map(str, labels), *(number(round(float(chance), SHOWN_SIGNS)) for chance in chances)]
