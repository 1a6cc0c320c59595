"""The Bayesian Dirichlet score with a prior network."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.data.states import NOWHERE, places_of
from structlearn.errors import OptionError
from structlearn.naming import listed
from structlearn.options import Instance, OrNone, Rules, check_options
from structlearn.scores.dirichlet import PRIOR_SIZE, BDeu, log_rise
from structlearn.scores.protocol import Families
from structlearn.statistics import Counts, Statistics
from structlearn.statistics.column_sorts import Sort

Labels = Mapping[str, tuple[Label, ...]]
"""The states of each column."""

MOST_CELLS = 2**24  # 128 MiB for each of the few tables of a family
SUM_ERROR = 1e-9  # of a table of up to millions of probabilities, each rounded to a double


@runtime_checkable
class PriorDistribution(Protocol):
    """What somebody expects of the columns before the data; any object with these two is one."""

    @property
    def labels(self) -> Labels:
        """The states of each column."""

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each joint state of these columns: an axis per column, states as in `labels`."""


@dataclass(frozen=True, eq=False)
class JointTable:
    """A prior distribution in full, for a few columns: a probability for every joint state.

    Parameters
    ----------
    names : tuple of str
        The columns, an axis of the table each.
    probabilities : array
        One per joint state; they sum to 1.
    labels : mapping of str to sequence of labels, optional
        The states of each column, in the order of its axis; by default 0, 1, ….

    Examples
    --------
    >>> import numpy as np
    >>> from structlearn.scores import JointTable
    >>> both = {"rain": ["no", "yes"], "wet": ["no", "yes"]}
    >>> JointTable(("rain", "wet"), np.array([[0.5, 0.25], [0.0, 0.25]]), both).marginal(["wet"])
    array([0.5, 0.5])
    """

    names: tuple[str, ...]
    probabilities: NDArray[np.float64]
    labels: Labels = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = np.asarray(self.probabilities, dtype=np.float64)
        object.__setattr__(self, "names", tuple(self.names))
        object.__setattr__(self, "probabilities", table)
        if table.ndim != len(set(self.names)) or len(set(self.names)) != len(self.names):
            raise OptionError(f"JointTable: {table.ndim} axes cannot stand for the columns {self.names}.")
        if not (table >= 0.0).all() or abs(table.sum() - 1.0) > SUM_ERROR:
            raise OptionError("JointTable: probabilities are numbers from 0 to 1 that sum to 1.")
        object.__setattr__(self, "labels", self._checked_labels())

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The probability of each joint state of these columns: an axis per column."""
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise OptionError(f"JointTable has no column {unknown[0]!r}; it has {', '.join(self.names)}.")
        axes = [self.names.index(name) for name in names]
        others = tuple(axis for axis in range(len(self.names)) if axis not in axes)
        kept: NDArray[np.float64] = self.probabilities.sum(axis=others)
        return kept.transpose(np.argsort(np.argsort(axes)))

    def _checked_labels(self) -> dict[str, tuple[Label, ...]]:
        sizes = dict(zip(self.names, self.probabilities.shape, strict=True))
        given = self.labels or {name: tuple(range(size)) for name, size in sizes.items()}
        known = {name: tuple(given.get(name, ())) for name in self.names}
        for name, states in known.items():
            if len(set(states)) != len(states) or len(states) != sizes[name]:
                raise OptionError(
                    f"JointTable: labels has {list(states)} for {name!r}, and its axis needs {sizes[name]} "
                    "different ones."
                )
        return known


RULES: Rules = {
    "prior": OrNone(Instance(PriorDistribution, "what is expected of the columns"), "all states alike"),
    "ess": PRIOR_SIZE,
}


@dataclass(frozen=True)
class BDe:
    """Log marginal likelihood under the Dirichlet prior of a prior network; without one it is `BDeu` [1]_.

    The prior is worth `ess` rows, spread over the cells of each family's table as `prior`
    expects them. Score-equivalent, whatever the prior.

    Parameters
    ----------
    prior : PriorDistribution or None, default None
        A `sl.BayesianNetwork`, a `JointTable`, or any object with their `labels` and `marginal`; None
        expects all states alike, and the score is `BDeu`. By its name, as `score="bde"`, it has none.
    ess : float, default 1.0
        How many rows the prior is worth.

    Notes
    -----
    States of the data and of the prior are matched by label, in whatever order either has them. A state that
    the prior does not know is refused; one that it rules out and the data have scores minus infinity.

    References
    ----------
    .. [1] Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination
       of knowledge and statistical data, Machine Learning 20.
    """

    prior: PriorDistribution | None = None
    ess: float = 1.0

    takes: ClassVar[Sort] = "discrete"
    is_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options("BDe", RULES, {"prior": self.prior, "ess": self.ess})

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents."""
        if self.prior is None:
            return BDeu(self.ess).local(statistics, families)
        scores, known = np.empty(len(families)), self.prior.labels
        for i, (child, *parents) in enumerate(families.tolist()):
            columns = [*parents, child]
            _refuse_large_family([statistics.names[j] for j in columns], known)
            expected = self.prior.marginal([statistics.names[j] for j in columns])
            counts = _by_states_of(known, statistics, columns)
            scores[i] = _evidence(counts, self.ess * expected)
        return scores


def _refuse_large_family(names: list[str], known: Labels) -> None:
    *parents, child = names
    n_cells = math.prod(len(known.get(name, ())) for name in names)
    if n_cells > MOST_CELLS:
        raise OptionError(
            f"BDe: {child!r} with {len(parents)} parents has {n_cells:.2g} joint states, of each of which "
            f"the prior says something; {MOST_CELLS:,} are the most. Set max_parents."
        )


def _by_states_of(known: Labels, statistics: Statistics, columns: list[int]) -> Counts:
    """The counts of some columns, with the states that the prior knows along each axis."""
    counts = statistics.counts(columns)
    for axis, column in enumerate(columns):
        name, labels = statistics.names[column], statistics.labels[column]
        wanted = tuple(known.get(name, ()))
        if labels != wanted:
            counts = np.moveaxis(_along(np.moveaxis(counts, axis, 0), name, labels, wanted), 0, axis)
    return counts


def _along(counts: Counts, name: str, labels: tuple[Label, ...], known: tuple[Label, ...]) -> Counts:
    """The counts with the states of the first axis put where the prior has them."""
    moved = np.zeros((len(known), *counts.shape[1:]), dtype=counts.dtype)
    for label, place, own in zip(labels, places_of(labels, known), counts, strict=True):
        if place != NOWHERE:
            moved[place] += own
        elif own.any():
            raise OptionError(
                f"BDe: column {name!r} has the state {label!r}, and the prior knows {listed(known)} only. "
                "Give both the same labels."
            )
    return moved


def _evidence(counts: Counts, prior: NDArray[np.float64]) -> float:
    """The log marginal likelihood of a table whose last axis is the child."""
    if np.any((prior == 0.0) & (counts > 0)):
        return -math.inf
    return _log_rising(prior, counts) - _log_rising(prior.sum(axis=-1), counts.sum(axis=-1))


def _log_rising(start: NDArray[np.float64], steps: Counts) -> float:
    """The sum of ln Γ(start + steps) - ln Γ(start), over places with any steps."""
    some = steps > 0
    return float(log_rise(start[some], steps[some]).sum())
