"""structlearn's own entries; the first of each task is what the others are compared with."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.entry import Answer, Entry
from benchmarks.tables import Table


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


def read(learner: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    graph = learner.graph_
    return Answer(list(graph.directed), list(graph.undirected), getattr(learner, "n_tests_", None))


def _learner(name: str, table: Table, options: dict[str, Any]) -> Any:
    import structlearn as sl

    alpha = {"alpha": table.alpha} if name in {"PC", "GrowShrink"} else {}
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
)
