"""Effects of interventions by definition: every path, and the moments of linear Gaussian models."""

from itertools import permutations

import numpy as np

from tests.oracles import graphs as oracle


def directed_paths(arrows, start, end):
    """Every directed path, as a tuple of nodes."""
    if start == end:
        return [(end,)]
    return [
        (start, *rest)
        for source, middle in arrows
        if source == start
        for rest in directed_paths(arrows, middle, end)
    ]


def is_adjustment_set(arrows, cause, effect, given):
    """Peters and Bühlmann's condition (*), path by path."""
    causal = directed_paths(arrows, cause, effect)
    for path in causal:
        for node in path[1:]:
            if ({node} | oracle.descendants(arrows, node)) & given:
                return False
    every = oracle.paths(oracle.skeleton(arrows), cause, effect)
    return all(oracle.is_blocked(arrows, path, given) for path in every if path not in causal)


def distance_by_paths(n_nodes, judged, true):
    """The wrong pairs, by the paths of the true graph."""
    n_wrong = 0
    for cause, effect in permutations(range(n_nodes), 2):
        given = {source for source, target in judged if target == cause}
        if effect in given:
            n_wrong += effect in oracle.descendants(true, cause)
        else:
            n_wrong += not is_adjustment_set(true, cause, effect, given)
    return n_wrong


def distance_by_moments(n_nodes, judged, true, seed=0):
    """The wrong pairs, by mean and variance of each effect in a random linear Gaussian model."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((n_nodes, n_nodes))  # weights[j, i] of i → j
    for source, target in true:
        weights[target, source] = rng.uniform(0.5, 1.5) * rng.choice([-1, 1])
    noise = np.diag(rng.uniform(0.5, 2.0, n_nodes))
    covariance = _covariance(weights, noise)
    n_wrong = 0
    for cause in range(n_nodes):
        cut, quiet = weights.copy(), noise.copy()
        cut[cause], quiet[cause, cause] = 0, 0
        slopes = np.linalg.inv(np.eye(n_nodes) - cut)[:, cause]
        variances = np.diag(_covariance(cut, quiet))
        given = sorted(source for source, target in judged if target == cause)
        for effect in set(range(n_nodes)) - {cause}:
            claimed = _adjusted(covariance, cause, effect, given)
            n_wrong += not np.allclose(claimed, (slopes[effect], variances[effect]), atol=1e-8)
    return n_wrong


def _covariance(weights, noise):
    total = np.linalg.inv(np.eye(len(weights)) - weights)
    return total @ noise @ total.T


def _adjusted(covariance, cause, effect, given):
    """Slope and variance of ∫ p(effect | cause, given) p(given) d given."""
    if effect in given:
        return 0.0, covariance[effect, effect]
    known = [cause, *given]
    slopes = np.linalg.solve(covariance[np.ix_(known, known)], covariance[known, effect])
    unexplained = covariance[effect, effect] - slopes @ covariance[known, effect]
    return slopes[0], unexplained + slopes[1:] @ covariance[np.ix_(given, given)] @ slopes[1:]
