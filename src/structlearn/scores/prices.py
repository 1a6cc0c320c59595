"""What a free parameter costs, by the number of rows."""

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol


class Price(Protocol):
    """How many natural units of log-likelihood a parameter has to bring."""

    @property
    def name(self) -> str:
        """How the name of a score with this price ends; empty where such scores have no name."""

    def nats(self, size: float) -> float:
        """The price of a parameter in data of so many rows."""


@dataclass(frozen=True)
class Free:
    """Parameters cost nothing: more parents never lose."""

    name: ClassVar[str] = "LogLikelihood"

    def nats(self, size: float) -> float:  # noqa: ARG002, whatever the rows
        """The price of a parameter in data of so many rows."""
        return 0.0


@dataclass(frozen=True)
class Akaike:
    """One for each parameter."""

    name: ClassVar[str] = "AIC"

    def nats(self, size: float) -> float:  # noqa: ARG002, whatever the rows
        """The price of a parameter in data of so many rows."""
        return 1.0


@dataclass(frozen=True)
class Schwarz:
    """Half the logarithm of the number of rows.

    Parameters
    ----------
    rows : float or None, default None
        The rows to price by; by default those of the data. Where columns were set in some rows, a family has
        fewer than the table, and either number will do in large tables.
    """

    rows: float | None = None

    @property
    def name(self) -> str:
        """How the name of a score with this price ends."""
        return "BIC" if self.rows is None else ""

    def nats(self, size: float) -> float:
        """The price of a parameter in data of so many rows."""
        return 0.5 * math.log(size if self.rows is None else self.rows)


@dataclass(frozen=True)
class Bits:
    """So many bits, whatever the rows."""

    bits: float

    name: ClassVar[str] = ""

    def nats(self, size: float) -> float:  # noqa: ARG002, whatever the rows
        """The price of a parameter in data of so many rows."""
        return self.bits * math.log(2.0)
