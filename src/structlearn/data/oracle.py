"""The truth in place of data."""

from collections.abc import Collection
from dataclasses import dataclass

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.naming import listed


@dataclass(frozen=True)
class Oracle:
    """A graph that stands where data would: tests are answered by separation in it.

    Parameters
    ----------
    graph : Graph
        A DAG, an undirected graph, or one with hidden causes: an ADMG, a MAG or a PAG.
    latent : iterable of str
        The nodes that are no columns: nobody sees them, and no test can condition on them.
    selected : iterable of str
        The nodes that decided which rows there are: no columns either, and always conditioned on.

    Examples
    --------
    >>> import structlearn as sl
    >>> graph = sl.Graph(["a", "b", "u"], directed=[("u", "a"), ("u", "b")])
    >>> sl.Oracle(graph, latent=["u"]).names
    ('a', 'b')
    """

    graph: Graph
    latent: Collection[str] = ()
    selected: Collection[str] = ()

    def __post_init__(self) -> None:
        for role in ("latent", "selected"):
            nodes = frozenset([given] if isinstance(given := getattr(self, role), str) else given)
            strangers = sorted(node for node in nodes if node not in self.graph)
            if strangers:
                raise DataError(f"Oracle({role}=…): the graph has no node {listed(strangers)}.")
            object.__setattr__(self, role, tuple(node for node in self.graph.nodes if node in nodes))
        both = [node for node in self.latent if node in self.selected]
        if both:
            raise DataError(f"Oracle: {listed(both)} cannot be both latent and selected.")
        if self.graph.nodes and not self.names:
            raise DataError("Oracle: every node is latent or selected; leave at least one.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables that tests can ask about, in order."""
        left_out = {*self.latent, *self.selected}
        return tuple(node for node in self.graph.nodes if node not in left_out)
