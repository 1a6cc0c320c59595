"""Mutual information by its definitions: sums over cells, rows, neighbours and quarters, one by one."""

import math
from collections import Counter

import numpy as np
from scipy.special import digamma


def plug_in(x, y):
    """Σ p log(p / p_x p_y) over the pairs of states that occur."""
    n, joint, of_x, of_y = len(x), Counter(zip(x, y, strict=True)), Counter(x), Counter(y)
    return sum(c / n * math.log(c * n / (of_x[a] * of_y[b])) for (a, b), c in joint.items())


def shrunken(x, y, n_x, n_y):
    """The same after all n_x · n_y cells are shrunk towards equal ones."""
    n, joint = len(x), Counter(zip(x, y, strict=True))
    p = np.array([[joint[a, b] / n for b in range(n_y)] for a in range(n_x)])
    target = 1 / (n_x * n_y)
    distance = (n - 1) * ((target - p) ** 2).sum()
    share = 1.0 if distance == 0 else min(1.0, (1 - (p**2).sum()) / distance)
    p = share * target + (1 - share) * p
    of_x, of_y = p.sum(axis=1), p.sum(axis=0)
    return sum(
        p[a, b] * math.log(p[a, b] / (of_x[a] * of_y[b]))
        for a in range(n_x)
        for b in range(n_y)
        if p[a, b] > 0
    )


def ranks(x):
    """Average ranks, from 1: the number below, and half of those that are equal."""
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def kernel(x, y, width):
    """The mean log of joint density over the product of both, on ranks from 0 to 1, each sum by itself."""
    n = len(x)
    u, v = [r / (n + 1) for r in ranks(x)], [r / (n + 1) for r in ranks(y)]
    total = 0.0
    for i in range(n):
        k = [math.exp(-((u[i] - u[j]) ** 2) / (2 * width**2)) for j in range(n)]
        m = [math.exp(-((v[i] - v[j]) ** 2) / (2 * width**2)) for j in range(n)]
        total += math.log(n * sum(a * b for a, b in zip(k, m, strict=True)) / (sum(k) * sum(m)))
    return total / n


def kraskov(x, y, k):
    """The first estimator of Kraskov et al., with every distance."""
    n, total = len(x), 0.0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        distance = sorted(max(abs(x[i] - x[j]), abs(y[i] - y[j])) for j in others)[k - 1]
        n_x = sum(abs(x[i] - x[j]) < distance for j in others)
        n_y = sum(abs(y[i] - y[j]) < distance for j in others)
        total += digamma(n_x + 1) + digamma(n_y + 1)
    return digamma(k) + digamma(n) - total / n


def adaptive(x, y, fewest=8, uneven=7.814727903251179):
    """Quarter cells of the ranks, from the whole on, as long as their quarters differ by more than chance."""
    u, v, n = [2 * r for r in ranks(x)], [2 * r for r in ranks(y)], len(x)

    def within(values, low, high):
        return sum(low <= value < high for value in values)

    def part(points, low_u, high_u, low_v, high_v):
        n_u, n_v, m = within(u, low_u, high_u), within(v, low_v, high_v), len(points)
        here = m / n * math.log(n * m / (n_u * n_v))
        at_u, at_v = (low_u + high_u) // 2, (low_v + high_v) // 2
        if m < fewest or at_u == low_u or at_v == low_v:
            return here
        quarters = [
            ([i for i in points if a <= u[i] < b and c <= v[i] < d], a, b, c, d)
            for a, b in ((low_u, at_u), (at_u, high_u))
            for c, d in ((low_v, at_v), (at_v, high_v))
        ]
        expected = [m * within(u, a, b) / n_u * within(v, c, d) / n_v for _, a, b, c, d in quarters]
        differ = sum((len(q[0]) - e) ** 2 / e for q, e in zip(quarters, expected, strict=True) if e > 0)
        if m < n and differ <= uneven:
            return here
        return sum(part(*quarter) for quarter in quarters if quarter[0])

    return part(range(n), 2, 2 * n + 1, 2, 2 * n + 1)


def indirect(information, factor=1.0, difference=0.0, regulators=None):
    """The edges that some third node explains, by all triples of the matrix as it is."""
    n, found = len(information), set()
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(n):
                if k in (i, j) or (regulators is not None and k not in regulators):
                    continue
                three = information[i][j], information[i][k], information[j][k]
                if min(three) > 0 and three[0] < min(three[1:]) * factor - difference:
                    found.add((i, j))
    return found
