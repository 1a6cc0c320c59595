"""The class that a search starts from, and the scores that classes can have."""

import math

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.scores.interventional import without_experiments
from structlearn.search.limits import NO_LIMIT
from structlearn.search.space import Space
from structlearn.statistics.column_sorts import only_kind
from structlearn.statistics.experiments import experiments_of


def class_to_start_from(space: Space, initial: Graph | None) -> Pattern:
    """The class of a graph, or of the required arrows; refused where it breaks a rule of the search."""
    admission = Admission(space.limits)
    dag = admission.start() if initial is None else _dag_over(space, initial)
    experiments = experiments_of(space.statistics)
    pattern = Pattern.of(dag, None if experiments is None else experiments.told_apart(space.n_nodes))
    source = "the required arrows of knowledge" if initial is None else "initial"
    if not admission.admits(pattern):
        most = space.limits.max_parents
        raise OptionError(
            f"{space.owner}: {source} cannot be the start: no DAG of that class has at most "
            f"max_parents={None if most == NO_LIMIT else most} parents and honours the knowledge and the "
            "candidates. Change one of them."
        )
    if not math.isfinite(space.scores.total(pattern.member())):
        start = source if any(map(len, pattern.member())) else "the graph without arcs"
        raise OptionError(
            f"{space.owner}: the score of {start} is −∞, which is no start. Use another, or another score."
        )
    return pattern


def refuse_unequal(space: Space, named: object) -> None:
    """Refuse a score, as it was named, by which the DAGs of a class differ; and columns of both kinds."""
    only_kind(space.owner, space.statistics, "equivalent score")
    if (experiments := experiments_of(space.statistics)) is not None:
        experiments.refuse_unknown(space.owner)
    score = without_experiments(space.score)  # equal where no experiment tells DAGs apart
    if not space.statistics.is_complete:
        raise OptionError(
            f"{space.owner}(score={named!r}, missing='familywise'): the DAGs of a class must have the same "
            "score, and have not where each family is scored on rows of its own. Use HillClimbing or BOSS."
        )
    if not getattr(score, "is_equivalent", False):
        raise OptionError(
            f"{space.owner}(score={named!r}): the DAGs of a class must have the same score, and this one "
            "does not say so by is_equivalent = True. Use another score, or HillClimbing."
        )


def _dag_over(space: Space, graph: Graph) -> Links:
    if set(graph.nodes) != set(space.columns):
        strangers = sorted(set(graph.nodes) ^ set(space.columns))
        raise OptionError(
            f"{space.owner}(initial=…): its nodes must be the columns, and {strangers[0]!r} is in one of the "
            "two only."
        )
    try:
        dag, limits = graph.to_dag(), space.limits
        names = space.names
        acting = [(names[u], names[v]) for v in limits.changed() for u in limits.contexts_of(v)]
        return Graph(names, directed=[*dag.directed, *acting]).links
    except DataError as error:
        raise OptionError(f"{space.owner}(initial=…): {error}") from error
