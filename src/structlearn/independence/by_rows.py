"""Tests that look at the rows of each question, one question after the other."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.independence.protocol import Answers, Questions
from structlearn.later import distance, special
from structlearn.rounding import DETERMINED
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]

FEWEST_ROWS = 20  # below, approximations of the null distribution do not hold
N_PERMUTATIONS = 199
NOTHING = 1e-10  # of the largest singular value, below which there is only rounding
WIDTH_ROWS = 500  # among which distances are looked at


class Standardised(NamedTuple):
    """The columns of one question, with mean 0 and variance 1; those of `given` that vary."""

    x: Floats
    y: Floats
    given: Floats


class Answer(NamedTuple):
    """What one question comes to."""

    statistic: float
    p_value: float
    is_reliable: bool = True


def answer_by_rows(
    owner: str, statistics: Statistics, questions: Questions, answer: Callable[[Standardised], Answer]
) -> Answers:
    """Answer questions from their rows; of x and y comes first which does in the table, and rows are sorted.

    A column that is constant, or a linear function of the conditions, is independent of all.
    """
    constant = Answer(0.0, 1.0)
    asked = _columns_of(owner, statistics, questions)
    found = [constant if columns is None else answer(columns) for columns in asked]
    statistic, p_value, is_reliable = np.array(found, dtype=np.float64).reshape(-1, 3).T
    return Answers(statistic, np.full(len(questions), np.nan), p_value, reliable=is_reliable > 0.0)


def _columns_of(owner: str, statistics: Statistics, questions: Questions) -> Iterator[Standardised | None]:
    for question in questions.tolist():
        rows = rows_of(owner, statistics, [*sorted(question[:2]), *sorted(question[2:])])
        if rows.weights is not None:
            raise DataError(f"{owner} takes no weights of rows. Use test='fisher-z', or leave weights out.")
        values = rows.values[np.lexsort(rows.values.T)]
        apart = values - values[:1]
        varies = np.abs(apart).max(axis=0) > 0.0
        if not varies[:2].all():
            yield None
            continue
        apart = apart[:, varies] / np.abs(apart[:, varies]).max(axis=0)
        apart = apart - apart.mean(axis=0)
        apart = apart / np.sqrt(np.square(apart).mean(axis=0))
        is_free = _is_free(apart[:, :2], apart[:, 2:])
        yield Standardised(apart[:, 0], apart[:, 1], apart[:, 2:]) if is_free else None


def _is_free(columns: Floats, given: Floats) -> bool:
    """Whether lines leave more than rounding of each column; where rows are few, it is not asked."""
    n, n_conditions = given.shape
    if not 0 < n_conditions < n - 1:
        return True
    left = columns - given @ np.linalg.lstsq(given, columns, rcond=None)[0]
    return bool((np.square(left).mean(axis=0) > DETERMINED).all())


def basis_of(columns: Floats, nothing: float = NOTHING) -> Floats:
    """Orthonormal columns of the same space and the constant: powers of two values are the column itself."""
    design = np.column_stack([np.ones(len(columns)), columns])
    directions, sizes, _ = np.linalg.svd(design / np.linalg.norm(design, axis=0), full_matrices=False)
    found: Floats = directions[:, sizes > sizes[0] * nothing]
    return found


def gamma_tail(statistic: float, mean: float, variance: float) -> float:
    """The probability of at least this much under the gamma distribution with these moments.

    A statistic that is 0 but for rounding may be below.
    """
    if not (mean > 0.0 and variance > 0.0):
        return 1.0
    return float(special.gammaincc(mean**2 / variance, max(statistic, 0.0) * mean / variance))


def median_distance(columns: Floats) -> float:
    """Of rows, evenly spaced in their order where there are many."""
    some = columns[:: -(-len(columns) // WIDTH_ROWS)]
    found = float(np.median(distance.pdist(some)))
    return found if found > 0.0 else 1.0


def permuted_share(kernel: Floats, other: Floats, seed: int) -> float:
    """The share of permutations of the rows that make two kernels agree as much as they do, or more."""
    rng = np.random.default_rng(seed)
    observed = float(np.vdot(kernel, other)) * (1.0 - 1e-12)
    orders = (rng.permutation(len(kernel)) for _ in range(N_PERMUTATIONS))
    n_more = sum(float(np.vdot(kernel, other[np.ix_(order, order)])) >= observed for order in orders)
    return (1 + n_more) / (1 + N_PERMUTATIONS)
