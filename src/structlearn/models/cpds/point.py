"""A fixed number: a continuous node that is set from outside."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.models.cpds.arguments import finite_array
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD


class PointCPD(ShownCPD):
    """All probability on one number, without parents: what `BayesianNetwork.do` gives a continuous node.

    The log probability of that number is 0 and of any other -inf: a probability, not a density.

    Parameters
    ----------
    value : float
        The number.

    Examples
    --------
    >>> from structlearn.models import PointCPD
    >>> PointCPD(2.5)
    <PointCPD: 2.5>
    """

    form: ClassVar[str] = "point"
    kind: ClassVar[Kind] = "continuous"
    parent_kind: ClassVar[Kind | None] = None

    def __init__(self, value: float) -> None:
        self.value = float(finite_array("PointCPD", "value", value).reshape(()))

    def fit(self, family: Family, *, smoothing: float = 0.0) -> Self:  # noqa: ARG002, data do not move it
        """Stay as it is, whatever the data."""
        return self

    @property
    def labels(self) -> tuple[Label, ...]:
        """None: the node is continuous."""
        return ()

    @property
    def parents(self) -> tuple[str, ...]:
        """None: nothing moves it."""
        return ()

    @property
    def n_parameters(self) -> int:
        """None is free."""
        return 0

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """There are no parents to check."""

    def log_probability(self, values: Rows, parents: Sequence[Rows]) -> NDArray[np.float64]:  # noqa: ARG002, there are none
        """Give 0 where a row has the number, else -inf."""
        return np.where(values == self.value, 0.0, -np.inf)

    def normals(self, parents: Sequence[Rows], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:  # noqa: ARG002, there are none
        """The number as a mean, with the variance 0."""
        return np.full(n, self.value), np.zeros(n)

    def sample(self, parents: Sequence[Rows], n: int, rng: np.random.Generator) -> Rows:  # noqa: ARG002, nothing is random
        """Repeat the number."""
        return np.full(n, self.value)

    def as_table(self) -> None:
        """None: the node is continuous."""

    def to_dict(self) -> dict[str, Any]:
        """Give the number."""
        return {"value": self.value}

    @classmethod
    def from_dict(cls, known: Mapping[str, Any]) -> Self:
        """Make a point of what `to_dict` gave."""
        return cls(known["value"])

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, PointCPD) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.form, self.value))

    def shown(self) -> str:
        """The number."""
        return f"always {self.value:g}"

    def __repr__(self) -> str:
        return f"<PointCPD: {self.value:g}>"
