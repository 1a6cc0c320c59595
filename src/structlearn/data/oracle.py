"""The truth in place of data."""

from dataclasses import dataclass

from structlearn.graphs import Graph


@dataclass(frozen=True)
class Oracle:
    """A graph that stands where data would: tests are answered by (d-)separation in it.

    Parameters
    ----------
    graph : Graph
        A DAG, or an undirected graph.

    Examples
    --------
    >>> import structlearn as sl
    >>> sl.Oracle(sl.Graph(["a", "b"], directed=[("a", "b")])).names
    ('a', 'b')
    """

    graph: Graph

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, in order."""
        return self.graph.nodes
