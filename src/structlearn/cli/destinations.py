"""Where results go: checked before the work starts, written whole after it."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from structlearn.errors import DataError, OptionError
from structlearn.naming import no_such

if TYPE_CHECKING:
    from structlearn.data import Dataset
    from structlearn.graphs import Graph
    from structlearn.learners.base import Learner
    from structlearn.statistics import SourceTable

PAGES = (".html", ".htm")
TO_FIT = ("error", "drop", "em")  # ways with gaps by which tables can be fitted, too


def check_outputs(paths: Sequence[Path], report: Path | None, layout: str = "auto") -> None:
    """Refuse a file that could not be written in the end."""
    from structlearn.formats import ENDINGS  # noqa: PLC0415, --help needs none of it
    from structlearn.plots.drawing import LAYOUTS  # noqa: PLC0415, as above

    of_graphs = [ending for ending, form in ENDINGS.items() if form.holds != "knowledge"]
    known = (*of_graphs, *picture_endings())
    for path in paths:
        if not has_ending(path, known):
            hint = " An HTML page is written by --report." if has_ending(path, PAGES) else ""
            raise OptionError(f"--output {path}: the name must end in one of {', '.join(known)}.{hint}")
    if report is not None and not has_ending(report, PAGES):
        raise OptionError(f"--report {report}: the name must end in .html.")
    if layout not in LAYOUTS:
        raise OptionError(no_such("layout", layout, LAYOUTS, owner="--layout"))
    if layout != "auto" and not any(has_ending(path, picture_endings()) for path in paths):
        raise OptionError(f"--layout {layout} is for pictures; ask for one, as with --output graph.svg.")
    for path in [*paths, *([] if report is None else [report])]:
        _check_place(path)


def check_model_file(path: Path | None) -> None:
    """Refuse, before the work, a file that cannot be written, or that has no place for distributions."""
    _check_file(path, model_endings())


def model_endings() -> list[str]:
    """The endings of files that hold distributions."""
    from structlearn.formats import ENDINGS  # noqa: PLC0415, --help needs none of it

    return [
        ending for ending, form in ENDINGS.items() if form.holds == "graphs and models" or form.needs_tables
    ]


def check_rows_file(path: Path | None) -> None:
    """Refuse, before the work, a file of rows that could not be written in the end."""
    from structlearn.data.writers import ENDINGS  # noqa: PLC0415, --help needs none of it

    _check_file(path, ENDINGS)


def _check_file(path: Path | None, endings: Sequence[str]) -> None:
    if path is None:
        return
    if not has_ending(path, endings):
        raise OptionError(f"--output {path}: the name must end in one of {', '.join(endings)}.")
    _check_place(path)


def refuse_overwriting(inputs: Sequence[str | Path | None], outputs: Sequence[Path | None]) -> None:
    """Refuse, before any work, to write over a file that is read, or one result over another."""
    read = {_identity(path) for place in inputs if place is not None for path in _files_at(str(place))}
    written = set()
    for path in outputs:
        if path is None:
            continue
        if _identity(path) in read:
            raise OptionError(f"{path}: this file is read, and would be lost by writing to it. Name another.")
        if _identity(path) in written:
            raise OptionError(f"{path}: two results would be written to this file. Name a file for each.")
        written.add(_identity(path))


def check_certificate(path: Path | None, learner: "Learner") -> None:
    """Refuse, before the search, a certificate of what proves nothing."""
    if path is None:
        return
    if not has_ending(path, (".json",)):
        raise OptionError(f"--certificate {path}: the name must end in .json.")
    _check_place(path)
    if not hasattr(learner, "certificate") or learner.get_params().get("prove") is False:
        raise OptionError(
            f"--certificate {path}: {type(learner).__name__} proves nothing as it is asked. Add --prove to "
            "method boss, or take exact-search, graphical-lasso or pc."
        )


def check_model_outputs(paths: Sequence[Path], dataset: "Dataset | SourceTable", learner: "Learner") -> None:
    """Refuse, before the search, a file of tables, such as BIF, of columns that it cannot hold."""
    from structlearn.data import Dataset  # noqa: PLC0415, --help needs none of it

    aside = set(learner.columns_aside().values())
    continuous = [name for name, kind in dataset.kinds.items() if kind == "continuous" and name not in aside]
    can_fill = isinstance(dataset, Dataset) and learner.missing in TO_FIT
    gapped = [] if can_fill else [name for name in dataset.missing if name not in aside]
    for path in paths:
        form = table_format(path)
        if form and gapped and learner.missing != "error":  # which the search refuses
            raise DataError(
                f"--output {path}: {form} holds tables, which are fitted to rows without gaps, and "
                f"{gapped[0]!r} has some. Leave such rows out with --missing drop, of a table in memory, "
                "or write .json or .graphml."
            )
        if form and continuous:
            raise DataError(
                f"--output {path}: {form} holds discrete columns only, and {continuous[0]!r} is continuous. "
                "Write .json or .graphml, or leave that column out."
            )


def write_output(
    path: Path,
    graph: "Graph",
    dataset: "Dataset | SourceTable | None",
    layout: Any = "auto",
    targets: str | None = None,
    missing: str = "error",
) -> None:
    """Write a graph, a picture of it, or for a format of tables the network fitted to the data.

    A picture shows the confidence of the edges, where it is known.
    """
    from structlearn.formats import save  # noqa: PLC0415, --help needs none of it
    from structlearn.models import BayesianNetwork  # noqa: PLC0415, as above
    from structlearn.plots import plot_graph  # noqa: PLC0415, as above
    from structlearn.plots.drawing import usual_labels  # noqa: PLC0415, as above

    if has_ending(path, picture_endings()):
        plot_graph(graph, path, layout=layout, labels=usual_labels(graph))
    elif table_format(path):
        rows, rows_set = (
            _rows_to_fit(dataset, graph.nodes, targets) if missing == "drop" else (dataset, targets)
        )
        model = BayesianNetwork(graph).fit(
            rows, targets=rows_set, missing="em" if missing == "em" else "error"
        )
        # UAI has no names: its nodes are the columns in their order.
        save(model.numbered() if table_format(path) == "UAI" else model, path)
    else:
        save(graph, path)


def _rows_to_fit(dataset: Any, nodes: Sequence[str], targets: str | None) -> tuple[Any, Any]:
    """The rows that miss no value of a node, and what was set in them."""
    from structlearn.statistics import complete_cases  # noqa: PLC0415, --help needs none of it
    from structlearn.statistics.experiments import rows_and_targets  # noqa: PLC0415, as above

    if targets is None:
        return complete_cases(dataset.select(list(nodes)), "--output"), None
    return rows_and_targets("--output", dataset, targets, nodes=nodes, missing="drop")


def has_ending(path: Path, endings: Sequence[str]) -> bool:
    """Whether the name ends in one of these, in small or capital letters."""
    return path.name.lower().endswith(tuple(endings))


def table_format(path: Path) -> str:
    """The name of the format, if it holds networks of tables and no graph without them."""
    from structlearn.formats import ENDINGS  # noqa: PLC0415, --help needs none of it

    names = (
        form.name for ending, form in ENDINGS.items() if form.needs_tables and has_ending(path, [ending])
    )
    return next(names, "")


def picture_endings() -> tuple[str, ...]:
    """The endings of pictures."""
    from structlearn.plots.destination import ENDINGS  # noqa: PLC0415, --help needs none of it

    return tuple(f".{ending}" for ending in ENDINGS)


def _files_at(place: str) -> list[Path]:
    """The files that a path, a folder or a pattern means."""
    from structlearn.statistics.engines.files import matching  # noqa: PLC0415, --help needs none of it

    path = Path(place).expanduser()
    if path.is_dir():
        return [each for each in path.iterdir() if each.is_file()]
    return matching(path)


def _identity(path: Path) -> object:
    """What two names of one file have in common, through links too."""
    try:
        found = path.stat()
    except OSError:  # there is none yet
        return os.path.realpath(path)
    return found.st_dev, found.st_ino


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise OptionError(f"{path} is a folder; name a file in it.")
    if not path.parent.is_dir():
        raise OptionError(f"{path}: there is no folder {path.parent}; make it first.")
    if not os.access(path.parent, os.W_OK):
        raise OptionError(f"{path}: the folder {path.parent} cannot be written to.")
