"""Whether what is left of the columns is noise as it should be."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.numerics.products import product
from structlearn.run import MustStop, OutOfTime, Run, never

Floats = NDArray[np.float64]

GAUSSIAN = 0.05  # the p-value above which noise may be Gaussian
DEPENDENT = 0.01  # the probability that chance alone has one warned of residuals that depend on each other
FEWEST_ROWS = 20  # in fewer the tests below say nothing
TIED = 0.5  # the share of rows with the commonest value above which a column is no measurement


def normality(residuals: Floats, shares: Floats, size: float) -> Floats:
    """The p-value of Jarque and Bera for each column of standardised residuals."""
    squares = np.square(residuals)  # of which powers are products: those of numpy are ten times slower
    skew, tails = shares @ (squares * residuals), shares @ np.square(squares) - 3.0
    statistic = size / 6.0 * (np.square(skew) + np.square(tails) / 4.0)
    return np.asarray(special.chdtrc(2, statistic))


def most_dependent(
    residuals: Floats, shares: Floats, size: float, must_stop: MustStop = never
) -> tuple[int, int, float]:
    """The two columns of residuals that depend most on each other, with a p-value for the most of all.

    A direction and a size of each, both bounded, are correlated with those of the other: four numbers for
    each pair, all of which Bonferroni's p-value counts. Raises `OutOfTime`.
    """
    p = residuals.shape[1]
    bent = np.hstack([np.tanh(residuals), np.exp(-0.5 * np.square(residuals))])
    bent = bent - shares @ bent
    bent = bent / np.sqrt(shares @ np.square(bent))
    related = np.abs(product(bent.T * shares, bent, must_stop)).reshape(2, p, 2, p).max(axis=(0, 2))
    related = np.triu(related, k=1)
    i, j = (int(place) for place in np.unravel_index(related.argmax(), related.shape))
    z = np.arctanh(min(float(related[i, j]), 1.0 - 1e-15)) * np.sqrt(max(size - 3.0, 1.0))
    return i, j, min(1.0, 2.0 * p * (p - 1) * 2.0 * float(special.ndtr(-z)))


def warn_of_noise(names: Sequence[str], residuals: Floats, shares: Floats, size: float, run: Run) -> Floats:
    """Warn where noise does not tell the order, or is not noise alone; gives the p-values of normality.

    Where time was up, what is left of columns is not noise yet, and nothing is said.
    """
    p_values = normality(residuals, shares, size)
    if size < FEWEST_ROWS or len(names) < 2 or run.must_stop():
        return p_values
    may_be = [name for name, p_value in zip(names, p_values, strict=True) if p_value > GAUSSIAN]
    if len(may_be) > 1:
        shown = ", ".join(may_be[:5]) + (" …" if len(may_be) > 5 else "")
        run.warn(
            f"the noise of {len(may_be)} columns may be Gaussian ({shown}), and of such columns nothing here "
            "tells which comes first: their arrows may point either way."
        )
    try:
        i, j, p_value = most_dependent(residuals, shares, size, run.must_stop)
    except OutOfTime:
        return p_values
    if p_value < DEPENDENT:
        run.warn(
            f"what is left of {names[i]!r} and of {names[j]!r} is not independent (p = {p_value:.2g}): a "
            "common cause may be missing from the table, or effects are of another form. FCI allows for such "
            "causes."
        )
    return p_values


def warn_of_ties(names: Sequence[str], rows: Floats, run: Run) -> None:
    """Warn of columns in which one value is most of the rows: noise has no value twice."""
    if len(rows) < FEWEST_ROWS:
        return
    ordered = np.sort(rows, axis=0)
    half = int(TIED * len(rows))
    is_tied = (ordered[half:] == ordered[: len(rows) - half]).any(axis=0)
    tied = [name for name, found in zip(names, is_tied, strict=True) if found]
    if tied:
        run.warn(
            f"more than half of the rows have one value in {', '.join(map(repr, tied))}; such a column is "
            "no sum of causes and noise, and its place in the order means little."
        )
