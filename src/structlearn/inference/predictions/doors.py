"""Which engine predicts what, and the checks in front of it."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Column, ContinuousColumn, Dataset, DiscreteColumn
from structlearn.errors import DataError
from structlearn.inference.gaussian import LinearNetwork
from structlearn.inference.parts import parts_of
from structlearn.inference.predictions.blankets import (
    is_linear_around,
    knows_blanket,
    means_by_blanket,
    shares_by_blanket,
)
from structlearn.inference.predictions.chains import filled_by_chains
from structlearn.inference.predictions.known_rows import KnownRows, by_pattern
from structlearn.inference.predictions.mixed_rows import (
    filled_one_by_one,
    means_one_by_one,
    shares_one_by_one,
)
from structlearn.inference.predictions.normals import RowNormals
from structlearn.inference.predictions.tables import filled_codes, posterior_shares
from structlearn.inference.predictions.tree_rows import tree_shares
from structlearn.inference.regressions import regression_of
from structlearn.models import BayesianNetwork, LinearGaussianCPD
from structlearn.models.cpds import Rows
from structlearn.naming import as_names, no_such
from structlearn.options import OneOf, Rules, check_options
from structlearn.options.seeds import generator_of

Floats = NDArray[np.float64]
How = Literal["most probable", "drawn"]
RULES: Rules = {"how": OneOf(("most probable", "drawn"), "what a gap is filled with")}
MANY_PATTERNS = 40  # of gaps, from which one tree for all rows is quicker than an order for each pattern


def predicted(model: Any, data: Any, names: str | Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """The most probable state, or the mean, of nodes in each row, given all that is known of others in it."""
    wanted = _named("predict", model, model.nodes if names is None else names)
    labels, rows = getattr(model, "labels", {}), _known_rows("predict", model, data, wanted)
    joint = _joint(model)
    found: dict[str, NDArray[Any]] = {}
    for name in wanted:
        if joint is not None:
            found[name] = joint.means(rows.numbers(), rows.unknown, rows.nodes.index(name))
        elif name in labels:
            codes = _shares("predict", model, rows, name).argmax(axis=1)
            found[name] = DiscreteColumn(name, codes, labels[name]).decoded()
        else:
            found[name] = _means(model, rows, name)
    return found


def predicted_shares(model: Any, data: Any, names: str | Iterable[str] | None = None) -> dict[str, Floats]:
    """The probability of each state of discrete nodes in each row, given what is known of others in it."""
    labels = getattr(model, "labels", {})
    wanted = _named("predict_proba", model, list(labels) if names is None else names)
    for name in wanted:
        if name not in labels:
            raise DataError(f"predict_proba: {name!r} is continuous; predict gives its mean.")
    rows = _known_rows("predict_proba", model, data, wanted)
    return {name: _shares("predict_proba", model, rows, name) for name in wanted}


def imputed(
    model: Any,
    data: Any,
    *,
    how: How = "most probable",
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """The data with every gap filled; nodes without a column get one, other columns stay as they are."""
    check_options("impute", RULES, {"how": how})
    rows = KnownRows.of("impute", model, data)
    filled = _filled(model, rows, generator_of("impute", random_state), drawn=how == "drawn")
    labels = getattr(model, "labels", {})
    kept = [_filled_column(column, filled, labels) for column in rows.dataset.columns]
    more = [_column(node, filled[node], labels) for node in rows.nodes if node not in rows.dataset.names]
    return Dataset.from_columns([*kept, *more], weights=rows.dataset.weights, inferred=rows.dataset.inferred)


def _named(owner: str, model: Any, names: str | Iterable[str]) -> tuple[str, ...]:
    wanted = as_names(names)
    for name in wanted:
        if name not in model.nodes:
            raise DataError(no_such("node", name, model.nodes, owner=owner))
    return wanted


def _known_rows(owner: str, model: Any, data: Any, wanted: tuple[str, ...]) -> KnownRows:
    """Rows to predict from: where one node is wanted its own column is not looked at, of several each is."""
    return KnownRows.of(owner, model, data, unused=frozenset(wanted if len(set(wanted)) == 1 else ()))


def _shares(owner: str, model: Any, rows: KnownRows, name: str) -> Floats:
    parts = parts_of(model)
    if not parts.is_tabular:
        known = knows_blanket(model, rows, name)
        shares = np.empty((rows.n_rows, len(parts.labels[name])))
        at = np.flatnonzero(known)
        shares[at] = shares_by_blanket(owner, model, rows, at, name)
        shares[~known] = shares_one_by_one(model, rows, np.flatnonzero(~known), name)
        return shares
    codes = rows.codes()
    if sum(1 for _ in by_pattern(rows.unknown)) > MANY_PATTERNS:
        shares_along = tree_shares(owner, parts, codes, parts.index[name])
        if shares_along is not None:
            return shares_along
    return posterior_shares(owner, parts, codes, parts.index[name])


def _means(model: Any, rows: KnownRows, name: str) -> Floats:
    known = knows_blanket(model, rows, name) & is_linear_around(model, name)
    means = np.empty(rows.n_rows)
    at = np.flatnonzero(known)
    if len(at):
        means[at] = means_by_blanket(model, rows, at, name)
    means[~known] = means_one_by_one(model, rows, np.flatnonzero(~known), name)
    return means


def _filled(model: Any, rows: KnownRows, rng: np.random.Generator, *, drawn: bool) -> dict[str, Rows]:
    if hasattr(model, "conditionals"):
        return filled_by_chains(model, rows, rng, drawn=drawn)
    joint = _joint(model)
    if joint is not None:
        numbers = joint.filled(rows.numbers(), rows.unknown, rng if drawn else None)
        return dict(zip(rows.nodes, numbers.T, strict=True))
    parts = parts_of(model)
    if parts.is_tabular:
        codes = filled_codes("impute", parts, rows.codes(), rng if drawn else None)
        return dict(zip(rows.nodes, codes.T, strict=True))
    return filled_one_by_one(model, rows, rng, drawn=drawn)


def _joint(model: Any) -> RowNormals | None:
    """The one normal distribution of all nodes, where there is such."""
    if not isinstance(model, BayesianNetwork):
        if not hasattr(model, "precision"):
            return None
        field = LinearNetwork.of_precision(model.nodes, model.mean, model.precision)
        return RowNormals.of(field, model.nodes)
    cpds = model.cpds
    if not all(isinstance(cpd, LinearGaussianCPD) for cpd in cpds.values()):
        return None
    regressions = {
        name: regression_of(name, cpds[name], {}, {}, 1) for name in model.graph.topological_order()
    }
    return RowNormals.of(LinearNetwork.of(regressions, 1), model.nodes)


def _filled_column(column: Column, filled: dict[str, Rows], labels: Any) -> Column:
    if column.name not in filled or column.missing is None:
        return column
    return _column(column.name, filled[column.name], labels)


def _column(name: str, values: Rows, labels: Any) -> Column:
    if name not in labels:
        return ContinuousColumn(name, np.asarray(values, dtype=np.float64))
    codes = np.asarray(values).astype(np.min_scalar_type(max(len(labels[name]) - 1, 1)))
    return DiscreteColumn(name, codes, labels[name])
