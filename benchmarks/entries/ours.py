"""structlearn's own entries; the first of each task is what the others are compared with."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.entry import Answer, Entry
from benchmarks.tables import Table

UNLIMITED = 15  # columns; beyond, families of any size are too many
N_RESAMPLES = 100


def dataset(table: Table) -> Any:
    """The table as a Dataset, its kinds known."""
    import structlearn as sl

    return sl.Dataset(table.frame(), kinds=dict.fromkeys(table.names, table.kind))


def from_dataset(learner: str, **options: Any) -> Callable[[Table], Callable[[], Any]]:
    """Time `fit` on a prepared Dataset."""

    def prepare(table: Table) -> Callable[[], Any]:
        data = dataset(table)
        method = _learner(learner, table, options)
        return lambda: method.fit(data)

    return prepare


def from_frame(learner: str, **options: Any) -> Callable[[Table], Callable[[], Any]]:
    """Time `fit` on a data frame: its columns are coded inside the clock."""

    def prepare(table: Table) -> Callable[[], Any]:
        frame = table.frame_of_text()
        method = _learner(learner, table, options)
        return lambda: method.fit(frame)

    return prepare


def exact(table: Table) -> Callable[[], Any]:
    """Time the exact search, with a limit on the parents where columns are many."""
    import structlearn as sl

    data = dataset(table)
    method = sl.ExactSearch(max_parents=most_parents(table), progress=False)
    return lambda: method.fit(data)


def most_parents(table: Table) -> int | None:
    """The most parents of a node in an exact search, the same for every library."""
    return None if len(table.names) <= UNLIMITED else 4


def confidence(table: Table) -> Callable[[], Any]:
    """Time the share of each edge in graphs climbed to from resampled rows."""
    import structlearn as sl

    data = dataset(table)
    climb = sl.HillClimbing(progress=False)
    method = sl.EdgeConfidence(climb, n_resamples=N_RESAMPLES, random_state=0, progress=False)
    return lambda: method.fit(data)


def read(learner: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    graph = learner.graph_
    return Answer(list(graph.directed), list(graph.undirected), getattr(learner, "n_tests_", None))


def _learner(name: str, table: Table, options: dict[str, Any]) -> Any:
    import structlearn as sl

    alpha = {"alpha": table.alpha} if name in {"PC", "GrowShrink", "MMHC"} else {}
    return getattr(sl, name)(**options, **alpha, progress=False)


def _entry(method: str, task: str, prepare: Callable[[Table], Any], *, is_same_work: bool = True) -> Entry:
    return Entry("structlearn", method, task, prepare, read, is_same_work=is_same_work)


ENTRIES = (
    _entry("BOSS(), the default", "search", from_dataset("BOSS")),
    _entry("HillClimbing(tabu=0)", "search", from_dataset("HillClimbing", tabu=0)),
    _entry("HillClimbing()", "search", from_dataset("HillClimbing")),
    _entry("GreedyEquivalence()", "search", from_dataset("GreedyEquivalence")),
    _entry("OptimalReinsertion()", "search", from_dataset("OptimalReinsertion")),
    _entry("BOSS(), from a data frame", "search", from_frame("BOSS"), is_same_work=False),
    _entry("PC()", "pc", from_dataset("PC")),
    _entry(
        'PC(collider_rule="majority")', "pc", from_dataset("PC", collider_rule="majority"), is_same_work=False
    ),
    _entry("GrowShrink()", "pc", from_dataset("GrowShrink"), is_same_work=False),
    _entry("PC(), from a data frame", "pc", from_frame("PC"), is_same_work=False),
    _entry("ExactSearch()", "exact", exact),
    _entry("BOSS(), not exact", "exact", from_dataset("BOSS"), is_same_work=False),
    _entry("MMHC()", "hybrid", from_dataset("MMHC")),
    _entry("L1MB()", "hybrid", from_dataset("L1MB"), is_same_work=False),
    _entry("EdgeConfidence(HillClimbing())", "confidence", confidence),
)
