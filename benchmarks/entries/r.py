"""bnlearn, pcalg, glasso, huge and glmnet, in R: `peers.R` calls them."""

import subprocess
from dataclasses import dataclass
from functools import cache
from shutil import which

from benchmarks.entries.entry import Answer, Entry
from benchmarks.tables import Table


@dataclass(frozen=True)
class REntry(Entry):
    """A method of an R package, timed by its own script."""

    @property
    def is_installed(self) -> bool:
        """Whether there is R, and it has the package."""
        return _has_package(self.library)


@cache
def _has_package(name: str) -> bool:
    rscript = which("Rscript")
    if rscript is None:
        return False
    asked = f"quit(status = !requireNamespace('{name}', quietly = TRUE))"
    return subprocess.run([rscript, "-e", asked], capture_output=True, check=False).returncode == 0


def _in_r(table: Table) -> None:
    raise NotImplementedError("peers.R times this entry")


def _from_r(result: None, table: Table) -> Answer:
    raise NotImplementedError("peers.R reads this entry")


ENTRIES = (
    REntry("bnlearn", "hc", "search", _in_r, _from_r),
    REntry("bnlearn", "tabu", "search", _in_r, _from_r, is_same_work=False),
    REntry("bnlearn", "pc.stable", "pc", _in_r, _from_r),
    REntry("pcalg", "pc", "pc", _in_r, _from_r),
    REntry("glasso", "glasso", "undirected", _in_r, _from_r, ("precision",)),
    REntry("glmnet", "gaussian per node", "undirected", _in_r, _from_r, ("neighborhoods",)),
    REntry("huge", "mb", "undirected", _in_r, _from_r, ("neighborhoods",)),
    REntry("glmnet", "binomial per node", "undirected", _in_r, _from_r, ("ising",)),
)
