"""The one-call doors: learn, score, methods, example, load."""

from collections.abc import Iterator, Mapping
from importlib.resources import as_file
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from structlearn.data import Dataset
from structlearn.data.examples import NETWORKS, TABLES, load_table
from structlearn.data.targets import Targets
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.learners.catalog import CATALOG, METHODS
from structlearn.learners.method import Method
from structlearn.naming import meant
from structlearn.options import check_options
from structlearn.reading import Reading
from structlearn.rounding import is_better
from structlearn.scores import FamilyScores, Score, is_equivalent_on, score_for
from structlearn.scores.classes import ends_of_class
from structlearn.scores.interventional import with_experiments
from structlearn.search.possible import refuse_gaps_for
from structlearn.statistics import (
    MISSING_BY_FAMILY,
    SOURCE_OPTIONS,
    Missing,
    opened,
    statistics_beside_targets,
)
from structlearn.statistics.engines.opening import keeps_places

if TYPE_CHECKING:
    from structlearn.formats import Saved
    from structlearn.learners.base import Learner
    from structlearn.models import BayesianNetwork

DEFAULT_METHOD = "boss"
NOT_HERE = {  # names that are near to others, and mean something else
    "lpcmci": "it looks for hidden causes of series; PCMCI takes all causes to be observed, and FCI takes "
    "rows to be independent",
}
TABLE_OPTIONS = tuple(dict.fromkeys(("kinds", "weights", "transpose", *Reading.options, *SOURCE_OPTIONS)))


def learn(data: Any, method: str = DEFAULT_METHOD, **options: Any) -> Graph:
    """Learn a graph from a table in one call.

    Parameters
    ----------
    data : data frame, array, dict of columns, path, relation, ibis table, Dask or Spark frame, Dataset, …
        The table: anything that `sl.source` takes. Files above a gibibyte and tables in databases and
        clusters stay where they are.
    method : str, default "boss"
        A name from `sl.methods()`, or what other libraries call it: "hc", "ges", "glasso", …
    **options
        Options of that method, as its class takes them, and those of `sl.Dataset` and `sl.source` that say
        how to read the table: `kinds`, `transpose`, `na`, `decimal`, `dates`, `drop`, and where and which
        part of it to use: `where`, `table`, `columns`, `filter`, `weights`, `sample_rows`. An option of the
        method that is itself called `method` needs the class: `sl.BooleanNetwork(method="reveal").fit(data)`.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("earthquake").sample(5000, random_state=0)
    >>> sl.learn(data, method="pc", alpha=0.01).neighbors("JohnCalls")
    ()
    """
    own = known_method(method).load().options
    for name in options:
        near = meant(name, TABLE_OPTIONS)
        if near and name not in {*own, *TABLE_OPTIONS} and not meant(name, own):
            raise OptionError(
                f"learn: there is no option {name!r}{near}; tables have {', '.join(TABLE_OPTIONS)}."
            )
    of_table = {name: options.pop(name) for name in TABLE_OPTIONS if name in options and name not in own}
    chosen = learner(method, **options)
    if of_table:
        _refuse_places(chosen, data, {name: of_table.get(name) for name in ("filter", "sample_rows")})
        data = opened(data, aside=chosen.columns_aside(), **of_table)
    return chosen.fit(data).graph_


def _refuse_places(chosen: "Learner", data: Any, of_rows: Mapping[str, Any]) -> None:
    """Refuse targets that name rows by their places where rows are left out or come in another order."""
    targets = chosen.get_params(deep=False).get("targets")
    if targets is not None and not isinstance(targets, str) and not keeps_places(data, **of_rows):
        raise OptionError(
            "learn(targets=…): rows that are filtered, drawn or fetched from an engine have other places "
            "than in the table. Name a column of the table with what was set, or read the rows first, by "
            "rows = sl.source(…), and say which of these."
        )


def known_method(name: str) -> Method:
    """The method of that name; an unknown one is refused."""
    if not isinstance(name, str):
        maker = name if isinstance(name, type) else type(name)
        hint = f"; fit it: {maker.__name__}(…).fit(data).graph_" if hasattr(maker, "fit") else ""
        raise OptionError(f"A method is given by its name, such as {DEFAULT_METHOD!r}, not {name!r}{hint}.")
    if name not in METHODS:
        if why := NOT_HERE.get(name.lower()):
            raise OptionError(f"There is no method {name!r}: {why}.")
        near, known = meant(name, METHODS), ", ".join(map(repr, CATALOG))
        raise OptionError(f"There is no method {name!r}{near}; choose one of {known}.")
    return METHODS[name]


def learner(method: str, /, **options: Any) -> "Learner":
    """The learner of that name with these options; an unknown name or option is refused."""
    kind = known_method(method).load()
    for name, value in options.items():
        if name not in kind.options:
            raise OptionError(kind.no_option(name, value))
    if lacking := kind.lacking(options):
        raise OptionError(lacking)
    return kind(**options)


def score(
    graph: Graph,
    data: Any,
    score: str | Score = "bic",
    *,
    targets: Targets | None = None,
    missing: Missing = "error",
) -> float:
    """Score a DAG, or the DAGs of a CPDAG: natural logarithm, larger is better.

    Parameters
    ----------
    graph : Graph
        Its nodes are columns of the table.
    data : data frame, array, dict of columns, path or Dataset
        The table.
    score : str or Score, default "bic"
        Which score. That of a CPDAG is the score of each of its DAGs where it is the same for all; where it
        is not, the graph is refused, as it has no one value.
    targets : str, mapping or sequence, optional
        What was set from outside in which rows: the column with its names (several with commas, nothing where
        nothing was) or such cells, or by name the rows, as positions or a mask. A row then says nothing of
        the parents of what was set in it.
    missing : "error", "drop" or "familywise", default "error"
        What to do about missing values: refuse them, leave out every row that has one, or score each family
        on the rows that have all of it, with `score="pnal"`.

    Examples
    --------
    >>> import structlearn as sl
    >>> model = sl.example("asia")
    >>> data = model.sample(1000, random_state=0)
    >>> empty = sl.Graph(model.graph.nodes)
    >>> sl.score(model.graph, data, "bdeu") > sl.score(empty, data, "bdeu")
    True
    """
    check_options("score", {"missing": MISSING_BY_FAMILY}, {"missing": missing})
    source = opened(data, aside={"targets": targets} if isinstance(targets, str) else {})
    statistics = statistics_beside_targets("score", source, graph.nodes, targets=targets, missing=missing)
    found, dag = score_for("score", score, statistics), graph.to_dag()
    refuse_gaps_for("score", found, statistics)
    chosen = with_experiments("score", found, statistics)
    families = FamilyScores(chosen, statistics)
    if not graph.is_dag and not is_equivalent_on(statistics, chosen):
        _refuse_different_members(f"score(score={score!r})", families, graph)
    return families.total([dag.links.parents(node).tolist() for node in range(len(graph))])


def _refuse_different_members(owner: str, families: FamilyScores, graph: Graph) -> None:
    ends = ends_of_class(families, graph.links)
    if ends is None:
        told = "and they are too many to see whether they all score the same by it"
    elif is_better(ends[1], ends[0]):
        told = f"whose scores by it differ, from {ends[0]:.6g} to {ends[1]:.6g}"
    else:
        return
    raise DataError(
        f"{owner}: the graph stands for several DAGs, {told}. Score one DAG, such as graph.to_dag(), or use "
        "another score."
    )


class MethodTable(Mapping[str, Method]):
    """Every method by name; prints as a table."""

    def __getitem__(self, name: str) -> Method:
        return METHODS[name]

    def __iter__(self) -> Iterator[str]:
        return iter(CATALOG)

    def __len__(self) -> int:
        return len(CATALOG)

    def __repr__(self) -> str:
        rows = [("method", "family", "takes", "returns", "paper")]
        rows += [(m.name, m.family, m.input, m.returns, m.paper) for m in CATALOG.values()]
        widths = [max(len(row[c]) for row in rows) for c in range(5)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )


def methods() -> MethodTable:
    """Every method: its name, family, the data it takes, the graph it returns, its paper.

    Examples
    --------
    >>> import structlearn as sl
    >>> sl.methods()["pc"].returns
    'CPDAG'
    """
    return MethodTable()


@overload
def example(name: Literal["asia", "cancer", "earthquake"]) -> "BayesianNetwork": ...


@overload
def example(name: Literal["iris", "wine", "breast_cancer", "diabetes", "linnerud"]) -> Dataset: ...


@overload
def example(name: str) -> "BayesianNetwork | Dataset": ...


def example(name: str) -> "BayesianNetwork | Dataset":
    """A bundled network as a model to sample from, or a bundled table.

    Examples
    --------
    >>> import structlearn as sl
    >>> sl.example("asia").sample(3, random_state=0).n_rows
    3
    """
    if name in NETWORKS:
        with as_file(NETWORKS[name]) as path:
            return load(path)  # type: ignore[return-value]  # the bundled files are models
    if name in TABLES:
        return load_table(name)
    known = [*NETWORKS, *TABLES]
    raise OptionError(f"There is no example {name!r}{meant(name, known)}; there are {', '.join(known)}.")


def load(path: str | Path) -> "Saved":
    """Open a file that `save` wrote, or a network, edges or knowledge in another program's format."""
    from structlearn.formats import load as load_file  # noqa: PLC0415, formats load on first use

    return load_file(path)
