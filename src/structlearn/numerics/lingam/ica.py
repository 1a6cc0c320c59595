"""ICA-LiNGAM: sources that are as independent as can be, one for each column, tell the order."""

import numpy as np

from structlearn.later import csgraph, sparse
from structlearn.numerics.acyclic import Flags, least_cut_order
from structlearn.numerics.lingam.linear import Floats, LinearOrder, Order, coefficients_along, standardised
from structlearn.numerics.lingam.measures import TAILS_OF_GAUSSIAN
from structlearn.run import MustStop, never

MOST_STEPS = 300  # sources that are not Gaussian take about 20; Gaussian ones go round for ever
STILL = 1e-9  # how far a direction turns in a step, as one less the cosine, at the end
DIGITS = 12  # behind the point of standardised columns: units and the order of rows change later ones
NOTHING = 1e-12  # in place of a weight of 0, whose inverse is infinite


def ica_lingam(rows: Floats, *, seed: int = 0, n_starts: int = 3) -> LinearOrder:
    """The order of the columns and their effects on each other, from more rows than columns."""
    found, _ = unmixing(rows, rng=np.random.default_rng(seed), n_starts=n_starts)
    order = order_of_unmixing(found)[0]
    return LinearOrder(order, coefficients_along(rows, order))


def unmixing(
    rows: Floats,
    weights: Floats | None = None,
    *,
    rng: np.random.Generator,
    n_starts: int = 3,
    must_stop: MustStop = never,
) -> tuple[Floats, bool]:
    """The matrix that makes independent sources of the standardised columns, and whether a start converged.

    FastICA with all sources at once and the contrast ln cosh (Hyvärinen 1999); of several random starts the
    one whose sources are farthest from Gaussian ones.
    """
    n, p = rows.shape
    shares = np.full(n, 1.0 / n) if weights is None else weights / weights.sum()
    # Rounded and in a fixed order: sources that do not settle make a difference of the last digits.
    columns = np.round(standardised(rows, shares), DIGITS)
    order = np.lexsort((shares, *columns))
    columns, shares = columns[:, order], shares[order]
    values, vectors = np.linalg.eigh((columns * shares) @ columns.T)
    # The symmetric root: where variances tie it is still one and the same matrix.
    whitening = (vectors / np.sqrt(values)) @ vectors.T
    white = whitening @ columns
    best, best_contrast, is_settled = np.eye(p), -np.inf, False
    for _ in range(n_starts):
        rotation, is_still = _fixed_point(white, shares, rng.normal(size=(p, p)), must_stop)
        contrast = _distance_from_gaussian(rotation @ white, shares)
        if contrast > best_contrast:
            best, best_contrast = rotation, contrast
        is_settled |= is_still
        if must_stop():
            break
    return best @ whitening, is_settled


def order_of_unmixing(unmixed: Floats, waits: Flags | None = None) -> tuple[Order, Floats]:
    """The order that a matrix of sources by columns tells, and the effects: row i has those on column i.

    Each column gets the source that has most of it, Σ 1/|w| being least; the smallest effects are then left
    out until an order is possible. `waits` says which columns come after which in any case.
    """
    p = len(unmixed)
    cost = 1.0 / np.maximum(np.abs(unmixed), NOTHING)
    sources, columns = csgraph.min_weight_full_bipartite_matching(sparse.csr_array(cost))
    own = unmixed[sources[np.argsort(columns)]]
    effects = np.eye(p) - own / np.diag(own)[:, None]
    waits = np.zeros((p, p), dtype=np.bool_) if waits is None else waits
    return least_cut_order(np.where(waits.T, 0.0, effects), waits), effects


def _fixed_point(white: Floats, shares: Floats, start: Floats, must_stop: MustStop) -> tuple[Floats, bool]:
    rotation = _orthogonal(start)
    for _ in range(MOST_STEPS):
        bent = np.tanh(rotation @ white)
        slope = 1.0 - np.square(bent) @ shares
        turned = _orthogonal((bent * shares) @ white.T - slope[:, None] * rotation)
        cosine = np.abs(np.einsum("ij,ij->i", turned, rotation))
        rotation = turned
        if 1.0 - cosine.min() < STILL:
            return rotation, True
        if must_stop():
            break
    return rotation, False


def _orthogonal(matrix: Floats) -> Floats:
    """The nearest orthogonal matrix: (M Mᵀ)^(−½) M."""
    values, vectors = np.linalg.eigh(matrix @ matrix.T)
    found: Floats = (vectors / np.sqrt(np.maximum(values, NOTHING))) @ vectors.T @ matrix
    return found


def _distance_from_gaussian(sources: Floats, shares: Floats) -> float:
    size = np.abs(sources)
    of_each = (size + np.log1p(np.exp(-2.0 * size)) - np.log(2.0)) @ shares
    return float(np.square(of_each - TAILS_OF_GAUSSIAN).sum())
