"""Forward validation: methods in time learn from what came first, and are measured on what came after it."""

import math
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Kind
from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.graphs.lags import lagged_name
from structlearn.learners.ensemble.consensus import as_dag
from structlearn.learners.time.learner import TimeLearner
from structlearn.learners.time.options import AS_PREPARED
from structlearn.models import BayesianNetwork
from structlearn.models.alignment import aligned_rows
from structlearn.statistics import complete_cases, rows_of, statistics_of
from structlearn.statistics.lagged import LaggedTable, checked_lags, lagged_table
from structlearn.statistics.time_courses import times_of
from structlearn.statistics.units import refuse_other_units

OWNER = "cross_validate"
NOW = lagged_name("", 0)


@dataclass(frozen=True, eq=False)
class FoldInTime:
    """What is learned from, as a long table and as lagged rows, and the lagged rows that come after it.

    `rows` are the positions of the latter in the table that was given.
    """

    training: Dataset
    before: Dataset
    after: Dataset
    rows: NDArray[np.int64]


def folds_in_time(learners: Mapping[str, Any], data: Dataset, cv: int) -> list[FoldInTime]:
    """Parts of equal numbers of rows, each learned from all before it; lags of what is held out are in it."""
    one, most = _alike(learners.values()), max(map(_furthest, learners.values()))
    drops = all(getattr(each, "missing", "") == "drop" for each in learners.values())
    numbered = _numbered(data)
    known = complete_cases(numbered, OWNER) if drops and one.time is not None else numbered
    only: Kind | None = (
        "continuous" if any(getattr(each, "only", None) for each in learners.values()) else None
    )
    dataset, table, rows = _lagged(one, known, most, only)
    at, moment = table.at, _moments(table, one.time)
    cuts = [part[0] for part in np.array_split(np.sort(moment), cv + 1)[1:]]
    folds = []
    for begin, end in zip(cuts, [*cuts[1:], np.inf], strict=True):
        is_after = (moment[at[:, -1]] >= begin) & (moment[at[:, 0]] < end)
        is_before = moment[at[:, 0]] < begin
        if not is_after.any() or not is_before.any():
            raise OptionError(
                f"{OWNER}(cv={cv}): no row of some part has its {most} lags within it. Use fewer folds."
            )
        if one.trend or one.season is not None:  # the trend of what is held out is not known before it
            dataset, table, _ = _lagged(one, known, most, only, until=float(begin))
        folds.append(
            FoldInTime(
                dataset.take(moment < begin),
                table.dataset.take(is_before),
                table.dataset.take(is_after),
                rows[at[is_after, 0]],
            )
        )
    return folds


def _lagged(
    one: TimeLearner, data: Dataset, most: int, only: Kind | None, *, until: float = math.inf
) -> tuple[Dataset, LaggedTable, NDArray[np.int64]]:
    """The long table as a method wants it, its lagged one, and which rows the former had for its own."""
    prepared, when = one.prepared(OWNER, data, until=until), one.when()
    *columns, rows = prepared.columns
    dataset = prepared.select([column.name for column in columns])
    aside = [name for name in when.values() if isinstance(name, str)]
    nodes = sorted(set(dataset.names) - set(aside))
    statistics = statistics_of(dataset, [*nodes, *aside], aside=aside, owner=OWNER, only=only)
    refuse_other_units(OWNER, statistics, "errors are in the units of the table")
    assert isinstance(rows, DiscreteColumn)  # noqa: S101, it was made as one
    return dataset, lagged_table(OWNER, statistics, checked_lags(most), **when), rows.codes.astype(np.int64)


def _numbered(data: Dataset) -> Dataset:
    """The table with the number of each row behind its columns: preparing it leaves rows out."""
    name = "row" + "'" * max((len(name) for name in data.names), default=0)  # longer than any other
    labels = tuple(f"row {i}" for i in range(data.n_rows))  # words, since numbers might become measurements
    numbers = DiscreteColumn(name, np.arange(data.n_rows, dtype=np.uint32), labels)
    return Dataset.from_columns(
        [*data.columns, numbers], weights=data.weights, inferred=data.inferred, rows=data.rows
    )


def model_in_time(learner: TimeLearner | Graph, fold: FoldInTime, smoothing: float) -> BayesianNetwork:
    """What a method, or a graph of lags, makes of the rows before a fold."""
    graph = learner if isinstance(learner, Graph) else _learned(learner, fold.training)
    return BayesianNetwork(as_dag(graph)).fit(fold.before.select(graph.nodes), smoothing=smoothing)


def likelihood_of_present(model: BayesianNetwork, fold: FoldInTime) -> float:
    """The mean log-likelihood of what is now, given what was."""
    cpds, columns = model.cpds, {column.name: column for column in fold.after.columns}
    rows = {node: aligned_rows(columns[node], cpd.labels) for node, cpd in cpds.items()}
    logs = [
        cpd.log_probability(rows[node], [rows[parent] for parent in cpd.parents])
        for node, cpd in cpds.items()
        if node.endswith(NOW)
    ]
    return float(np.sum(logs, axis=0).mean())


def now(target: str) -> str:
    """The node of a column in the present."""
    return f"{target}{NOW}"


def past_of(model: BayesianNetwork, rows: Dataset) -> Dataset:
    """The columns of what was, as far as the model looks back."""
    return rows.select([node for node in model.nodes if not node.endswith(NOW)])


def _moments(table: LaggedTable, time: str | None) -> NDArray[np.float64]:
    """When each row of the long table was; without times, which step of its series it is."""
    values = rows_of(OWNER, table.long, range(len(table.long.names))).values
    times = times_of(OWNER, table.long, values, time)
    if times is not None:
        return times
    found = np.empty(len(values))
    found[table.steps.order] = table.steps.index
    return found


def _learned(learner: TimeLearner, training: Dataset) -> Graph:
    return deepcopy(learner).set_params(**AS_PREPARED).fit(training).graph_


def _alike(learners: Iterable[Any]) -> TimeLearner:
    """One of the methods in time, which all have to speak of the same rows."""
    found = [each for each in learners if isinstance(each, TimeLearner)]
    rows = [(each.when(), each.preparation()) for each in found]
    if any(each != rows[0] for each in rows):
        raise OptionError(
            f"{OWNER}: methods in time have to name the same time, series, step and mask, and all to "
            "resample or difference, or none; so with trend and season."
        )
    return found[0]


def _furthest(learner: Any) -> int:
    """The furthest lag that a model of it may have."""
    if isinstance(learner, TimeLearner):
        return learner.furthest()
    lags = [facts.get("lag") for facts in learner.facts.values()] if isinstance(learner, Graph) else []
    if not lags or None in lags:
        raise OptionError(
            f"{OWNER}: methods in time are tried beside each other, and beside graphs whose nodes have lags. "
            "Others take rows for samples; try them by themselves."
        )
    return int(max(lags))
