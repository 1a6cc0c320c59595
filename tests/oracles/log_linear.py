"""Log-linear models by their definition: sums over every joint state.

A feature is a dict {column: state}; a row has it when each of its columns is in that state.
"""

import itertools
import math


def states(levels):
    return list(itertools.product(*(range(n) for n in levels)))


def has(row, feature):
    return all(row[column] == state for column, state in feature.items())


def log_weight(row, features, weights):
    return math.fsum(w for feature, w in zip(features, weights, strict=True) if has(row, feature))


def log_z(levels, features, weights):
    return math.log(math.fsum(math.exp(log_weight(row, features, weights)) for row in states(levels)))


def probabilities(levels, features, weights):
    total = log_z(levels, features, weights)
    return {row: math.exp(log_weight(row, features, weights) - total) for row in states(levels)}


def mean(joint, feature):
    """The probability of a feature, given that of every row."""
    return math.fsum(p for row, p in joint.items() if has(row, feature))


def log_likelihood(levels, rows, features, weights):
    """Per row of `rows`, a dict {row: share}."""
    total = log_z(levels, features, weights)
    return math.fsum(share * (log_weight(row, features, weights) - total) for row, share in rows.items())


def log_pseudo_likelihood(levels, rows, features, weights):
    """Per row: the sum over columns of the log probability of its state given all others."""
    total = 0.0
    for row, share in rows.items():
        for column, n in enumerate(levels):
            others = [(*row[:column], state, *row[column + 1 :]) for state in range(n)]
            sums = math.fsum(math.exp(log_weight(other, features, weights)) for other in others)
            total += share * (log_weight(row, features, weights) - math.log(sums))
    return total


def slope(function, weights, place, step=1e-5):
    """The derivative of a function of weights by one of them, by central differences."""
    up, down = list(weights), list(weights)
    up[place] += step
    down[place] -= step
    return (function(up) - function(down)) / (2 * step)


def pair_and_triple_features(n_columns, most=3):
    """Every conjunction of second states of two to `most` of several columns with two states."""
    return [
        dict.fromkeys(columns, 1)
        for order in range(2, most + 1)
        for columns in itertools.combinations(range(n_columns), order)
    ]


def kkt_residual(levels, rows, weights, penalty, candidates):
    """How far an exact L1 fit is from its optimum, per row; `weights` goes by tuples of (column, state)."""
    features = [dict(states) for states in weights]
    model = probabilities(levels, features, list(weights.values()))
    worst = 0.0
    for feature in [*features, *candidates]:
        slope = mean(rows, feature) - mean(model, feature)
        weight = weights.get(tuple(sorted(feature.items())), 0.0)
        cost = 0.0 if len(feature) == 1 else penalty
        off = abs(slope - math.copysign(cost, weight)) if weight else abs(slope) - cost
        worst = max(worst, off)
    return worst
