"""Tests that look at the rows of each question, one question after the other."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.independence.g2 import G2
from structlearn.independence.protocol import Answers, Questions
from structlearn.later import distance, special
from structlearn.rounding import DETERMINED
from structlearn.statistics import Statistics, rows_of

Floats = NDArray[np.float64]

FEWEST_ROWS = 20  # below, approximations of the null distribution do not hold
FEWEST_APART = 10.0  # rows with neither the commonest x nor the commonest y: below, rare events decide
N_PERMUTATIONS = 199
ROWS_PER_STATE = 5  # with 3 no table in 400 was rejected at 0.05
NOTHING = 1e-10  # of the largest singular value, below which there is only rounding
WIDTH_ROWS = 500  # among which distances are looked at


class Standardised(NamedTuple):
    """The columns of one question, with mean 0 and variance 1; those of `given` that vary.

    A discrete x or y is an indicator of each of its states. `strata` are indicators of the states that
    discrete conditions have together: a column of ones without any.
    """

    x: Floats
    y: Floats
    given: Floats
    strata: Floats

    @classmethod
    def continuous(cls, x: Floats, y: Floats, given: Floats) -> "Standardised":
        """Of two columns and conditions that are all continuous."""
        return cls(x[:, None], y[:, None], given, np.ones((len(x), 1)))

    @property
    def has_rows_for_states(self) -> bool:
        """Whether a discrete x or y has rows enough for its states."""
        n_states: int = max(each.shape[1] for each in (self.x, self.y))
        return n_states == 1 or len(self.x) >= ROWS_PER_STATE * n_states

    @property
    def is_of_rare_events(self) -> bool:
        """Whether few rows are expected to have neither the commonest x nor the commonest y, such as 0."""
        commonest = [np.unique(each, axis=0, return_counts=True)[1].max() for each in (self.x, self.y)]
        n = len(self.x)
        return bool((n - commonest[0]) * (n - commonest[1]) < FEWEST_APART * n)

    def within_strata(self, columns: Floats) -> Floats:
        """Each column in each stratum, 0 elsewhere."""
        blocks = self.strata[:, :, None] * columns[:, None, :]
        found: Floats = blocks.reshape(len(columns), -1)
        return found


class Answer(NamedTuple):
    """What one question comes to."""

    statistic: float
    p_value: float
    is_reliable: bool = True


def answer_by_rows(
    owner: str, statistics: Statistics, questions: Questions, answer: Callable[[Standardised], Answer]
) -> Answers:
    """Answer questions from their rows; of x and y comes first which does in the table, and rows are sorted.

    A column that is constant, or a linear function of the conditions, is independent of all. Questions about
    discrete columns alone are those of tables, and G² answers them.
    """
    is_discrete = statistics.levels > 0
    of_tables = is_discrete[questions].all(axis=1)
    found = np.zeros((len(questions), 4))
    log_p = np.zeros(len(questions))
    for place in np.flatnonzero(~of_tables).tolist():
        columns = _columns_of(owner, statistics, questions[place].tolist(), is_discrete)
        known = Answer(0.0, 1.0) if columns is None else answer(columns)
        has_rows = columns is None or columns.has_rows_for_states
        found[place] = known.statistic, np.nan, known.p_value, known.is_reliable and has_rows
    with np.errstate(divide="ignore"):
        log_p[~of_tables] = np.log(found[~of_tables, 2])
    if of_tables.any():
        tables = G2().many(statistics, questions[of_tables])
        found[of_tables] = np.column_stack([tables.statistic, tables.dof, tables.p_value, tables.is_reliable])
        log_p[of_tables] = tables.log_p
    statistic, dof, p_value, reliable = found.T
    return Answers(statistic, dof, p_value, log_tail=lambda: log_p, reliable=reliable > 0.0)


def _columns_of(
    owner: str, statistics: Statistics, question: list[int], is_discrete: NDArray[np.bool_]
) -> Standardised | None:
    """The columns of a question; None where x or y does not vary by itself."""
    asked = [*sorted(question[:2]), *sorted(question[2:])]
    rows = rows_of(owner, statistics, asked)
    if rows.weights is not None:
        raise DataError(f"{owner} takes no weights of rows. Use test='fisher-z', or leave weights out.")
    values = rows.values[np.lexsort(rows.values.T)]
    varies = (values != values[:1]).any(axis=0)
    if not varies[:2].all():
        return None
    kinds = is_discrete[asked]
    x, y = (_indicators(values[:, [j]]) if kinds[j] else _standard(values[:, [j]]) for j in (0, 1))
    is_condition = varies & (np.arange(len(asked)) > 1)
    strata = _indicators(values[:, is_condition & kinds])
    found = Standardised(x, y, _standard(values[:, is_condition & ~kinds]), strata)
    return found if _is_free(found) else None


def _standard(values: Floats) -> Floats:
    """Columns with mean 0 and variance 1, whatever their units."""
    apart = values - values[:1]
    return standardised(apart / np.abs(apart).max(axis=0))


def standardised(columns: Floats) -> Floats:
    """Columns with mean 0 and variance 1, or 0 where they are constant."""
    centred = columns - columns.mean(axis=0)
    deviation = np.sqrt(np.square(centred).mean(axis=0))
    found: Floats = centred / np.where(deviation > 0.0, deviation, 1.0)
    return found


def _indicators(codes: Floats) -> Floats:
    """In which rows discrete columns have each of the states that they have together."""
    n_rows, n_columns = codes.shape
    if not n_columns:
        return np.ones((n_rows, 1))
    states, state = np.unique(codes, axis=0, return_inverse=True)
    found: Floats = np.eye(len(states))[state.ravel()]
    return found


def _is_free(columns: Standardised) -> bool:
    """Whether lines leave more than rounding of each column; where rows are few, it is not asked."""
    design = np.hstack([columns.given, columns.strata])
    n, n_terms = design.shape
    if not 1 < n_terms < n:
        return True
    return all(
        (
            np.square(each - design @ np.linalg.lstsq(design, each, rcond=None)[0]).mean(axis=0) > DETERMINED
        ).any()
        for each in (columns.x, columns.y)
    )


def basis_of(design: Floats, nothing: float = NOTHING) -> Floats:
    """Orthonormal columns of the same space: powers of two values are the column itself."""
    sizes = np.linalg.norm(design, axis=0)
    directions, singular, _ = np.linalg.svd(design[:, sizes > 0.0] / sizes[sizes > 0.0], full_matrices=False)
    found: Floats = directions[:, singular > singular[0] * nothing]
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
    most = float(np.linalg.norm(kernel) * np.linalg.norm(other))
    return _permuted(
        lambda order: float(np.vdot(kernel, other[np.ix_(order, order)])), most, len(kernel), seed
    )


def permuted_share_of_features(x: Floats, y: Floats, seed: int) -> float:
    """The same of the kernels that are products of features, of any number of rows."""
    most = float(np.square(x).sum() * np.square(y).sum())
    return _permuted(lambda order: float(np.square(x.T @ y[order]).sum()), most, len(x), seed)


def _permuted(agreement: Callable[[NDArray[np.int64]], float], most: float, n: int, seed: int) -> float:
    rng = np.random.default_rng(seed)
    observed = agreement(np.arange(n)) - 1e-12 * most  # rows that are equal make ties, but for rounding
    n_more = sum(agreement(rng.permutation(n)) >= observed for _ in range(N_PERMUTATIONS))
    return (1 + n_more) / (1 + N_PERMUTATIONS)
