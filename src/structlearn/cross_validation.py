"""How well methods do on rows that they did not see."""

import math
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.api import learner as learner_called
from structlearn.data import Dataset
from structlearn.data.aside import setting_aside
from structlearn.errors import DataError, OptionError
from structlearn.forward_validation import (
    OWNER,
    folds_in_time,
    likelihood_of_present,
    model_in_time,
    now,
    past_of,
)
from structlearn.graphs import Graph
from structlearn.inference import log_evidence
from structlearn.inference.predictions.known_rows import KnownRows
from structlearn.inference.rows_acted_upon import Part, RowsActedUpon
from structlearn.learners.base import Learner
from structlearn.learners.time.learner import TimeLearner
from structlearn.models import BayesianNetwork
from structlearn.models.of_graphs import is_directed, model_of
from structlearn.naming import no_such
from structlearn.options import Between, Rules, Whole, check_options
from structlearn.options.seeds import generator_of
from structlearn.shown import Listed, Listing
from structlearn.statistics.experiments import rows_and_targets
from structlearn.statistics.missing import complete_cases
from structlearn.statistics.weightless import have_weight, total_weight

Floats = NDArray[np.float64]
RULES: Rules = {
    "cv": Whole(2, "the number of parts that the rows are split into"),
    "smoothing": Between(0, 1e12, "the number of pseudo-rows spread over each table"),
}
MOST_FOLDS_SHOWN = 6  # in a table that fits a line


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Listed):
    """Measures on held-out rows, by learner and measure an array with a number per fold.

    `folds` has the positions of the rows that were held out, the same ones for all learners. Printed, it is a
    table with the mean over the folds, its standard error and, below the first learner, the paired difference
    from that.
    """

    measures: Mapping[str, Mapping[str, Floats]]
    folds: tuple[NDArray[np.int64], ...]

    def mean(self, learner: str, measure: str) -> float:
        """The mean over the folds."""
        return float(self.measures[learner][measure].mean())

    def standard_error(self, learner: str, measure: str) -> float:
        """The standard error of the mean, as if folds were independent; rather too small."""
        return _standard_error(self.measures[learner][measure])

    def difference(self, learner: str, other: str, measure: str) -> tuple[float, float]:
        """By how much one learner's measure is above another's on the same folds, and its standard error."""
        apart = self.measures[learner][measure] - self.measures[other][measure]
        return float(apart.mean()), _standard_error(apart)

    def listing(self) -> Listing:
        """A row for each learner and measure."""
        first = next(iter(self.measures))
        shown = (
            [f"fold {k + 1}" for k in range(len(self.folds))] if len(self.folds) <= MOST_FOLDS_SHOWN else []
        )
        apart = [f"above {first}"] if len(self.measures) > 1 else []
        measures = dict.fromkeys(measure for found in self.measures.values() for measure in found)
        rows = [
            [
                name,
                measure,
                *(f"{value:.4f}" for value in values[: len(shown)]),
                f"{values.mean():.4f} ± {_standard_error(values):.4f}",
                *(self._beside(name, first, measure) for _ in apart),
            ]
            for measure in measures
            for name, values in ((name, found.get(measure)) for name, found in self.measures.items())
            if values is not None
        ]
        return Listing.of(["learner", "measure", *shown, "mean ± error", *apart], rows, n_left=2)

    def __repr__(self) -> str:
        return f"<CrossValidation: {len(self.folds)} folds>\n{self}"

    def _beside(self, name: str, first: str, measure: str) -> str:
        if name == first or measure not in self.measures[first]:
            return ""
        apart, error = self.difference(name, first, measure)
        return f"{apart:+.4f} ± {error:.4f}"


def cross_validate(
    learner: Any,
    data: Any,
    *,
    cv: int = 5,
    target: str | None = None,
    smoothing: float = 1.0,
    random_state: int | np.random.Generator | None = 0,
) -> CrossValidation:
    """Learn from all folds but one, fit a model to the graph, and measure it on the rows held out.

    Parameters
    ----------
    learner : Learner, str or Graph, or a list or dict of them
        What to try. A name is that of a method with its usual options; of a graph only the distributions are
        estimated. Several see the same folds. What one says of `targets` holds for the rows of all: in
        training a row says nothing of the distribution of what was set in it, and a row held out is judged
        by its other columns, given what was set.
    data : anything `Dataset` takes
        The rows. They may have gaps where learners say what to do about those (`missing="drop"` or "em"): the
        rows held out are judged by the values that they have.
    cv : int, default 5
        How many folds; rows are shuffled first. Methods in time go forward: of one part more, each but the
        first is held out from what learns from all before it. Rows held out have their lags in their part.
    target : str, optional
        A column that is predicted from all others in the held-out rows; by methods in time from the past.
    smoothing : float, default 1.0
        Pseudo-rows for each table; the ridge where lines are too many for them. States are those of the whole
        table: with 0 a row with one that the training rows lack has the log-likelihood -inf.
    random_state : int, Generator or None, default 0
        The seed of the shuffle.

    Returns
    -------
    CrossValidation
        The "log-likelihood" of a held-out row, in nats, in time that given its past (of a dependency network,
        or where the lines of some fold are too many, the "pseudo-log-likelihood"); with a target the share of
        rows that are predicted "wrong" and the "log loss", or the "squared error" of a continuous one.

    Examples
    --------
    >>> import structlearn as sl
    >>> data = sl.example("asia").sample(500, random_state=0)
    >>> found = sl.cross_validate({"tree": "chow-liu", "nothing": sl.Graph(data.names)}, data, target="lung")
    >>> found.mean("tree", "log-likelihood") > found.mean("nothing", "log-likelihood")
    True
    """
    check_options("cross_validate", RULES, {"cv": cv, "smoothing": smoothing})
    named = {name: _called(each) for name, each in _named(learner).items()}
    in_time = [each for each in named.values() if isinstance(each, TimeLearner)]
    targets = [said for each in named.values() if (said := _targets_of(each)) is not None]
    dataset = _opened(data, _aside(in_time or named.values()), cv, target)
    if in_time:
        return _forward(named, dataset, cv, target, smoothing)
    rows = RowsActedUpon.of(OWNER, dataset, targets).that_count()
    shuffled = generator_of(OWNER, random_state).permutation(rows.table.n_rows)
    folds = tuple(np.sort(part) for part in np.array_split(shuffled, cv))
    measured = {name: _measured(each, rows, folds, target, smoothing) for name, each in named.items()}
    places = np.flatnonzero(have_weight(dataset))
    return CrossValidation(measured, tuple(places[held_out] for held_out in folds))


def _aside(learners: Iterable[Any]) -> dict[str, str]:
    """The columns that are no nodes, by what they say of a row."""
    found: dict[str, str] = {}
    for learner in learners:
        found |= learner.columns_aside() if isinstance(learner, Learner) else {}
    return found


def _targets_of(learner: Any) -> Any:
    """What a learner, or that within it, says of rows in which something was set."""
    if not isinstance(learner, Learner):
        return None
    return learner.columns_aside().get("targets") or learner.get_params(deep=False).get("targets")


def _opened(data: Any, aside: Mapping[str, str], cv: int, target: str | None) -> Dataset:
    with setting_aside(aside):
        dataset = Dataset(data)
    if target in aside.values():
        said = "what was set in rows" if target == aside.get("targets") else "when rows were"
        raise OptionError(f"cross_validate(target={target!r}): it says {said}, and is not predicted.")
    if target is not None and target not in dataset.names:
        raise OptionError(no_such("column", target, dataset.names, owner="cross_validate(target=…)"))
    n_rows = int(have_weight(dataset).sum())
    if cv > n_rows:
        raise OptionError(f"cross_validate(cv={cv}): there are {n_rows:,} rows; each fold needs one.")
    return dataset


def _called(learner: Any) -> Any:
    return learner_called(learner) if isinstance(learner, str) else learner


def _named(learner: Any) -> dict[str, Any]:
    """What to try, by name."""
    if isinstance(learner, Mapping):
        return dict(learner)
    several = (
        list(learner) if isinstance(learner, Iterable) and not isinstance(learner, str | Graph) else [learner]
    )
    found: dict[str, Any] = {}
    for each in several:
        name = each if isinstance(each, str) else type(each).__name__
        number = sum(1 for known in found if known == name or known.startswith(f"{name} ("))
        found[name if not number else f"{name} ({number + 1})"] = each
    if not found:
        raise OptionError("cross_validate: give at least one learner.")
    return found


def _measured(
    learner: Any,
    rows: RowsActedUpon,
    folds: Iterable[NDArray[np.int64]],
    target: str | None,
    smoothing: float,
) -> dict[str, Floats]:
    judged, losses = [], []
    for held_out in folds:
        is_held_out = np.isin(np.arange(rows.table.n_rows), held_out)
        model = _model(learner, rows.take(~is_held_out), smoothing)
        if rows.rows_set and not isinstance(model, BayesianNetwork):
            raise DataError(
                f"cross_validate: a {type(model).__name__} does not say what follows from setting a column. "
                "With targets, use methods and graphs that stand for a DAG."
            )
        kept = rows.take(held_out)
        judged.append(list(kept.parts(OWNER, model)))
        if target is not None:
            asked = _to_predict(kept, target).parts(OWNER, model)
            losses.append(_mean([(part, _loss(*part, target)) for part in asked]))
    found = [_likelihoods(judged), *([losses] if losses else [])]
    return {
        measure: np.array([fold[measure] for fold in by_fold]) for by_fold in found for measure in by_fold[0]
    }


def _likelihoods(folds: list[list[Part]]) -> list[dict[str, float]]:
    """The log-likelihood of a row in each fold; in all the pseudo-log-likelihood where one has no other."""
    try:
        return [_mean([(part, _likelihood(*part)) for part in parts]) for parts in folds]
    except DataError:
        all_parts = [part for parts in folds for part in parts]
        if any(rows.missing or not hasattr(model, "pseudo_log_likelihood") for model, rows in all_parts):
            raise
    return [_mean([(part, _pseudo_likelihood(*part)) for part in parts]) for parts in folds]


def _mean(of_parts: list[tuple[Part, dict[str, float]]]) -> dict[str, float]:
    """The measures of all rows, from the means over parts of them."""
    sizes = [total_weight(rows) for (_, rows), _ in of_parts]
    return {
        measure: float(np.average([found[measure] for _, found in of_parts], weights=sizes))
        for measure in of_parts[0][1]
    }


def _forward(
    learners: Mapping[str, Any], dataset: Dataset, cv: int, target: str | None, smoothing: float
) -> CrossValidation:
    """Methods in time on what came after the rows that they learned from."""
    folds = folds_in_time(learners, dataset, cv)
    measures: dict[str, dict[str, Floats]] = {}
    for name, each in learners.items():
        by_fold = []
        for fold in folds:
            model = model_in_time(each, fold, smoothing)
            found = {"log-likelihood": likelihood_of_present(model, fold)}
            if target is not None:
                found |= _loss(model, fold.after, now(target), past_of(model, fold.after))
            by_fold.append(found)
        measures[name] = {measure: np.array([fold[measure] for fold in by_fold]) for measure in by_fold[0]}
    return CrossValidation(measures, tuple(fold.rows for fold in folds))


def _model(learner: Any, training: RowsActedUpon, smoothing: float) -> Any:
    if isinstance(learner, Graph):
        advice = "Give learners with missing='drop' or missing='em' in place of graphs, or fill the gaps in."
        training.nodes.complete("cross_validate", advice=advice)
        return _fitted(learner, training, smoothing)
    chosen = deepcopy(learner)
    if not isinstance(chosen, Learner):
        raise OptionError(f"cross_validate takes learners, names of methods and graphs, not {learner!r}.")
    targets = _targets_of(chosen)
    if targets is not None and not isinstance(targets, str):
        chosen.set_params(targets=training.rows_set)
    fitted = chosen.fit(training.table if isinstance(targets, str) else training.nodes)
    own = getattr(fitted, "model_", None)
    if own is not None:
        return own
    if training.nodes.missing and chosen.missing == "em":
        return BayesianNetwork(fitted.graph_).fit(training.nodes, smoothing=smoothing, missing="em")
    return _fitted(fitted.graph_, training, smoothing)


def _fitted(graph: Graph, training: RowsActedUpon, smoothing: float) -> Any:
    """The model of a graph, each distribution from the complete rows in which its node was not set."""
    rows = complete_cases(training.nodes, "cross_validate")
    if not training.rows_set or not is_directed(graph):
        return model_of(graph, rows, smoothing=smoothing)
    rows, targets = rows_and_targets(OWNER, training.nodes, training.rows_set, missing="drop")
    return BayesianNetwork(graph).fit(rows, smoothing=smoothing, targets=targets)


def _likelihood(model: Any, rows: Dataset) -> dict[str, float]:
    if rows.missing:
        return {"log-likelihood": float(np.average(_of_known(model, rows), weights=rows.weights))}
    return {"log-likelihood": model.log_likelihood(rows) / total_weight(rows)}


def _pseudo_likelihood(model: Any, rows: Dataset) -> dict[str, float]:
    return {"pseudo-log-likelihood": model.pseudo_log_likelihood(rows) / total_weight(rows)}


def _of_known(model: Any, rows: Dataset) -> list[float]:
    """The log-likelihood of what is known in each row."""
    known, labels = KnownRows.of("cross_validate", model, rows), getattr(model, "labels", {})
    try:
        return [log_evidence(model, known.evidence(row, labels)) for row in range(rows.n_rows)]
    except (AttributeError, DataError):
        raise DataError(
            f"cross_validate: a {type(model).__name__} of these columns cannot judge rows with gaps. Leave "
            "those rows out, or fill the gaps in, first."
        ) from None


def _to_predict(rows: RowsActedUpon, target: str) -> RowsActedUpon:
    """The rows that have a value of a column that was not set in them."""
    missing = rows.table.column(target).missing
    is_left = ~rows.rows_set.get(target, np.zeros(rows.table.n_rows, dtype=np.bool_))
    if missing is not None:
        is_left &= ~missing
    if not is_left.any():
        raise DataError(
            f"cross_validate: no row of some fold has a value of {target!r} that was not set. Use fewer "
            "folds."
        )
    return rows.take(is_left)


def _loss(model: Any, rows: Dataset, target: str, known: Dataset | None = None) -> dict[str, float]:
    """How far predictions of a column from the others, or what is known, are off, by case weight."""
    known = rows if known is None else known
    truth, found = rows.to_dict()[target], model.predict(known, [target])[target]
    if target not in getattr(model, "labels", {}):  # whole numbers are measurements for some models
        truth = truth.astype(np.float64)
        return {"squared error": float(np.average((truth - found) ** 2, weights=rows.weights))}
    shares, labels = model.predict_proba(known, [target])[target], model.labels[target]
    places = np.array([labels.index(value) for value in truth.tolist()])
    with np.errstate(divide="ignore"):
        logs = -np.log(shares[np.arange(len(places)), places])
    return {
        "wrong": float(np.average(truth != found, weights=rows.weights)),
        "log loss": float(np.average(logs, weights=rows.weights)),
    }


def _standard_error(values: Floats) -> float:
    with np.errstate(invalid="ignore"):  # of -inf there is none
        return float(values.std(ddof=1) / math.sqrt(len(values)))
