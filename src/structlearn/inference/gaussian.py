"""Normal distributions: the joint one of linear regressions, and what evidence leaves of it.

Everything comes for many regimes at once: the first axis of each array is the regime.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TOLERANCE = 1e-12  # a direction with less variance, in units of deviations, is taken as fixed


@dataclass(frozen=True, eq=False)
class Regression:
    """A node's mean, linear in other nodes: intercepts and variances (regimes,), slopes by parent."""

    intercepts: Floats
    slopes: dict[str, Floats]
    variances: Floats


@dataclass(frozen=True, eq=False)
class Normal:
    """Normal distributions of the same nodes: `mean` is (regimes, nodes), `covariance` (…, nodes, nodes)."""

    names: tuple[str, ...]
    mean: Floats
    covariance: Floats

    def marginal(self, names: tuple[str, ...]) -> "Normal":
        """The distribution of some of the nodes."""
        place = [self.names.index(name) for name in names]
        return Normal(names, self.mean[:, place], self.covariance[:, place][:, :, place])


def joint_normal(regressions: dict[str, Regression], n_regimes: int) -> Normal:
    """The joint distribution of nodes, parents first: Σ = (I − B)⁻¹ D (I − B)⁻ᵀ, row by row."""
    place = {name: i for i, name in enumerate(regressions)}
    mean = np.zeros((n_regimes, len(place)))
    covariance = np.zeros((n_regimes, len(place), len(place)))
    for name, node in regressions.items():
        i, parents = place[name], [place[parent] for parent in node.slopes]
        slopes = np.stack([*node.slopes.values(), np.zeros(n_regimes)], axis=1)[:, :-1]
        mean[:, i] = node.intercepts + (slopes * mean[:, parents]).sum(axis=1)
        covariance[:, i] = np.einsum("rp,rpj->rj", slopes, covariance[:, parents])
        covariance[:, :, i] = covariance[:, i]
        covariance[:, i, i] = node.variances + (slopes * covariance[:, i][:, parents]).sum(axis=1)
    return Normal(tuple(regressions), mean, covariance)


def conditioned(joint: Normal, evidence: dict[str, float], names: tuple[str, ...]) -> tuple[Normal, Floats]:
    """The distribution of some nodes given the numbers of others, and the log density of these by regime.

    Where the evidence is linearly dependent it must agree with itself, and the density is that of its free
    directions; the log density is -inf where it does not agree.
    """
    asked, given = joint.marginal(names), tuple(evidence)
    if not given:
        return asked, np.zeros(len(joint.mean))
    both = joint.marginal((*names, *given))
    n = len(names)
    across, among = both.covariance[:, :n, n:], both.covariance[:, n:, n:]
    apart = np.array(list(evidence.values())) - both.mean[:, n:]
    solved, log_densities = _solved(
        among, np.concatenate([apart[..., None], across.transpose(0, 2, 1)], axis=2), apart
    )
    mean = asked.mean + np.einsum("rab,rb->ra", across, solved[..., 0])
    covariance = asked.covariance - across @ solved[..., 1:]
    return Normal(names, mean, 0.5 * (covariance + covariance.transpose(0, 2, 1))), log_densities


def _solved(among: Floats, sides: Floats, apart: Floats) -> tuple[Floats, Floats]:
    """Solve among · x = sides, and give the log density of `apart` under N(0, among)."""
    try:
        lower = np.linalg.cholesky(among)
    except np.linalg.LinAlgError:
        return _solved_by_directions(among, sides, apart)
    halves = np.linalg.solve(lower, sides)
    diagonal = np.diagonal(lower, axis1=1, axis2=2)
    if (diagonal.min(axis=1) ** 2 <= TOLERANCE * among.max(axis=(1, 2))).any():
        return _solved_by_directions(among, sides, apart)
    squares = (halves[..., 0] ** 2).sum(axis=1)
    log_volume = 2.0 * np.log(diagonal).sum(axis=1) + apart.shape[1] * math.log(2.0 * math.pi)
    return np.linalg.solve(lower.transpose(0, 2, 1), halves), -0.5 * (squares + log_volume)


def _solved_by_directions(among: Floats, sides: Floats, apart: Floats) -> tuple[Floats, Floats]:
    """The same by eigenvectors: directions without variance must have no distance either."""
    scale = np.sqrt(np.maximum(np.diagonal(among, axis1=1, axis2=2), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    strengths, directions = np.linalg.eigh(among / (scale[:, :, None] * scale[:, None, :]))
    free = strengths > TOLERANCE
    inverse = np.where(free, 1.0 / np.where(free, strengths, 1.0), 0.0)
    turned = directions.transpose(0, 2, 1) @ (sides / scale[..., None])
    solved = directions @ (inverse[..., None] * turned) / scale[..., None]
    away = turned[..., 0]
    squares = (inverse * away**2).sum(axis=1)
    log_volume = (np.log(2.0 * math.pi * np.where(free, strengths, 1.0)) * free).sum(axis=1)
    log_scales = (np.log(scale)).sum(axis=1)
    # How far numbers may stray by rounding: relative to their own size.
    room = math.sqrt(TOLERANCE) * (1.0 + np.abs(apart / scale).max(axis=1))
    agrees = (np.abs(np.where(free, 0.0, away)) <= room[:, None]).all(axis=1)
    return solved, np.where(agrees, -0.5 * (squares + log_volume) - log_scales, -np.inf)
