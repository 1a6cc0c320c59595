"""The flag --why: what speaks for and against an edge between two columns."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from structlearn.cli.column_names import as_named
from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.data import Dataset
    from structlearn.learners.base import Learner

Pair = tuple[str, str]
PAST = re.compile(r"\[t-\d+\]$")


def parsed_pairs(texts: Sequence[str], names: Sequence[str] = ()) -> list[Pair]:
    """Read each A,B; they are of these names, once those are known.

    Examples
    --------
    >>> parsed_pairs(["smoke, lung"])
    [('smoke', 'lung')]
    """
    return [_parsed(text, names) for text in texts]


def _parsed(text: str, names: Sequence[str]) -> Pair:
    """The two names of a text; which comma is between them is seen from the names, where it has several."""
    places = [place for place, sign in enumerate(text) if sign == ","]
    ways = [(text[:place], text[place + 1 :]) for place in places]
    ways = [(as_named(a, names), as_named(b, names)) for a, b in ways if a.strip() and b.strip()]
    known = [way for way in ways if set(way) <= set(names)]
    if len(known) > 1:
        raise OptionError(f"--why {text}: this can be read in {len(known)} ways; ask in Python: graph.why.")
    if known or (ways and (len(ways) == 1 or not names)):
        return (known or ways)[0]
    raise OptionError(f"--why {text}: write two columns with a comma between them: --why A,B.")


def check_pairs(texts: Sequence[str], learner: "Learner", columns: Sequence[str]) -> None:
    """Refuse, before the search, what can be no node of the graph."""
    from structlearn.learners.catalog import CATALOG  # noqa: PLC0415, --help needs none of it
    from structlearn.naming import meant, no_such  # noqa: PLC0415, as above

    nodes = {method.learner: method.nodes for method in CATALOG.values()}[type(learner).__name__]
    may_be_nodes = [name for name in columns if name not in learner.columns_aside().values()]
    at_times = [f"{name}[t]" for name in may_be_nodes]
    known = at_times if nodes == "lags" else may_be_nodes
    has_others = nodes == "clusters" or "regulators" in learner.options  # which need not be columns
    for a, b in parsed_pairs(texts, () if nodes == "lags" else columns):
        if a == b:
            raise OptionError(f"--why {a},{b}: this names one column twice; name two.")
        for name in (a, b):
            now = PAST.sub("[t]", name) if nodes == "lags" else name
            if now not in known and (meant(now, known) or not has_others):
                raise OptionError(no_such("node" if nodes == "lags" else "column", now, known, owner="--why"))


def say_why(learner: "Learner", pairs: Sequence[Pair], dataset: "Dataset | None") -> None:
    """Print the answer for each pair; a table that has all the nodes adds scores and tests."""
    from structlearn.shown import visible  # noqa: PLC0415, --help needs none of it

    graph = learner.graph_
    has_columns = dataset is not None and set(graph.nodes) <= set(dataset.names)
    for a, b in pairs:
        typer.echo(f"\nWhy {a}, {b}:")
        for sentence in graph.why(a, b, data=dataset if has_columns else None).sentences:
            typer.echo(visible(f"  {sentence}"))
