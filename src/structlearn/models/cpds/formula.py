"""A probability formula: a node that is off or on with a probability written in terms of its parents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import refuse_other_levels, two_labels
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.observed_cells import observed_cells
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD
from structlearn.models.cpds.switches import refuse_other_than_switches, switch_states, table_of_switches
from structlearn.models.formulas import Atom, Combination, Formula
from structlearn.models.formulas.dual import Point
from structlearn.models.formulas.maximum import Counted, best_parameters
from structlearn.models.formulas.plain import from_plain, to_plain
from structlearn.models.formulas.terms import Term, as_formula, parameters_of, walk, with_parameters


class FormulaCPD(ShownCPD):
    """A node of two states that is on with the probability that a formula gives.

    The parents are the atoms of the formula, in the order in which they first occur; each has two
    states and counts as 0 or 1. The second state is on.

    Parameters
    ----------
    formula : Formula or float
        Built of `Atom`, `Parameter`, numbers, products, choices and combinations; see
        `structlearn.models.formulas`.
    labels : iterable of str, int, float or bool, default (False, True)
        The two states of the node, off before on.

    References
    ----------
    .. [1] M. Jaeger. Relational Bayesian networks. Proceedings of UAI, 1997.

    Examples
    --------
    >>> from structlearn.models import FormulaCPD
    >>> from structlearn.models.formulas import Atom, NoisyOr
    >>> cpd = FormulaCPD(NoisyOr(0.3 * Atom("smokes"), 0.1))
    >>> cpd
    <FormulaCPD: noisy-or{0.3*smokes, 0.1}>
    >>> cpd.as_table()[:, 1].round(4)  # 1 - 0.7 · 0.9 = 0.37 for smokers
    array([0.1 , 0.37])
    """

    form: ClassVar[str] = "formula"
    kind: ClassVar[Kind] = "discrete"
    parent_kind: ClassVar[Kind | None] = "discrete"

    def __init__(self, formula: Term, *, labels: Iterable[Label] = (False, True)) -> None:
        self.labels = two_labels("FormulaCPD", labels)
        self.formula: Formula = as_formula(formula)
        self.parameters = parameters_of(self.formula)
        for part in walk(self.formula):
            if isinstance(part, Combination) and part.over:
                raise DataError(
                    f"FormulaCPD: {part} goes over objects ({', '.join(part.over)}). Ground the formulas "
                    "to get a network of their atoms; see structlearn.models.ground."
                )

    def fit(self, family: Family, *, smoothing: float = 0.0) -> "FormulaCPD":
        """Estimate the parameters by maximum likelihood; numbers stay as they are.

        The likelihood may have several maxima: the search goes from the present values, from four random
        points and, with up to three parameters, from the best of a grid, and takes the best.

        Parameters
        ----------
        family : Family
            The node and its parents in the data.
        smoothing : float, default 0.0
            Pseudo-rows, with the parents as in the data and the node as often off as on.
        """
        found = best_parameters([self.counted(family, smoothing=smoothing)], self.parameters)
        return self.with_parameters(found, labels=family.labels)

    def counted(self, family: Family, *, smoothing: float = 0.0) -> Counted:
        """The formula beside the counts of a family, for a fit."""
        refuse_other_than_switches(self.form, family)
        if set(family.parent_names) != set(self.parents):
            raise DataError(
                f"The formula of {family.name!r} has the atoms {self.parents}, and the graph has the parents "
                f"{family.parent_names}. Draw an edge from each atom, and no other."
            )
        cells = observed_cells(family).smoothed(smoothing)
        atoms = zip(family.parent_names, cells.parents, strict=True)
        return Counted(self.formula, {name: states.astype(float) for name, states in atoms}, cells.counts)

    def with_parameters(
        self, values: Mapping[str, float], *, labels: Iterable[Label] | None = None
    ) -> "FormulaCPD":
        """The same formula with other values of its parameters, and with other labels where given."""
        changed = with_parameters(self.formula, values)
        return FormulaCPD(changed, labels=self.labels if labels is None else labels)

    @property
    def parents(self) -> tuple[str, ...]:
        """The atoms of the formula, in the order in which they first occur."""
        return tuple(dict.fromkeys(part.name for part in walk(self.formula) if isinstance(part, Atom)))

    @property
    def n_parameters(self) -> int:
        """The named parameters."""
        return len(self.parameters)

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents that do not have two states."""
        refuse_other_levels(self.form, child, dict.fromkeys(self.parents, 2), levels)

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log probability of each row, -inf where it is impossible."""
        on = self._shares_on(parents, len(values))
        with np.errstate(divide="ignore"):
            return np.where(np.asarray(values) == 1, np.log(on), np.log1p(-on))

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw codes: on where a uniform draw lies below the probability of it."""
        drawn: Rows = (rng.random(n) < self._shares_on(parents, n)).astype(np.int64)
        return drawn

    def as_table(self) -> NDArray[np.float64]:
        """Give each probability: an axis per parent, the node's own last."""
        n_parents = len(self.parents)
        states = switch_states(self.form, n_parents)
        return table_of_switches(self._shares_on(list(states), states.shape[1]), n_parents)

    def to_dict(self) -> dict[str, Any]:
        """Give labels and formula as what JSON can hold."""
        return {"labels": list(self.labels), "formula": to_plain(self.formula)}

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a CPD of what `to_dict` gave."""
        try:
            return cls(from_plain(known["formula"]), labels=known["labels"])
        except RecursionError:
            raise DataError("FormulaCPD: the formula nests too deeply.") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FormulaCPD):
            return NotImplemented
        return (self.formula, self.labels) == (other.formula, other.labels)

    def __hash__(self) -> int:
        return hash((self.formula, self.labels))

    def shown(self) -> str:
        """The formula, and the value of each parameter."""
        values = [f"{name} = {value:g}" for name, value in self.parameters.items()]
        return "\n".join([f"P({self.labels[1]}) = {self.formula}", *values])

    def __repr__(self) -> str:
        where = ", ".join(f"{name} = {value:g}" for name, value in self.parameters.items())
        return f"<FormulaCPD: {self.formula}{f'; {where}' if where else ''}>"

    def _shares_on(self, parents: Sequence[Rows], n: int) -> NDArray[np.float64]:
        states = [np.asarray(rows, dtype=np.float64) for rows in parents]
        return self.formula.evaluate(Point(n, dict(zip(self.parents, states, strict=True)))).value
