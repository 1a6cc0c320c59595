"""Which penalty of a path to take: by an information criterion, by stability or by cross-validation."""

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataWarning

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

FEW_ROWS = 144  # up to here 10·√n would be most of the rows
MOST_INSTABILITY = 0.05


def penalty_path(largest: float, *, n_penalties: int, smallest_share: float) -> Floats:
    """Penalties from `largest` down to a share of it, each the same share of the one before."""
    if largest <= 0.0:
        return np.zeros(1)
    return largest * np.geomspace(1.0, smallest_share, n_penalties)


def extended_bic(
    log_likelihood: Floats, n_parameters: Floats, *, size: float, n_candidates: float, gamma: float
) -> Floats:
    """−2·log-likelihood + k·log n + 2·γ·k·log(candidates), of Chen and Chen (2008); least is best.

    `n_candidates` is the number of columns that could be chosen: p − 1 for the regression of a
    node, p² for a whole graph (Foygel and Drton, 2010). With γ = 0 it is the BIC. A likelihood that
    is not a number, as of more parameters than rows, makes the criterion infinite.
    """
    k = np.asarray(n_parameters, dtype=np.float64)
    price = np.log(size) + 2.0 * gamma * np.log(max(n_candidates, 1.0))
    criterion = -2.0 * np.asarray(log_likelihood) + price * k
    return np.where(np.isnan(criterion), np.inf, criterion)


def subsamples(n_rows: int, *, n_subsamples: int, generator: np.random.Generator) -> list[Rows]:
    """Rows drawn without replacement, as many as Liu, Roeder and Wasserman (2010) say."""
    n_drawn = int(0.8 * n_rows) if n_rows <= FEW_ROWS else int(10.0 * np.sqrt(n_rows))
    return [np.sort(generator.choice(n_rows, n_drawn, replace=False)) for _ in range(n_subsamples)]


def folds(n_rows: int, *, n_folds: int, generator: np.random.Generator) -> list[Rows]:
    """The rows in `n_folds` parts of about the same size, to be held out one after the other."""
    shuffled = generator.permutation(n_rows)
    return [np.sort(part) for part in np.array_split(shuffled, min(n_folds, n_rows))]


def instability(found: Sequence[NDArray[np.int64]], *, n_pairs: int) -> float:
    """The mean over all pairs of 2·F·(1 − F), with F the share of subsamples that join the pair.

    Each of `found` holds the pairs that one subsample joins, as numbers of any kind.
    """
    if n_pairs == 0:
        return 0.0
    _, counts = np.unique(np.concatenate(found), return_counts=True)
    share = counts / len(found)
    return float((2.0 * share * (1.0 - share)).sum() / n_pairs)


def stable_choice(instabilities: Floats, *, most: float = MOST_INSTABILITY) -> int:
    """The smallest penalty up to which no graph was less stable than `most`; the largest, if none."""
    is_stable = np.maximum.accumulate(instabilities) <= most
    return max(int(is_stable.sum()) - 1, 0)


def predictive_choice(losses: Floats, *, one_standard_error: bool = False) -> int:
    """The penalty with the least mean loss over folds, or the largest one within a standard error.

    `losses` is (folds, penalties), the penalties from large to small.
    """
    mean = losses.mean(axis=0)
    best = int(mean.argmin())
    if not one_standard_error:
        return best
    allowed = mean[best] + losses[:, best].std(ddof=1) / np.sqrt(len(losses))
    return int(np.argmax(mean <= allowed))


def warn_of_the_end(owner: str, chosen: NDArray[np.int64] | int, n_penalties: int) -> None:
    """Say so when the smallest penalty of a path was chosen: a smaller one might be better."""
    if n_penalties > 1 and np.any(np.asarray(chosen) == n_penalties - 1):
        warnings.warn(
            f"{owner}: the smallest penalty of the path was chosen. Give a smaller smallest_share.",
            DataWarning,
            stacklevel=6,
        )
