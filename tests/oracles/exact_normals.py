"""Normal distributions of linear regressions in fractions: nothing is rounded but the last step."""

from fractions import Fraction
from math import log, pi

import numpy as np


def conditional(regressions, evidence, names):
    """The mean and covariance of some nodes given the numbers of others, and the log density of these."""
    mean, covariance = joint(regressions)
    apart = [Fraction(value) - mean[name] for name, value in evidence.items()]
    among = [[covariance[a, b] for b in evidence] for a in evidence]
    across = [[covariance[a, b] for b in names] for a in evidence]
    determinant, solved = eliminated(among, [[x, *row] for x, row in zip(apart, across, strict=True)])

    def explained(k, column):
        return sum(row[k] * x[column] for row, x in zip(across, solved, strict=True))

    moved = [float(mean[a] + explained(k, 0)) for k, a in enumerate(names)]
    left = [
        [float(covariance[a, b] - explained(k, 1 + m)) for m, b in enumerate(names)]
        for k, a in enumerate(names)
    ]
    square = sum(x * row[0] for x, row in zip(apart, solved, strict=True))
    log_volume = log(determinant.numerator) - log(determinant.denominator) + len(evidence) * log(2 * pi)
    shape = (len(names), len(names))
    return np.array(moved), np.array(left).reshape(shape), -0.5 * (float(square) + log_volume)


def joint(regressions):
    """The mean of each node and the covariance of each two, parents first."""
    mean, covariance, before = {}, {}, []
    for name, node in regressions.items():
        slopes = {parent: Fraction(float(slope[0])) for parent, slope in node.slopes.items()}
        mean[name] = Fraction(float(node.intercepts[0])) + sum(s * mean[p] for p, s in slopes.items())
        for other in before:
            covariance[name, other] = sum(s * covariance[p, other] for p, s in slopes.items())
            covariance[other, name] = covariance[name, other]
        own = sum(s * covariance[p, name] for p, s in slopes.items())
        covariance[name, name] = Fraction(float(node.variances[0])) + own
        before.append(name)
    return mean, covariance


def eliminated(matrix, sides):
    """The determinant of a positive definite matrix, and what solves matrix · x = sides."""
    determinant, rows = Fraction(1), [[*a, *b] for a, b in zip(matrix, sides, strict=True)]
    for i, pivot in enumerate(rows):
        determinant *= pivot[i]
        rows[i] = [x / pivot[i] for x in pivot]
        for j, row in enumerate(rows):
            if j != i:
                rows[j] = [x - row[i] * y for x, y in zip(row, rows[i], strict=True)]
    return determinant, [row[len(matrix) :] for row in rows]
