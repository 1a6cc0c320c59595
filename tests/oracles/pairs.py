"""What pairs of columns share, and what a network says of them, by definition."""

import itertools
import math

import numpy as np

from tests.oracles.scores import family_counts


def information(codes, x, y, given=()):
    """I(X; Y | given) of the empirical distribution, in nats: a sum over the rows."""
    n = len(codes)

    def share(row, columns):
        return sum(all(other[c] == row[c] for c in columns) for other in codes) / n

    return math.fsum(
        math.log(
            share(row, [x, y, *given]) * share(row, given) / share(row, [x, *given]) / share(row, [y, *given])
        )
        / n
        for row in codes
    )


def network_pairs(codes, levels, parents):
    """P(X, Y) of each pair in the fitted network, by adding up all of its joint states."""
    tables = [family_counts(codes, v, members) for v, members in enumerate(parents)]
    pairs = {
        (a, b): np.zeros((levels[a], levels[b])) for a, b in itertools.combinations(range(len(levels)), 2)
    }
    for state in itertools.product(*(range(n) for n in levels)):
        probability = math.prod(
            _probability(tables[v].get(tuple(state[u] for u in members)), state[v], levels[v])
            for v, members in enumerate(parents)
        )
        for (a, b), table in pairs.items():
            table[state[a], state[b]] += probability
    return pairs


def _probability(row, state, n_levels):
    return 1 / n_levels if row is None else row.get(state, 0) / sum(row.values())


def divergence(codes, pair, implied):
    """KL of the pair's table in the data from an implied one, in nats."""
    shares = np.zeros(implied.shape)
    for row in codes:
        shares[row[pair[0]], row[pair[1]]] += 1 / len(codes)
    return math.fsum(p * math.log(p / q) for p, q in zip(shares.flat, implied.flat, strict=True) if p > 0)


def normal_divergence(covariance, implied):
    """KL of two normal distributions with the same mean, in nats."""
    ratio = np.linalg.det(implied) / np.linalg.det(covariance)
    return 0.5 * (np.trace(np.linalg.inv(implied) @ covariance) - len(covariance) + math.log(ratio))


def regression_covariance(covariance, parents):
    """(I − B)⁻¹ D (I − B)⁻ᵀ of the regressions of each column on its parents."""
    n = len(covariance)
    slopes, residuals = np.zeros((n, n)), np.zeros(n)
    for v, members in enumerate(map(list, parents)):
        inside = covariance[np.ix_(members, members)]
        slopes[v, members] = np.linalg.inv(inside) @ covariance[members, v] if members else 0.0
        residuals[v] = covariance[v, v] - slopes[v] @ covariance[:, v]
    spread = np.linalg.inv(np.eye(n) - slopes)
    return spread @ np.diag(residuals) @ spread.T
