"""The forest of the largest gains, worked out on a graphics card."""

import math

import numpy as np

from structlearn.errors import OptionError
from structlearn.gpu.spanning import Gains, heaviest_forest
from structlearn.learners.score.trees.spanning import Arc
from structlearn.numerics.information.columns import read_columns
from structlearn.numerics.information.on_card import ON_CARD, takes_pairs
from structlearn.numerics.information.settings import Settings
from structlearn.rounding import COLLINEAR, DECIMALS_OF_WEIGHTS
from structlearn.scores.likelihoods import Regressions, Tables
from structlearn.scores.penalised import Penalised
from structlearn.search.space import Space
from structlearn.statistics.protocol import HasRows

NO_PAIR = -0.5 * math.log(COLLINEAR)  # the information of columns that leave nothing of each other


def forest_on_card(space: Space) -> list[Arc] | None:
    """The edges of the heaviest forest, the heaviest first; None where the processor is to find it."""
    name = _estimator(space)
    if space.device == "cpu":
        return None
    if name is None:
        why = (
            "a card finds trees by the likelihood of tables or of regressions, with or without a price for "
            "parameters, of rows without weights, where every edge may be there and none must"
        )
        if space.device == "cuda":
            raise OptionError(f"{space.owner}(device='cuda'): {why}. Pass device='cpu'.")
        space.run.note(f"The processor did the work: {why}.")
        return None
    statistics, settings = space.statistics, Settings()
    takes, why_not = takes_pairs(space.owner, space.device, name, statistics, settings)
    if why_not:
        space.run.note(why_not)
    if not takes:
        return None
    columns = read_columns(space.owner, statistics)
    is_discrete = name == "plug-in"
    gains = Gains(
        statistics.size,
        space.score.price.nats(statistics.size),  # type: ignore[attr-defined]  # it is Penalised
        np.where(is_discrete, np.asarray(statistics.levels) - 1.0, 1.0),
        math.inf if is_discrete else NO_PAIR,
    )
    return heaviest_forest(ON_CARD[name](columns, settings), gains, DECIMALS_OF_WEIGHTS)


def _estimator(space: Space) -> str | None:
    """The information that gains are made of, if they are nothing else."""
    statistics, score = space.statistics, space.score
    is_open = np.eye(len(statistics.names), dtype=np.bool_) | ~space.limits.closed
    has_plain_rows = isinstance(statistics, HasRows) and getattr(statistics, "weights", None) is None
    if type(score) is not Penalised or space.limits.frozen.any() or not (is_open.all() and has_plain_rows):
        return None
    return {Tables: "plug-in", Regressions: "gaussian"}.get(type(score.likelihood))
