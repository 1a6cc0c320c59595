"""The class that a search starts from."""

import math

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.search.limits import NO_LIMIT
from structlearn.search.space import Space


def class_to_start_from(space: Space, initial: Graph | None) -> Pattern:
    """The class of a graph, or of the required arrows; refused where it breaks a rule of the search."""
    admission = Admission(space.limits)
    dag = admission.start() if initial is None else _dag_over(space, initial)
    pattern = Pattern.of(dag)
    if not admission.admits(pattern):
        source = "the required arrows of knowledge" if initial is None else "initial"
        most = space.limits.max_parents
        raise OptionError(
            f"{space.owner}: {source} cannot be the start: no DAG of that class has at most "
            f"max_parents={None if most == NO_LIMIT else most} parents and honours the knowledge and the "
            "candidates. Change one of them."
        )
    if not math.isfinite(space.scores.total(pattern.member())):
        raise OptionError(f"{space.owner}(initial=…): the score of initial is −∞; start from fewer arcs.")
    return pattern


def _dag_over(space: Space, graph: Graph) -> Links:
    if set(graph.nodes) != set(space.names):
        strangers = sorted(set(graph.nodes) ^ set(space.names))
        raise OptionError(
            f"{space.owner}(initial=…): its nodes must be the columns, and {strangers[0]!r} is in one of the "
            "two only."
        )
    try:
        return graph.reordered(space.names).to_dag().links
    except DataError as error:
        raise OptionError(f"{space.owner}(initial=…): {error}") from error
