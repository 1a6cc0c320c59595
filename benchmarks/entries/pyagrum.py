"""pyAgrum, whose learners are C++ and take discrete data."""

from collections.abc import Callable
from typing import Any

from benchmarks.entries.entry import Answer, Entry
from benchmarks.entries.resampling import read_counts, resampled
from benchmarks.tables import Table

Choose = Callable[[Any, Table], Callable[[], Any]]


def from_database(choose: Choose) -> Callable[[Table], Callable[[], Any]]:
    """Time the search of a new learner, which has read the table but remembers no scores."""

    def prepare(table: Table) -> Callable[[], Any]:
        learner = _learner(table.frame_of_text())
        search = choose(learner, table)
        return lambda: (learner, search())

    return prepare


def from_frame(choose: Choose) -> Callable[[Table], Callable[[], Any]]:
    """Time the learner with what it does to read a data frame."""

    def prepare(table: Table) -> Callable[[], Any]:
        frame = table.frame_of_text()

        def learn() -> Any:
            learner = _learner(frame)
            return learner, choose(learner, table)()

        return learn

    return prepare


def greedy(learner: Any, table: Table) -> Callable[[], Any]:  # noqa: ARG001, PC needs it
    learner.useScoreBIC()
    learner.useGreedyHillClimbing()
    return learner.learnDAG


def tabu(learner: Any, table: Table) -> Callable[[], Any]:  # noqa: ARG001, as above
    learner.useScoreBIC()
    learner.useLocalSearchWithTabuList()
    return learner.learnDAG


def confidence(table: Table) -> Callable[[], Any]:
    """Its hill-climbing on resampled rows; a learner reads each resample anew."""
    frame = table.frame_of_text()

    def learn(rows: Any) -> Any:
        learner = _learner(rows)
        arcs = greedy(learner, table)().arcs()
        return [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in arcs]

    return lambda: resampled(learn, frame)


def pc(learner: Any, table: Table) -> Callable[[], Any]:
    learner.usePC()
    learner.useG2Test()
    learner.setPCAlpha(table.alpha)
    learner.setPCStable(True)
    return learner.learnPDAG


def miic(learner: Any, table: Table) -> Callable[[], Any]:  # noqa: ARG001, as above
    learner.useMIIC()
    return learner.learnPDAG


def read(result: Any, table: Table) -> Answer:  # noqa: ARG001, other libraries need the names
    learner, graph = result
    arrows = [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in graph.arcs()]
    edges = graph.edges() if hasattr(graph, "edges") else ()
    return Answer(arrows, [(learner.nameFromId(a), learner.nameFromId(b)) for a, b in edges])


def _learner(frame: Any) -> Any:
    import pyagrum

    learner = pyagrum.BNLearner(frame)
    learner.setNumberOfThreads(1)
    learner.useNoPrior()
    return learner


def _entry(method: str, task: str, prepare: Callable[[Table], Any], *, is_same_work: bool = True) -> Entry:
    return Entry("pyagrum", method, task, prepare, read, ("discrete",), is_same_work)


ENTRIES = (
    _entry("greedy hill climbing", "search", from_database(greedy)),
    _entry("tabu list", "search", from_database(tabu)),
    _entry("greedy, from a data frame", "search", from_frame(greedy), is_same_work=False),
    _entry("PC, G²", "pc", from_database(pc)),
    _entry("PC, from a data frame", "pc", from_frame(pc), is_same_work=False),
    _entry("MIIC", "pc", from_database(miic), is_same_work=False),
    Entry("pyagrum", "greedy in a loop", "confidence", confidence, read_counts, ("discrete",)),
)
