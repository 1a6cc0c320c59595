"""From a template to a Bayesian network: a node for each attribute of each object."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational import Attribute
from structlearn.data.relational.skeleton import UNKNOWN, Objects, Skeleton
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import TableCPD
from structlearn.models.relational.aggregation import Seen, aggregate_nodes, seen_state
from structlearn.models.relational.dependency import Dependency
from structlearn.models.relational.sight import Sight
from structlearn.models.relational.tallies import in_steps, refuse_unseen

Node = tuple[str, int]
"""An attribute, as "Student.intelligence", and the place of an object."""


class Grounding:
    """The instance graph of a model and a skeleton, and the networks made of parts of it.

    `known` has the code of each attribute of each object, `UNKNOWN` where it is a variable; `numbers` what is
    known of attributes with an order, NaN where a state says no more than itself.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        dependencies: Mapping[str, Dependency],
        known: Mapping[str, NDArray[np.int64]],
        numbers: Mapping[str, NDArray[np.float64]],
    ) -> None:
        self.skeleton, self.known = skeleton, known
        self._numbers = numbers
        self._dependencies = dependencies
        self.sights = {
            node: [Sight(skeleton, parent) for parent in each.parents] for node, each in dependencies.items()
        }
        self._steps = {
            each.node: _steps_of(each, objects)
            for objects in skeleton.objects.values()
            for each in objects.entity.attributes
        }

    def name(self, node: Node) -> str:
        """A node as a network calls it."""
        attribute = self.skeleton.schema.attribute(node[0])
        return self.skeleton.objects[attribute.owner].name(node[1], attribute.name)

    def parents(self, node: Node) -> list[Node]:
        """The nodes that a node depends on."""
        found = [
            (sight.feature.source, place)
            for sight in self.sights[node[0]]
            if sight.feature.source is not None
            for place in sight.sources(node[1]).tolist()
        ]
        return list(dict.fromkeys(found))

    def is_known(self, node: Node) -> bool:
        """Whether a node is no variable."""
        return bool(self.known[node[0]][node[1]] != UNKNOWN)

    def network(self, nodes: Iterable[Node]) -> BayesianNetwork:
        """The network of some nodes; what they depend on beyond them must be known."""
        cpds: dict[str, TableCPD] = {}
        attributes = list(self._dependencies)
        for node in sorted(nodes, key=lambda node: (attributes.index(node[0]), node[1])):
            self._add(cpds, node)
        arrows = [(parent, child) for child, cpd in cpds.items() for parent in cpd.parents]
        graph = Graph(cpds, directed=arrows)
        if not graph.is_dag:
            raise DataError(
                "The references of this database lead from an object back to itself, so that its attributes "
                "would depend on themselves. The model was learnt where they did not."
            )
        return BayesianNetwork(graph, cpds)

    def _add(self, cpds: dict[str, TableCPD], node: Node) -> None:
        """Give a node its table, and aggregates that it needs nodes of their own."""
        cpd = self._dependencies[node[0]].cpd
        axes: dict[str, int] = {}
        seen: list[int | str] = []
        for sight in self.sights[node[0]]:
            seen.append(self._parent(cpds, node, sight))
            if isinstance(seen[-1], str):
                axes[seen[-1]] = sight.coded.n_values
        states = np.indices((*axes.values(), len(cpd.labels))).reshape(len(axes) + 1, -1)
        varied = dict(zip(axes, states, strict=False))
        parents = [varied[e] if isinstance(e, str) else np.full(states.shape[1], e) for e in seen]
        table = np.exp(cpd.log_probability(states[-1], parents)).reshape(*axes.values(), len(cpd.labels))
        cpds[self.name(node)] = TableCPD(table, labels=cpd.labels, parents=axes)

    def _parent(self, cpds: dict[str, TableCPD], node: Node, sight: Sight) -> int | str:
        """What an object sees by a feature: a state that is known, or the name of a variable."""
        source, places = sight.feature.source, sight.sources(node[1])
        if source is None:
            seen = int(sight.counted[node[1]])
        elif (self.known[source][places] == UNKNOWN).any():
            return (
                self._aggregate(cpds, node, sight)
                if sight.is_aggregated
                else self.name((source, int(places[0])))
            )
        elif sight.is_aggregated:
            seen = int(seen_state(sight.coded, [self._seen(source, places)])[0])
        else:
            seen = int(self.known[source][places[0]]) if len(places) else sight.coded.n_values
        refuse_unseen(node[0], sight.coded, np.array([seen]))
        return seen

    def _aggregate(self, cpds: dict[str, TableCPD], node: Node, sight: Sight) -> str:
        """The node of an aggregate of objects not all of which are known, added with those before it."""
        objects = self.skeleton.objects[sight.feature.base]
        name, source = objects.name(node[1], sight.coded.name), str(sight.feature.source)
        if name not in cpds:
            places = sight.sources(node[1])
            is_open = self.known[source][places] == UNKNOWN
            unknown, n_ways = np.unique(places[is_open], return_counts=True)
            names = [self.name((source, place)) for place in unknown.tolist()]
            start = self._seen(source, places[~is_open])
            ways = dict(zip(names, n_ways.tolist(), strict=True))
            cpds |= aggregate_nodes(name, sight.coded, start, ways, self._steps[source].tolist())
        return name

    def _seen(self, source: str, places: NDArray[np.int64]) -> Seen:
        """What is seen of objects whose values are known; numbers that are known count as they are."""
        codes, typical = self.known[source][places], self._steps[source]
        steps = typical[codes]
        if source in self._numbers:
            numbers = self._numbers[source][places]
            exact = in_steps(self.skeleton.schema.attribute(source), numbers)
            steps = np.where(np.isnan(numbers), steps, exact)
        counts = np.bincount(codes, minlength=len(typical))
        return Seen(tuple(counts.tolist()), float(steps.sum()))


def _steps_of(attribute: Attribute, objects: Objects) -> NDArray[np.float64]:
    """What each state stands for in a mean; of an interval the mean of the numbers that are stored in it."""
    if attribute.numbers is not None:
        return in_steps(attribute, np.array(attribute.numbers))
    if not attribute.cuts:
        return np.zeros(len(attribute.labels))
    codes, stored = objects.codes[attribute.node], in_steps(attribute, objects.numbers[attribute.node])
    ends = in_steps(attribute, np.array([*attribute.cuts, attribute.cuts[-1]]))
    means = [stored[codes == code].mean() if (codes == code).any() else end for code, end in enumerate(ends)]
    return np.rint(means)
