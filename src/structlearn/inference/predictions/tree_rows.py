"""Discrete models where rows lack different values: all along one junction tree, whatever they lack."""

import numpy as np
from numpy.typing import NDArray

from structlearn.inference.parts import Parts
from structlearn.inference.predictions.known_rows import Integers, refuse_impossible
from structlearn.models.factors_product import FactorProduct
from structlearn.numerics.junction_tree import JunctionTree, TooWideError

Floats = NDArray[np.float64]
BATCH_CELLS = 2**22  # 32 MiB of the tree's tables at once
FEW_CELLS = 2**14  # of a tree that takes a row no longer than a sum over what bears on its answer, two ms


def tree_of(parts: Parts) -> tuple[JunctionTree, Floats] | None:
    """The junction tree of a model and the logarithms of its tables; None where the graph is too wide."""
    n_factors = len(parts.factors.has_zeros)
    product = FactorProduct.of_logs(
        tuple(parts.levels.tolist()),
        [(tuple(parts.factors.scope(f)), parts.factors.log_table(f, parts.levels)) for f in range(n_factors)],
    )
    try:
        return product.layout.tree, product.layout.entered(product.logs)
    except TooWideError:
        return None


def tree_shares(owner: str, parts: Parts, codes: Integers, target: int) -> Floats | None:
    """The probability of each state of a node in each row; None where the tree would be large."""
    found = tree_of(parts)
    if found is None or found[0].n_cells > FEW_CELLS:
        return None
    tree, entered = found
    open_codes = codes.copy()
    open_codes[:, target] = -1
    different, number = np.unique(open_codes, axis=0, return_inverse=True)
    size = max(1, BATCH_CELLS // tree.n_cells)
    shares, possible = [], []
    for start in range(0, len(different), size):
        with np.errstate(divide="ignore", invalid="ignore"):  # an impossible row has a total of -inf
            calibrated = tree.calibrate(entered, different[start : start + size])
        possible.append(np.isfinite(calibrated.log_z))
        shares.append(tree.margins(calibrated)[target])
    number = number.ravel()
    refuse_impossible(owner, np.flatnonzero(~np.concatenate(possible)[number]))
    return np.concatenate(shares)[number]
