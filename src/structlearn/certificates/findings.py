"""What a check finds."""

from collections.abc import Sequence
from dataclasses import dataclass

WORDS = {True: "holds", False: "FAILS", None: "open"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One claim in words, and whether it holds; None where that was not checked."""

    holds: bool | None
    claim: str

    def __str__(self) -> str:
        return f"{WORDS[self.holds]}: {self.claim}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that a check found; it holds where no claim fails."""

    findings: Sequence[Finding]

    @property
    def holds(self) -> bool:
        """Whether no claim fails."""
        return all(finding.holds is not False for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))
