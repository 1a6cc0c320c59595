"""What a run asked of the engine that has the rows."""

from dataclasses import dataclass

from structlearn.statistics.engines.protocol import Ledger

WAYS = {
    "": "was looked at only",
    "collapsed": "gave its different rows, with their numbers and moments, once",
    "packed": "gave its rows, a byte or a number for each value, once",
    "asked": "was asked for tables and moments as they were needed",
}


@dataclass(frozen=True, slots=True)
class Account:
    """The way in which statistics came from an engine, and what that cost.

    `way` is "collapsed" where rows that agree came over as one, "packed" where the rows did as codes, and
    "asked" where tables and moments were asked for as they were needed.
    """

    engine: str
    way: str
    round_trips: int
    rows_scanned: int
    bytes_moved: int

    @classmethod
    def of(cls, engine: str, way: str, ledger: Ledger) -> "Account":
        """What the ledger of an engine says by now."""
        return cls(engine, way, ledger.round_trips, ledger.rows_scanned, ledger.bytes_moved)

    @property
    def sentence(self) -> str:
        """The way in words."""
        return f"{self.engine} {WAYS[self.way]}."

    def __str__(self) -> str:
        return (
            f"{self.sentence[:-1]}: {self.round_trips:,} round trips, {self.rows_scanned:,} rows "
            f"scanned, {self.bytes_moved:,} bytes moved."
        )
