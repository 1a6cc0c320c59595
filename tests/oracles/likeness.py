"""How alike two columns are, by the definitions; and the quadratic programme of feature vectors."""

import math

import numpy as np


def median_width(values):
    return float(np.median([(u - v) ** 2 for i, u in enumerate(values) for v in values[:i]]))


def centred_kernel(values, weights, width):
    """The Gaussian comparison of each two rows, less its weighted means."""
    kernel = np.array([[math.exp(-((u - v) ** 2) / width) for v in values] for u in values])
    centring = np.eye(len(values)) - np.outer(np.ones(len(values)), weights)
    return centring @ kernel @ centring.T


def hsic(one, other, weights, widths):
    """The normalised Hilbert-Schmidt independence criterion of two columns."""
    a = centred_kernel(one, weights, widths[0])
    b = centred_kernel(other, weights, widths[1])
    both = np.outer(weights, weights)
    return float((both * a * b).sum() / math.sqrt((both * a * a).sum() * (both * b * b).sum()))


def feature_vectors(kernel, target, penalty):
    """The programme of Li, Yang and Xing: the smallest βᵀKβ with |Kβ − k| ≤ penalty.

    As bounded least squares in Kβ, which lies in the span of the kernel.
    """
    from scipy.optimize import lsq_linear

    values, vectors = np.linalg.eigh(kernel)
    kept = values > 1e-10 * values.max()
    root = (vectors[:, kept] / np.sqrt(values[kept])).T
    outside = vectors[:, ~kept].T
    # What is outside the span is held at nothing by a price so high that it cannot pay.
    system = np.concatenate([root, 1e4 * outside])
    found = lsq_linear(
        system, np.zeros(len(system)), (target - penalty, target + penalty), method="bvls", tol=1e-15
    )
    return np.linalg.pinv(kernel, rcond=1e-10, hermitian=True) @ found.x
