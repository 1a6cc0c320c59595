"""From marks by position to a PAG by name, with what speaks for each mark."""

from structlearn.graphs import Graph
from structlearn.graphs.projection import has_member
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.marks.marked_edges import MarkedEdges
from structlearn.learners.constraint.skeletons.results import largest_p_of, outcome_of_tests
from structlearn.learners.constraint.skeletons.skeleton import Skeleton
from structlearn.outcome import MarkEvidence, Outcome
from structlearn.run import Run, Status


def pag_outcome(
    names: tuple[str, ...], skeleton: Skeleton, edges: MarkedEdges, asker: Asker, run: Run
) -> Outcome:
    """Name edges and marks; a note says where no graph can have all of the marks."""
    graph = Graph(names, edges=edges.named(names), kind="PAG")
    reasons = {
        (names[a], names[b]): MarkEvidence(rule, tuple(names[v] for v in nodes))
        for (a, b), (rule, nodes) in edges.reasons.items()
    }
    conflicts = tuple(f"{rule}: {', '.join(names[v] for v in nodes)}" for rule, nodes in edges.conflicts)
    if run.status is Status.COMPLETE and not has_member(graph.links):
        run.note("The tests contradict each other: no MAG has all of these marks.")
    evidence = {(names[a], names[b]): known for (a, b), known in largest_p_of(skeleton).items()}
    return outcome_of_tests(
        graph, skeleton, evidence, conflicts, asker, run, names=names, extra={"mark_evidence": reasons}
    )
