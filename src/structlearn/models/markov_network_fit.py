"""The tables or the weights of a Markov network from data."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from structlearn.errors import DataError, OptionError
from structlearn.graphs.names import counted
from structlearn.models.factors import HIGHEST_LOG
from structlearn.models.factors_fit import MATCHED, closed_form, proportional_fit
from structlearn.models.factors_layout import Floats, Integers, Layout
from structlearn.models.log_linear_fit import (
    LARGEST,
    ExactObjective,
    LinearTables,
    Objective,
    PseudoObjective,
    best_weights,
)
from structlearn.models.markov_network_content import Content
from structlearn.numerics.junction_tree import TooWideError
from structlearn.statistics import Statistics, rows_of

Goal = Literal["exact", "pseudo"]
SETTLED: dict[Goal, float] = {"exact": 1e-8, "pseudo": 1e-6}  # the largest slope at an optimum, per row


class WideForSmoothingError(OptionError):
    """Pseudo-rows were asked for where the graph is too wide for them; a ridge would do."""


@dataclass(frozen=True)
class FitOptions:
    """What to maximise (None: by the tree-width), pseudo-rows, and the price of squared weights."""

    objective: Goal | None
    smoothing: float
    ridge: float


@dataclass(frozen=True)
class Fit:
    """What was found, tables or the weights in the first one; how, and whether some probabilities are 0."""

    found: list[Floats]
    objective: Goal
    status: str
    boundary: bool = False


def fit_tables(layout: Layout, statistics: Statistics, options: FitOptions) -> Fit:
    """The tables of all scopes that make the rows most likely."""
    if options.objective == "pseudo":
        return _pseudo_tables(layout, statistics, options, "as asked for")
    try:
        return _exact_tables(layout, statistics, options)
    except TooWideError as error:
        if options.objective == "exact":
            raise DataError(f"fit(objective='exact'): {error}. Use objective='pseudo'.") from None
        return _pseudo_tables(layout, statistics, options, f"because {error}")


def fit_weights(content: Content, statistics: Statistics, options: FitOptions) -> Fit:
    """The weights of the features that make the rows most likely; the factors stay as they are."""
    layout, known = content.layout, content.base.logs
    base = np.concatenate([known, np.zeros(layout.n_cells - len(known))])
    tables = LinearTables.of_features(layout, base, content.places)
    shares = _shares(layout, statistics, options.smoothing)
    if (shares[np.isneginf(base)] > 0.0).any():
        raise DataError("fit: some rows are impossible by the zeros of the factors. Look at those.")
    objective, goal, why = _objective(tables, shares, statistics, options)
    weights, slope = best_weights(objective, ridge=_ridge_per_row(statistics, options))
    _refuse_infinite(weights, content)
    return Fit([weights], goal, f"{_NAMES[goal]}{why}; {_slope_in_words(slope, goal)}.")


_NAMES: dict[Goal, str] = {"exact": "The largest likelihood", "pseudo": "The largest pseudo-likelihood"}


def _objective(
    tables: LinearTables, shares: Floats, statistics: Statistics, options: FitOptions
) -> tuple[Objective, Goal, str]:
    why = ", as asked for"
    if options.objective != "pseudo":
        try:
            _ = tables.layout.tree
            return ExactObjective(tables, shares), "exact", ""
        except TooWideError as error:
            if options.objective == "exact":
                raise DataError(f"fit(objective='exact'): {error}. Use objective='pseudo'.") from None
            why = f", because {error}"
    _refuse_smoothing(options)
    return PseudoObjective(tables, *_distinct_rows(statistics)), "pseudo", why


def _exact_tables(layout: Layout, statistics: Statistics, options: FitOptions) -> Fit:
    cells = _shares(layout, statistics, options.smoothing)
    shares = layout.tables(cells)
    if options.ridge > 0.0:
        tables = LinearTables.of_cells(layout, np.zeros(layout.n_cells))
        weights, slope = best_weights(
            ExactObjective(tables, cells), ridge=_ridge_per_row(statistics, options)
        )
        status = f"The largest likelihood less the ridge; {_slope_in_words(slope, 'exact')}."
        return Fit(layout.tables(np.exp(weights)), "exact", status)
    boundary = bool((cells == 0.0).any())
    known = closed_form(layout, shares)
    if known is not None:
        return Fit(known, "exact", "The closed form of a decomposable graph." + _ends(boundary), boundary)
    found = proportional_fit(layout, shares)
    begin = f"{counted(found.n_sweeps, 'sweep')} of iterative proportional fitting"
    if found.distance < MATCHED:
        status = f"{begin}: shares match to {found.distance:.0e}.{_ends(boundary)}"
        return Fit(found.tables, "exact", status, boundary)
    status = (
        f"{begin}: shares are still {found.distance:.0e} off. The likelihood has no maximum, or it is far "
        "away; smoothing above 0 gives it one."
    )
    return Fit(found.tables, "exact", status, boundary=True)


def _pseudo_tables(layout: Layout, statistics: Statistics, options: FitOptions, why: str) -> Fit:
    _refuse_smoothing(options)
    cells = _shares(layout, statistics, 0.0)
    # Without a ridge the best logarithm of what never occurs is -inf.
    base = np.where((cells == 0.0) & (options.ridge == 0.0), -np.inf, 0.0)
    tables = LinearTables.of_cells(layout, base)
    objective = PseudoObjective(tables, *_distinct_rows(statistics))
    weights, slope = best_weights(objective, ridge=_ridge_per_row(statistics, options))
    if np.abs(weights).max(initial=0.0) > HIGHEST_LOG:
        raise DataError(
            "fit: the pseudo-likelihood of this graph has no maximum: the rows leave no doubt about a node "
            "given its neighbours, and the tables grow without limit. Give a ridge above 0, say ridge=1, or "
            "smoothing where there is no ridge to give."
        )
    boundary = bool(np.isneginf(base).any() or np.abs(weights).max(initial=0.0) > LARGEST)
    status = f"The largest pseudo-likelihood, {why}; {_slope_in_words(slope, 'pseudo')}.{_ends(boundary)}"
    return Fit(layout.tables(np.exp(tables.logs(weights))), "pseudo", status, boundary)


def _refuse_infinite(weights: Floats, content: Content) -> None:
    if np.abs(weights).max(initial=0.0) <= LARGEST:
        return
    worst = content.features[int(np.abs(weights).argmax())]
    raise DataError(
        f"fit: the weight of {worst.states!r} grows without limit: the rows leave no doubt about it. Give a "
        "ridge or a smoothing above 0, say smoothing=1, or drop that feature."
    )


def _shares(layout: Layout, statistics: Statistics, smoothing: float) -> Floats:
    """The share of the rows in each cell of each table, with pseudo-rows that are spread evenly."""
    size = statistics.size + smoothing
    shares = np.empty(layout.n_cells)
    for table, scope in zip(layout.tables(shares), layout.scopes, strict=True):
        table[...] = (statistics.counts(scope) + smoothing / table.size) / size
    return shares


def _ridge_per_row(statistics: Statistics, options: FitOptions) -> float:
    """The price of half a squared weight beside the mean over all rows, pseudo-rows among them."""
    return 2.0 * options.ridge / (statistics.size + options.smoothing)


def _distinct_rows(statistics: Statistics) -> tuple[Integers, Floats]:
    rows = rows_of("A Markov network", statistics, range(len(statistics.names)))
    codes, place = np.unique(rows.values.astype(np.int64), axis=0, return_inverse=True)
    sizes = np.bincount(place.ravel(), rows.weights).astype(np.float64)
    return codes[sizes > 0.0], sizes[sizes > 0.0] / sizes.sum()


def _refuse_smoothing(options: FitOptions) -> None:
    if options.smoothing > 0.0:
        raise WideForSmoothingError(
            f"fit(smoothing={options.smoothing:g}): the pseudo-likelihood counts rows, and pseudo-rows of "
            "every joint state are too many. Use ridge instead."
        )


def _slope_in_words(slope: float, goal: Goal) -> str:
    words = "slopes are below" if slope <= SETTLED[goal] else "it was not reached: slopes are still up to"
    return f"{words} {max(slope, 1e-16):.0e}"


def _ends(boundary: bool) -> str:
    return " Some states of the factors never occur, and are impossible." if boundary else ""
