"""The flag --why: what speaks for and against an edge between two columns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from structlearn.cli.column_names import as_named
from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.data import Dataset
    from structlearn.learners.base import Learner

Pair = tuple[str, str]


def parsed_pairs(texts: Sequence[str], names: Sequence[str] = ()) -> list[Pair]:
    """Read each A,B; they are of these names, once those are known.

    Examples
    --------
    >>> parsed_pairs(["smoke, lung"])
    [('smoke', 'lung')]
    """
    pairs = []
    for text in texts:
        parts = text.split(",")
        if len(parts) != 2 or not all(part.strip() for part in parts):
            raise OptionError(f"--why {text}: write two columns with a comma between them: --why A,B.")
        pairs.append((as_named(parts[0], names), as_named(parts[1], names)))
    return pairs


def refuse_slips(pairs: Sequence[Pair], columns: Sequence[str]) -> None:
    """Refuse, before the search, what is nearly the name of a column; other nodes may come of it."""
    from structlearn.naming import meant, no_such  # noqa: PLC0415, --help needs none of it

    for name in (name for pair in pairs for name in pair):
        if name not in columns and meant(name, columns):
            raise OptionError(no_such("column", name, columns, owner="--why"))


def say_why(learner: "Learner", pairs: Sequence[Pair], dataset: "Dataset | None") -> None:
    """Print the answer for each pair; a table that has all the nodes adds scores and tests."""
    from structlearn.shown import visible  # noqa: PLC0415, --help needs none of it

    graph = learner.graph_
    has_columns = dataset is not None and set(graph.nodes) <= set(dataset.names)
    for a, b in pairs:
        typer.echo(f"\nWhy {a}, {b}:")
        for sentence in graph.why(a, b, data=dataset if has_columns else None).sentences:
            typer.echo(visible(f"  {sentence}"))
