"""Log-linear models along a path of penalties, and the penalty that predicts held-out rows best."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.log_linear.feature_induction import FeatureInduction, Induction, Model
from structlearn.learners.regression.penalties.chooser import Choice, LeastLoss
from structlearn.learners.regression.penalties.row_parts import folds

Floats = NDArray[np.float64]
N_FOLDS = 5  # a fold finds an optimum for each penalty: ten folds would take twice as long


def largest_penalty(search: FeatureInduction) -> float:
    """The smallest penalty per row at which no candidate comes in."""
    model = search.independent()
    slopes = model.likelihood.slopes(model.weights, search.candidates(model.features))
    return float(np.max(np.abs(slopes), initial=0.0))


def follow(search: FeatureInduction, penalties: Floats, by: Induction) -> list[Model]:
    """The best model for each of falling penalties, the last one the start of the next."""
    models = []
    model = search.independent()
    for penalty in penalties.tolist():
        if search.run.must_stop():
            break
        model = replace(search, penalty=penalty, steps=[]).improved(model, by)
        models.append(model)
    return models


@dataclass(frozen=True, slots=True)
class PredictivePenalty:
    """The penalty per row that predicts held-out rows best, and the path that led to it."""

    penalty: float
    choice: Choice
    path: dict[str, NDArray[Any]]


def predictive_penalty(
    search: FeatureInduction, penalties: Floats, by: Induction, generator: np.random.Generator
) -> PredictivePenalty:
    """Judge penalties by minus the objective per held-out row."""
    choice = _held_out(search, penalties, by, generator).choice()
    models = follow(search, penalties, by)
    path = {
        "penalty": penalties[: len(models)] * search.indicators.size,
        "n_features": np.array([np.count_nonzero(model.penalties) for model in models]),
        "criterion": choice.criterion[: len(models)],
    }
    return PredictivePenalty(float(penalties[choice.places[0]]), choice, path)


def _held_out(
    search: FeatureInduction, penalties: Floats, by: Induction, generator: np.random.Generator
) -> LeastLoss:
    indicators = search.indicators
    everything = np.lexsort([indicators.row_weights, indicators.place])
    parts = folds(everything, generator, n_folds=N_FOLDS)
    chooser = LeastLoss(len(penalties), n_parts=len(parts))
    for i, part in enumerate(parts):
        search.run.show(f"fold {i + 1}", i, len(parts))
        held_out = indicators.part(part)
        kept = indicators.part(np.setdiff1d(everything, part))
        for k, model in enumerate(follow(replace(search, indicators=kept), penalties, by)):
            loss = -search.likelihood_of(held_out, model.features).at(model.weights)[0]
            chooser.note(k, loss, part=i)
    return chooser
