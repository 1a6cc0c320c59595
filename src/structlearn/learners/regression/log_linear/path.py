"""Log-linear models along a path of penalties, and the penalty that predicts held-out rows best."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.log_linear.feature_induction import FeatureInduction, Induction, Model
from structlearn.learners.regression.selection import folds

Floats = NDArray[np.float64]
N_FOLDS = 5


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


def held_out_losses(
    search: FeatureInduction, penalties: Floats, by: Induction, generator: np.random.Generator
) -> Floats:
    """Minus the objective per held-out row, (folds, penalties); infinite where time ran out."""
    everything = np.arange(len(search.indicators.place))
    parts = folds(len(everything), n_folds=N_FOLDS, generator=generator)
    losses = np.full((len(parts), len(penalties)), np.inf)
    for i, part in enumerate(parts):
        search.run.show(f"fold {i + 1}", i, len(parts))
        held_out = search.indicators.part(part)
        kept = search.indicators.part(np.setdiff1d(everything, part))
        for k, model in enumerate(follow(replace(search, indicators=kept), penalties, by)):
            losses[i, k] = -search.likelihood_of(held_out, model.features).at(model.weights)[0]
    return losses
