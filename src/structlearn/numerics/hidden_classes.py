"""Classes within which discrete items are independent, by expectation-maximisation from many starts."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

FIRST_STEPS = 50  # of every start; then most differ by more than they will still gain
GO_ON = 5  # of the starts where rows are many: the best after the first steps need not be it at the end
MOST_DRAWN = 4096  # rows for the first steps: enough to tell good starts from bad ones
MOST_STEPS = 5000  # where there are more classes than the items show, steps shrink slowly
FEWEST_STEPS = 200  # however many rows there are
MOST_WORK = 5e9  # products in all steps after the first: some seconds
TOLERANCE = 1e-12  # of the log-likelihood, relative: of three classes for two, steps of 1e-10 end too early


class Items(NamedTuple):
    """Different rows of items, each state a column of `is_state`, and how often each row occurs.

    A row has 0 in all columns of an item that it misses. `starts` says where the states of each item begin.
    """

    is_state: Floats
    starts: Codes
    weights: Floats

    @classmethod
    def of(cls, codes: Codes, levels: Codes, weights: Floats) -> Self:
        """From rows of codes, −1 where a value is missing."""
        rows, number = np.unique(codes, axis=0, return_inverse=True)
        starts = np.cumsum(levels) - levels
        is_state = np.zeros((len(rows), int(levels.sum())))
        row, item = np.nonzero(rows >= 0)
        is_state[row, starts[item] + rows[row, item]] = 1.0
        return cls(is_state, starts, np.bincount(number.ravel(), weights, len(rows)).astype(np.float64))

    def drawn(self, n_rows: int, rng: np.random.Generator) -> "Items":
        """So many rows, drawn as often as they occur."""
        shares = self.weights / self.weights.sum()
        number, counts = np.unique(rng.choice(len(shares), n_rows, p=shares), return_counts=True)
        return Items(self.is_state[number], self.starts, counts.astype(np.float64))


class Classes(NamedTuple):
    """Sizes of classes and, in each, shares of the states: axes (start, class) and (start, class, state)."""

    sizes: Floats
    shares: Floats

    def taken(self, starts: Codes) -> "Classes":
        """Some of the starts."""
        return Classes(self.sizes[starts], self.shares[starts])


class Climb(NamedTuple):
    """The best of several climbs: its classes, the log-likelihoods of its last steps, and how it ended."""

    sizes: Floats
    shares: Floats
    log_likelihoods: Floats
    converged: bool


def best_classes(items: Items, n_classes: int, n_starts: int, rng: np.random.Generator) -> Climb:
    """The classes of most likelihood that random starts lead to; those of the largest size come first."""
    few = items if len(items.weights) <= MOST_DRAWN else items.drawn(MOST_DRAWN, rng)
    found, path = _climbed(few, _drawn(items, n_classes, n_starts, rng), FIRST_STEPS)
    work = items.is_state.size * n_classes
    is_quick = work * n_starts * MOST_STEPS <= MOST_WORK
    best = np.argsort(-path[-1], kind="stable")[: n_starts if is_quick else GO_ON]
    most_steps = int(np.clip(MOST_WORK / (work * len(best)), FEWEST_STEPS, MOST_STEPS))
    found, path = _climbed(items, found.taken(best), most_steps)
    winner = int(path[-1].argmax())
    order = np.lexsort([found.shares[winner, :, 0], -found.sizes[winner].round(9)])
    return Climb(
        found.sizes[winner, order], found.shares[winner, order], path[:, winner], len(path) <= most_steps
    )


def _drawn(items: Items, n_classes: int, n_starts: int, rng: np.random.Generator) -> Classes:
    shares = rng.standard_exponential((n_starts, n_classes, items.is_state.shape[1]))
    return Classes(np.full((n_starts, n_classes), 1.0 / n_classes), _normed(shares, items.starts))


def _climbed(items: Items, classes: Classes, most_steps: int) -> tuple[Classes, Floats]:
    """Classes after at most so many steps, and their log-likelihoods before each step and after the last."""
    path: list[Floats] = []
    while True:
        logs, counts, sizes = _expected(items, classes)
        path.append(logs)
        gained = np.inf if len(path) == 1 else (logs - path[-2]).max()
        if len(path) > most_steps or gained <= TOLERANCE * np.abs(logs).max():
            return classes, np.array(path)
        classes = Classes(sizes / sizes.sum(axis=1, keepdims=True), _normed(counts, items.starts))


def _expected(items: Items, classes: Classes) -> tuple[Floats, Floats, Floats]:
    """The log-likelihood of each start, and how often each state and class is to be expected."""
    tiny = np.finfo(np.float64).tiny
    joint = np.log(np.maximum(classes.shares, tiny)) @ items.is_state.T
    joint += np.log(np.maximum(classes.sizes, tiny))[:, :, None]
    largest = joint.max(axis=1, keepdims=True)
    np.exp(joint - largest, out=joint)
    total = joint.sum(axis=1, keepdims=True)
    logs = (np.log(total) + largest)[:, 0] @ items.weights
    joint *= items.weights / total
    return logs, joint @ items.is_state, joint.sum(axis=2)


def _normed(counts: Floats, starts: Codes) -> Floats:
    """Shares within each item; even ones where nothing is expected."""
    totals = np.add.reduceat(counts, starts, axis=2)
    n_states = np.diff([*starts.tolist(), counts.shape[2]])
    of_state = np.repeat(totals, n_states, axis=2)
    even = np.broadcast_to(np.repeat(1.0 / n_states, n_states), counts.shape).copy()
    found: Floats = np.divide(counts, of_state, out=even, where=of_state > 0.0)
    return found
