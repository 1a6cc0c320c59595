"""Every library and method that takes part."""

from benchmarks.entries import causal_learn, ours, pgmpy, pyagrum, r
from benchmarks.entries.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    *ours.ENTRIES,
    *pyagrum.ENTRIES,
    *pgmpy.ENTRIES,
    *causal_learn.ENTRIES,
    *r.ENTRIES,
)

__all__ = ["ENTRIES", "Entry"]
