"""What a dependency network can do once it is learnt."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from structlearn.errors import OptionError
from structlearn.graphs import Edge, Graph
from structlearn.learners.base import Learner
from structlearn.learners.network.dependency.options import ChoosesLearner, GrowsTrees, Regresses
from structlearn.learners.option_groups import Informed, Seeded, Threaded, Timed
from structlearn.options import result

if TYPE_CHECKING:
    from structlearn.models.dependency_model import DependencyModel


class DependencyLearner(ChoosesLearner, GrowsTrees, Regresses, Informed, Seeded, Threaded, Timed, Learner):
    """Gives what was learnt as a model that answers questions, and as a graph without directions."""

    random_state = 0
    smallest_share = 0.01  # chosen columns are fitted again, so that few of them are left to shrinkage
    conditionals_: Mapping[str, Mapping[str, Any]] = result()
    starts_: Mapping[str, tuple[float, float]] = result()

    @cached_property
    def model_(self) -> "DependencyModel":
        """The local distributions as a model that predicts, samples and answers questions."""
        from structlearn.models import DependencyModel  # noqa: PLC0415, a door to a later layer

        known = {"order": self.graph_.nodes, "starts": self.starts_, "cpds": self.conditionals_}
        return DependencyModel.from_dict(self.graph_, known)

    def undirected(self, rule: Literal["or", "and"] = "or") -> Graph:
        """The network without directions: two nodes are joined if one uses the other, or both do.

        Parameters
        ----------
        rule : "or" or "and"
            Whether one arc is enough, or both must be there.

        Returns
        -------
        Graph
            Undirected; a weight is the sum of the strengths of the arcs.
        """
        if rule not in ("or", "and"):
            raise OptionError(f"undirected(rule={rule!r}): rule is 'or' or 'and'.")
        gains = {(edge.source, edge.target): edge.weight or 0.0 for edge in self.graph_.edges}
        joined = [
            Edge(a, b, "undirected", weight=gain + gains.get((b, a), 0.0))
            for (a, b), gain in gains.items()
            if (rule == "or" or (b, a) in gains) and ((b, a) not in gains or a < b)
        ]
        return Graph.from_edges(self.graph_.nodes, joined)
