"""What a conditional probability distribution (CPD) of one node offers a network."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.models.cpds.family import Family

Rows = NDArray[Any]
"""One value per row: state codes of a discrete node, numbers of a continuous one."""


@runtime_checkable
class CPD(Protocol):
    """The distribution of a node given its parents.

    A node's values come as `Rows`. Parents come as a sequence of `Rows`, one per parent in the
    order of `parents`, so that a kind with both discrete and continuous parents needs no other
    interface.
    """

    form: ClassVar[str]
    """The name of this kind in files and messages."""

    kind: ClassVar[Kind]
    """Whether the node is discrete or continuous."""

    parent_kind: ClassVar[Kind | None]
    """The kind every parent must have; None where both may be mixed."""

    def fit(self, family: Family, *, smoothing: float = 0.0) -> "CPD":
        """Estimate from data; `smoothing` is a number of pseudo-rows, for kinds that have cells.

        A kind that can be estimated without an example of itself has a class method here.
        """

    @property
    def labels(self) -> tuple[Label, ...]:
        """The states of a discrete node; none where the node is continuous."""

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents, in the order of the parameters."""

    @property
    def n_parameters(self) -> int:
        """How many numbers are free."""

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents whose number of states (0: continuous) does not fit the parameters."""

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:
        """Give the log probability (or density) of each row, -inf where it is impossible."""

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:
        """Draw `n` values, one for each row of the parents."""

    def as_table(self) -> NDArray[np.float64] | None:
        """Give each probability: an axis per parent, the node's own last; None where a table cannot be."""

    def to_dict(self) -> dict[str, Any]:
        """Give the parameters as what JSON can hold."""

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a CPD of what `to_dict` gave."""


def is_cpd(thing: object) -> TypeGuard[CPD]:
    """Whether something is a distribution: its class has the name of a form.

    `isinstance` looks for every name of the protocol, and takes longer than reading a table from a file.
    """
    return isinstance(getattr(type(thing), "form", None), str)
