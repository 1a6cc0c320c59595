"""Gaps in rows of a dependency network, filled by its sampler with the rest of each row held fixed."""

from typing import TYPE_CHECKING

import numpy as np

from structlearn.inference.predictions.known_rows import KnownRows
from structlearn.inference.pseudo_gibbs import warn_of_zeros
from structlearn.models.cpds import Rows

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel

BURN_IN, WATCHED = 50, 100  # sweeps; a share that is watched so often is off by 0.05 at most, as a rule


def filled_by_chains(
    model: "DependencyModel", rows: KnownRows, rng: np.random.Generator, *, drawn: bool
) -> dict[str, Rows]:
    """The values of each node: those known, and in gaps a draw, or what was most probable on average."""
    at = np.flatnonzero(rows.unknown.any(axis=1))
    state = {node: rows.values[node][at] for node in rows.nodes}
    open_in = {node: rows.unknown[at, place] for place, node in enumerate(rows.nodes)}
    order = [node for node in model.order if open_in[node].any()]
    warn_of_zeros("impute", model, order)
    for node in order:
        start = _start(model, node, len(at), rng)
        state[node] = np.where(open_in[node], start, state[node])
    sums = {node: np.zeros((len(at), max(len(model.cpds[node].labels), 1))) for node in order}
    for sweep in range(BURN_IN + (0 if drawn else WATCHED)):
        for node in order:
            here = model.conditionals[node]
            if sweep >= BURN_IN:
                sums[node] += (
                    here.shares(state, len(at))
                    if here.is_discrete
                    else here.normals(state, len(at))[0][:, None]
                )
            state[node] = np.where(open_in[node], here.draw(state, len(at), rng), state[node])
    if not drawn:
        for node, total in sums.items():
            best = total.argmax(axis=1) if model.conditionals[node].is_discrete else total[:, 0] / WATCHED
            state[node] = np.where(open_in[node], best, state[node])
    filled = {node: np.array(values) for node, values in rows.values.items()}
    for node in order:
        filled[node][at] = state[node]
    return filled


def _start(model: "DependencyModel", node: str, n: int, rng: np.random.Generator) -> Rows:
    if node in model.labels:
        return rng.integers(0, len(model.labels[node]), n)
    mean, spread = model.starts[node]
    return mean + spread * rng.standard_normal(n)
