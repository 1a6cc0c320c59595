"""Every library and method that takes part."""

from benchmarks.entries import (
    causal_learn,
    gglasso,
    ours,
    ours_undirected,
    pgmpy,
    pomegranate,
    pyagrum,
    r,
    skglm,
    sklearn,
)
from benchmarks.entries.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    *ours.ENTRIES,
    *ours_undirected.ENTRIES,
    *pyagrum.ENTRIES,
    *pgmpy.ENTRIES,
    *causal_learn.ENTRIES,
    *pomegranate.ENTRIES,
    *skglm.ENTRIES,
    *sklearn.ENTRIES,
    *gglasso.ENTRIES,
    *r.ENTRIES,
)

__all__ = ["ENTRIES", "Entry"]
