"""Normal distributions as networks of regressions, and what evidence leaves of them.

Every node is a mean and a row of weights on independent unit noises. Evidence is taken in node by node, in
the order of the network: known parents are numbers, and a known node turns the noises so that it speaks of
one of them only, which is then known too. This is the square-root form of Kalman's filter (Kaminski, Bryson
and Schmidt, 1971, Discrete square root filtering). No covariance is ever inverted, so that a node which its
parents nearly determine, or whose units are large, costs no digits.

Everything comes for many regimes at once: the first axis of each array is the regime.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

FAR = 1e8  # deviations: logs of densities further out are rounded to whole numbers, and compare nothing
FARTHEST = 1e150  # deviations: the square of more is no float
SAME = 1e-9  # how far a number may be from the one its node has for certain, relative to it
ZERO = 1e-15  # and how far from 0


@dataclass(frozen=True, eq=False)
class Regression:
    """A node's mean, linear in other nodes: intercepts and variances (regimes,), slopes by parent."""

    intercepts: Floats
    slopes: dict[str, Floats]
    variances: Floats


@dataclass(frozen=True, eq=False)
class LinearNetwork:
    """Regressions of nodes on earlier ones.

    `parents` has their places, `slopes` is (regimes, parents) for each node, `intercepts` and `deviations`
    (regimes, nodes). Slopes count from `center`, (nodes,): far from 0 a mean has fewer digits than its parts.
    """

    names: tuple[str, ...]
    parents: tuple[list[int], ...]
    slopes: tuple[Floats, ...]
    intercepts: Floats
    deviations: Floats
    center: Floats

    @classmethod
    def of(cls, regressions: Mapping[str, Regression], n_regimes: int) -> "LinearNetwork":
        """The network of nodes in their order, parents first."""
        place = {name: i for i, name in enumerate(regressions)}
        nodes, none = list(regressions.values()), np.zeros((n_regimes, 0))
        return cls(
            tuple(regressions),
            tuple([place[parent] for parent in node.slopes] for node in nodes),
            tuple(np.stack([*node.slopes.values()], axis=1) if node.slopes else none for node in nodes),
            np.stack([node.intercepts for node in nodes], axis=1) if nodes else none,
            np.sqrt(np.stack([node.variances for node in nodes], axis=1)) if nodes else none,
            np.zeros(len(nodes)),
        )

    @classmethod
    def of_precision(cls, names: tuple[str, ...], mean: Floats, precision: Floats) -> "LinearNetwork":
        """The one regime of a precision matrix Λ = LLᵀ: Lᵀ(x − mean) is noise, from the last row up."""
        lower = np.linalg.cholesky(precision)
        backwards = range(len(names) - 1, -1, -1)
        later = [i + 1 + np.flatnonzero(lower[i + 1 :, i]) for i in backwards]
        slopes = [-lower[at, i] / lower[i, i] for i, at in zip(backwards, later, strict=True)]
        return cls(
            names[::-1],
            tuple((len(names) - 1 - at).tolist() for at in later),
            tuple(along[None] for along in slopes),
            mean[None, ::-1],
            1.0 / np.diag(lower)[None, ::-1],
            mean[::-1],
        )

    def means(self) -> Floats:
        """The mean of each node, (regimes, nodes)."""
        means = np.zeros_like(self.intercepts)
        for i in range(len(self.names)):
            means[:, i] = self.mean_of(i, means)
        return means

    def mean_of(self, i: int, means: Floats) -> Floats:
        """The mean of a node, given those of the nodes before it."""
        from_center = means[:, self.parents[i]] - self.center[self.parents[i]]
        mean: Floats = self.intercepts[:, i] + (self.slopes[i] * from_center).sum(axis=1)
        return mean


@dataclass(frozen=True, eq=False)
class Normal:
    """Normal distributions of the same nodes: `mean` is (regimes, nodes), `root` (regimes, nodes, noises).

    A node is its mean and its row of `root` times independent noises of variance 1.
    """

    names: tuple[str, ...]
    mean: Floats
    root: Floats

    @property
    def covariance(self) -> Floats:
        """The covariance matrix of each regime."""
        products: Floats = self.root @ self.root.transpose(0, 2, 1)
        return products

    def log_peaks(self, places: list[int]) -> Floats:
        """The log density of some nodes at their mean, in each regime."""
        # The squares on the diagonal are the variances of the nodes, each given those before it.
        triangle = np.linalg.qr(self.root[:, places].transpose(0, 2, 1), mode="r")
        deviations = np.abs(np.diagonal(triangle, axis1=1, axis2=2))
        peaks: Floats = -(np.log(deviations) + 0.5 * math.log(2.0 * math.pi)).sum(axis=1)
        return peaks


def conditioned(
    network: LinearNetwork, evidence: Mapping[str, float], names: tuple[str, ...]
) -> tuple[Normal, Floats]:
    """The distribution of some nodes given the numbers of others, and the log density of these by regime.

    A node without variance must have its number, and adds nothing to the density. The log density is -inf
    where it has another, and where a number is impossibly far from what parents say or other regimes have.
    """
    n_regimes, n = network.intercepts.shape
    means, roots, log_densities = np.zeros((n_regimes, n)), np.zeros((n_regimes, n, n)), np.zeros(n_regimes)
    for i, (name, parents) in enumerate(zip(network.names, network.parents, strict=True)):
        means[:, i] = network.mean_of(i, means)
        roots[:, i, :i] = np.einsum("rp,rpj->rj", network.slopes[i], roots[:, parents, :i])
        roots[:, i, i] = network.deviations[:, i]
        if name in evidence:
            upto = slice(i + 1)
            log_densities += _taken_in(
                means[:, upto], roots[:, upto, upto], evidence[name], is_free=not parents
            )
    asked = [network.names.index(name) for name in names]
    return Normal(names, means[:, asked], roots[:, asked]), log_densities


def _taken_in(means: Floats, roots: Floats, number: float, *, is_free: bool) -> Floats:
    """Set the last node to a number, move those before it accordingly, and give its log density.

    A node that is free of parents may be as far out as it likes, in every regime.
    """
    own = roots[:, -1]
    spread = np.linalg.norm(own, axis=1)
    free = spread > 0.0
    spread = np.where(free, spread, 1.0)
    apart = number - means[:, -1]
    steps = apart / spread
    if own[:, :-1].any():
        _learned(means[:, :-1], roots[:, :-1], own / spread[:, None], steps)
    means[:, -1] = number
    roots[:, -1] = 0.0
    is_far = np.abs(steps) > FAR
    agrees = np.where(free, ~is_far | (is_free and is_far.all()), np.abs(apart) <= SAME * abs(number) + ZERO)
    squares = np.minimum(np.abs(steps), FARTHEST) ** 2
    log_density = np.where(free, -0.5 * (squares + math.log(2.0 * math.pi)) - np.log(spread), 0.0)
    return np.where(agrees, log_density, -np.inf)


def _learned(means: Floats, roots: Floats, direction: Floats, steps: Floats) -> None:
    """Move nodes by what is now known of the noise in a direction, (regimes, noises), of length 1 or 0.

    A reflection turns the direction into the noise that has most of it, whose weights are then 0. Taking the
    direction out of each row is the same on paper, but large weights would leave their rounding.
    """
    means += np.einsum("rij,rj->ri", roots, direction) * steps[:, None]
    regimes, most = np.arange(len(direction)), np.abs(direction).argmax(axis=1)
    largest = direction[regimes, most]
    mirror = direction.copy()
    mirror[regimes, most] += np.sign(largest)
    shares = np.einsum("rij,rj->ri", roots, mirror) / (1.0 + np.abs(largest))[:, None]
    roots -= shares[:, :, None] * mirror[:, None, :]
    found = largest != 0.0
    roots[regimes[found], :, most[found]] = 0.0
