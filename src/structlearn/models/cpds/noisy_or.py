"""A noisy-or: each parent that is on may turn the node on, independently of the others."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError, warn
from structlearn.models.cpds.arguments import (
    checked_mapping,
    checked_names,
    probability,
    refuse_other_levels,
    two_labels,
)
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.noisy_or_fit import fit_hazards
from structlearn.models.cpds.observed_cells import ObservedCells, observed_cells
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD
from structlearn.models.cpds.switches import refuse_other_than_switches, switch_states, table_of_switches
from structlearn.options import Flag, Rules, check_options
from structlearn.shown import Listing

RULES: Rules = {"leak": Flag("whether the node may be on though every parent is off")}


class NoisyOrCPD(ShownCPD):
    """A node of two states that is off only if each of its causes fails.

    A parent that is on turns the node on with its strength, and fails otherwise; a leak does so without
    any parent. The second state is on, of the node and of each parent.

    Parameters
    ----------
    strengths : mapping of str to float
        The probability that each parent, when it is on, turns the node on.
    leak : float or None, default None
        The probability that the node is on though every parent is off; None where it cannot be.
    labels : iterable of str, int, float or bool
        The two states of the node, off before on.
    unidentified : iterable of str, default ()
        The parents that were never on when this was fitted; their strengths are guesses.

    References
    ----------
    .. [1] J. Pearl. Probabilistic Reasoning in Intelligent Systems. Morgan Kaufmann, 1988, section 4.3.2.

    Examples
    --------
    >>> from structlearn.models import NoisyOrCPD
    >>> cpd = NoisyOrCPD({"flu": 0.8, "cold": 0.6}, leak=0.05, labels=["well", "fever"])
    >>> cpd
    <NoisyOrCPD: flu 0.8, cold 0.6, leak 0.05>
    >>> cpd.as_table()[..., 1].round(4)  # 1 - 0.95 · 0.2 · 0.4 = 0.924 with both
    array([[0.05 , 0.62 ],
           [0.81 , 0.924]])
    """

    form: ClassVar[str] = "noisy-or"
    kind: ClassVar[Kind] = "discrete"
    parent_kind: ClassVar[Kind | None] = "discrete"

    def __init__(
        self,
        strengths: Mapping[str, float],
        *,
        leak: float | None = None,
        labels: Iterable[Label],
        unidentified: Iterable[str] = (),
    ) -> None:
        self.labels = two_labels("NoisyOrCPD", labels)
        known = checked_mapping("NoisyOrCPD", "strengths", strengths)
        self.strengths = {
            name: probability("NoisyOrCPD", f"strength of {name!r}", value) for name, value in known.items()
        }
        self.leak = None if leak is None else probability("NoisyOrCPD", "leak", leak)
        self.unidentified = checked_names("NoisyOrCPD", "unidentified", unidentified, self.strengths)

    @classmethod
    def fit(cls, family: Family, *, smoothing: float = 0.0, leak: bool = True) -> Self:
        """Estimate by maximum likelihood.

        The log-likelihood is concave in the logarithms of the failures, so its maximum is found.

        Parameters
        ----------
        family : Family
            The node and its parents in the data.
        smoothing : float, default 0.0
            Pseudo-rows, with the parents as in the data and the node as often off as on.
        leak : bool, default True
            Whether the node may be on though every parent is off.

        Warns
        -----
        DataWarning
            A parent is never on. Its strength is set to 0.5, and `unidentified` names it.
        """
        check_options("NoisyOrCPD.fit", RULES, {"leak": leak})
        refuse_other_than_switches(cls.form, family)
        cells = observed_cells(family).smoothed(smoothing)
        causes = _causes(cells, leak=leak)
        if not leak:
            cells, causes = _with_a_cause(family.name, cells, causes)
        strengths = -np.expm1(-fit_hazards(causes, cells.counts))
        return cls(
            dict(zip(family.parent_names, strengths.tolist(), strict=False)),
            leak=float(strengths[-1]) if leak else None,
            labels=family.labels,
            unidentified=_warned_of_parents_never_on(family, causes),
        )

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents, in the order of the strengths."""
        return tuple(self.strengths)

    @property
    def n_parameters(self) -> int:
        """The strengths, and the leak where there is one."""
        return len(self.strengths) + (self.leak is not None)

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents that do not have two states."""
        refuse_other_levels(self.form, child, dict.fromkeys(self.parents, 2), levels)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log probability of each row, -inf where it is impossible."""
        log_off = self._log_failures(parents, len(values))
        with np.errstate(divide="ignore"):
            return np.where(np.asarray(values) == 1, np.log(-np.expm1(log_off)), log_off)

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw codes: on where a uniform draw lies below the probability of it."""
        drawn: Rows = (rng.random(n) < -np.expm1(self._log_failures(parents, n))).astype(np.int64)
        return drawn

    def as_table(self) -> NDArray[np.float64]:
        """Give each probability: an axis per parent, the node's own last."""
        states = switch_states(self.form, len(self.strengths))
        shares_on = -np.expm1(self._log_failures(list(states), states.shape[1]))
        return table_of_switches(shares_on, len(self.strengths))

    def to_dict(self) -> dict[str, Any]:
        """Give labels, strengths and leak as plain numbers."""
        known = {"labels": list(self.labels), "strengths": self.strengths, "leak": self.leak}
        return {**known, "unidentified": list(self.unidentified)} if self.unidentified else known

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a noisy-or of what `to_dict` gave."""
        return cls(
            known["strengths"],
            leak=known["leak"],
            labels=known["labels"],
            unidentified=known.get("unidentified", ()),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NoisyOrCPD):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def shown(self) -> Listing:
        """Each cause, and how probably it alone turns the node on."""
        on = [f"{name} = {self.states_of(name, 2)[1]}" for name in self.strengths]
        rows = [[cause, f"{p:.4f}"] for cause, p in zip(on, self.strengths.values(), strict=True)]
        rows += [] if self.leak is None else [["none of them (leak)", f"{self.leak:.4f}"]]
        return Listing.of(["cause", f"turns it to {self.labels[1]}"], rows)

    def __repr__(self) -> str:
        causes = [f"{name} {strength:g}" for name, strength in self.strengths.items()]
        causes += [] if self.leak is None else [f"leak {self.leak:g}"]
        return f"<NoisyOrCPD: {', '.join(causes)}>"

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.labels, tuple(self.strengths.items()), self.leak, self.unidentified

    def _log_failures(self, parents: Sequence[Rows], n: int) -> NDArray[np.float64]:
        """The log probability that every active cause fails."""
        logs = np.full(n, _log_failure(self.leak or 0.0))
        for strength, values in zip(self.strengths.values(), parents, strict=True):
            # No product: an infinite logarithm times 0 would be no number.
            logs += np.where(np.asarray(values) == 1, _log_failure(strength), 0.0)
        return logs


def _log_failure(strength: float) -> float:
    return math.log1p(-strength) if strength < 1 else -math.inf


def _causes(cells: ObservedCells, *, leak: bool) -> NDArray[np.float64]:
    n = len(cells.counts)
    columns = [*cells.parents, np.ones(n)] if leak else list(cells.parents)
    return np.array(columns, dtype=np.float64).reshape(len(columns), n).T


def _with_a_cause(
    name: str, cells: ObservedCells, causes: NDArray[np.float64]
) -> tuple[ObservedCells, NDArray[np.float64]]:
    """The cells in which a parent is on: without a leak the others say nothing about the strengths."""
    has_cause = causes.any(axis=1)
    impossible = cells.counts[~has_cause, 1].sum()
    if impossible > 0:
        raise DataError(
            f"{name!r} is on in {impossible:g} rows in which every parent is off, which a noisy-or without a "
            "leak holds impossible. Fit it with leak=True, or give the missing parent."
        )
    kept = ObservedCells(tuple(values[has_cause] for values in cells.parents), cells.counts[has_cause])
    return kept, causes[has_cause]


def _warned_of_parents_never_on(family: Family, causes: NDArray[np.float64]) -> tuple[str, ...]:
    seen = (causes.sum(axis=0) > 0).tolist()
    never = tuple(name for name, is_seen in zip(family.parent_names, seen, strict=False) if not is_seen)
    if never:
        warn(
            f"No row has {', '.join(map(repr, never))} on, so nothing is known about how strongly that "
            f"turns on {family.name!r}: the strength was set to 0.5. Drop that edge, or give more rows."
        )
    return never
