"""Which columns an L1-regularised regression of each column chooses."""

from typing import Any

import numpy as np

from structlearn.learners.network.dependency.local import Columns, Flags, Floats
from structlearn.learners.network.dependency.options import Regresses
from structlearn.learners.network.dependency.tails import gamma_by_tails
from structlearn.learners.regression.nodewise.binary_regressions import BinaryTable
from structlearn.learners.regression.nodewise.gaussian_regressions import GaussianTable
from structlearn.learners.regression.nodewise.mixed_regressions import MixedTable
from structlearn.learners.regression.nodewise.node_blocks import NodeBlocks
from structlearn.learners.regression.nodewise.penalty_search import PenaltySearch, Table
from structlearn.learners.regression.penalties.path import penalty_path, warn_of_the_end
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying


def chosen_parents(
    statistics: Statistics, columns: Columns, options: Regresses, go: NodeBlocks, *, seed: int | None
) -> Floats:
    """The coefficients of each column's regression on all others, [child, parent]; 0 where not chosen."""
    table = _table(statistics, np.where(columns.is_allowed, 1.0, np.inf))
    fitted = table.everything()
    if isinstance(options.penalty, str):
        path = penalty_path(
            fitted.largest_penalty(),
            n_penalties=options.n_penalties,
            smallest_share=float(options.smallest_share),
        )
        search = PenaltySearch(
            table,
            path,
            go,
            rule="or",
            gamma=gamma_by_tails(columns, statistics, go.run) if options.penalty == "ebic" else 0.0,
            n_candidates=n_varying(statistics) - 1,
            is_shared=False,
            generator=np.random.default_rng(seed),
            is_patient=False,
        )
        choice = search.choose(options.penalty)
        warn_of_the_end(go.run, choice.places, len(path))
        if options.penalty == "ebic":
            return search.best
        penalties = path[choice.places]
    else:
        penalties = np.full(go.n_nodes, float(options.penalty))
    fitted.move_to(penalties, go)
    coefficients: Floats = fitted.coefficients
    return coefficients


def _table(statistics: Statistics, weights: Floats) -> Table[Any]:
    levels = statistics.levels
    if not levels.any():
        return GaussianTable(statistics, weights, l1_share=1.0)
    if ((levels > 0) & (levels <= 2)).all():
        return BinaryTable(statistics, weights, coding="zero-one", has_field=True)
    return MixedTable(statistics, weights)


def strongest(coefficients: Floats, columns: Columns, most: int | None) -> Flags:
    """What is chosen and what is required; of more than may be, those with the largest coefficients."""
    is_chosen: Flags = (coefficients != 0.0) & columns.is_allowed
    if most is not None:
        size = np.where(columns.is_required, np.inf, np.abs(coefficients))
        rank = np.argsort(np.argsort(-size, axis=1, kind="stable"), axis=1)
        is_chosen &= rank < most
    return is_chosen | columns.is_required
