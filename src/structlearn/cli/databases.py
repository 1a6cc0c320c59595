"""Databases on the command line: all tables for methods that learn from them, or one for the others."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.data.choosing import Choose
    from structlearn.data.columns import RawColumn
    from structlearn.data.relational import Schema
    from structlearn.learners.base import Learner

TableNames = Annotated[
    list[str] | None,
    typer.Option(
        "--table",
        metavar="NAME",
        help="The table of a DuckDB or SQLite file to learn from. Repeat for more, for methods that take a "
        "database; without it they take all.",
        rich_help_panel="Data",
    ),
]


def takes_database(method: str) -> bool:
    """Whether a method learns from several tables."""
    from structlearn.learners.catalog import METHODS  # noqa: PLC0415, --help needs none of it

    return method in METHODS and METHODS[method].takes == ("database",)


def is_database_file(table: str) -> bool:
    """Whether a table is named that is a file of DuckDB or SQLite."""
    path = Path(table)
    if not path.is_file():
        return False
    from structlearn.data.relational.databases.opening import is_database  # noqa: PLC0415, starts DuckDB

    return is_database(path)


def database_options(of_table: Mapping[str, Any]) -> dict[str, Any]:
    """The flags of tables that a method which takes a database has as options."""
    from structlearn.cli.tables import parsed_kinds  # noqa: PLC0415, which imports this module

    kinds = of_table.get("kinds")
    return {"tables": of_table.get("tables"), "kinds": parsed_kinds(kinds) if kinds else None}


def fit_database(learner: "Learner", table: str, of_table: Mapping[str, Any]) -> None:
    """Learn from a database; other flags of tables have no meaning here."""
    others = {name: value for name, value in of_table.items() if name not in ("tables", "kinds", "reading")}
    for name in [*others, *of_table.get("reading", ())]:
        raise OptionError(f"--{name}: {type(learner).__name__} takes a database, not one table.")
    if not table.partition("://")[1] and not Path(table).is_file():
        raise OptionError(f"{table}: there is no such file. Name a DuckDB or SQLite file.")
    learner.fit(table)


def check_database_outputs(outputs: Sequence[Path]) -> None:
    """Refuse, before the search, a file that holds a Bayesian network."""
    from structlearn.cli.destinations import table_format  # noqa: PLC0415, --help needs none of it

    for path in outputs:
        if table_format(path):
            raise OptionError(
                f"--output {path}: {table_format(path)} holds a Bayesian network. Write .json, .graphml, "
                ".dot or a picture."
            )


def read_table(path: Path, names: Sequence[str] | None, choose: "Choose") -> "tuple[RawColumn, ...]":
    """The columns of the one table of a file that was asked for, or that there is."""
    from structlearn.data.readers import read  # noqa: PLC0415, as above
    from structlearn.data.relational import opened_database  # noqa: PLC0415, as above
    from structlearn.data.sql_words import quoted  # noqa: PLC0415, as above
    from structlearn.naming import listed  # noqa: PLC0415, --help needs none of it

    with opened_database(path) as database:
        tables = database.tables()
        chosen = list(names or tables)
        unknown = [name for name in chosen if name not in tables]
        if unknown:
            raise OptionError(f"--table {unknown[0]}: {path} has the tables {listed(tuple(tables))}.")
        if len(chosen) != 1:
            raise OptionError(
                f"{path} has the tables {listed(tuple(tables))}: choose one with --table NAME, or learn from "
                "all with --method relational-model."
            )
        columns = tables[chosen[0]].columns
        wanted = ", ".join(map(quoted, columns))
        rows = database.rows(f"SELECT {wanted} FROM {quoted(chosen[0])}")  # noqa: S608, names are quoted
    values = zip(*rows, strict=True) if rows else ([] for _ in columns)
    table = {name: list(each) for name, each in zip(columns, values, strict=True)}
    return read(table, choose=choose).columns


def refuse_table_names(table: str, names: Sequence[str] | None) -> None:
    """Refuse --table beside a file that is one table."""
    if names:
        raise OptionError(f"--table {names[0]}: {table} is no DuckDB or SQLite file, so it has no tables.")


def summary(learner: "Learner", table: str) -> str:
    """What was found in a database: its tables, and on what each attribute depends."""
    from structlearn.cli.findings import findings  # noqa: PLC0415, --help needs none of it

    schema: Schema = vars(learner)["schema_"]
    lines = [f"{type(learner).__name__} on {table}: {schema_line(schema)}", findings(learner)]
    found = vars(learner)["model_"].dependencies
    depends = {node: [parent.name for parent in each.parents] for node, each in found.items()}
    said = [f"  {node}: {', '.join(parents)}" for node, parents in depends.items() if parents]
    return "\n".join([*lines, *(["What each attribute depends on:", *said] if said else [])])


def schema_line(schema: "Schema") -> str:
    """How large a database is, in a line."""
    from structlearn.report.wording import counted  # noqa: PLC0415, --help needs none of it

    n_rows = sum(entity.n_objects for entity in schema.classes)
    return ", ".join(
        (
            counted(len(schema.classes), "table"),
            counted(n_rows, "row"),
            counted(len(schema.attributes), "attribute"),
            counted(len(schema.slots), "reference"),
        )
    )


def schema_of_file(path: str) -> str:
    """The tables of a database: keys, references, attributes with their states, and what was left out."""
    from structlearn.data.relational import (  # noqa: PLC0415, --help needs none of it
        SchemaOptions,
        opened_database,
        read_schema,
    )
    from structlearn.report.wording import counted, listed  # noqa: PLC0415, as above

    with opened_database(path) as database:
        schema = read_schema(database, SchemaOptions(dangling="none"))
    lines = []
    for entity in schema.classes:
        key = f", key {' + '.join(entity.key)}" if entity.key else ""
        lines.append(f"{entity.name}: {counted(entity.n_objects, 'row')}{key}")
        lines += [f"  {slot.name} → {slot.target}" for slot in schema.slots_of(entity.name)]
        for each in entity.attributes:
            gaps = f", {each.n_missing:,} missing" if each.n_missing else ""
            lines.append(f"  {each.name}: {listed(tuple(map(str, each.labels)), 8)}{gaps}")
        lines += [f"  {column} is left out: {why}" for column, why in entity.left_out.items()]
    return "\n".join(lines)
