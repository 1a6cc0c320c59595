"""What a model says of the objects of one database."""

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.relational import Attribute, Database, Schema, opened_database
from structlearn.data.relational.skeleton import UNKNOWN, Skeleton
from structlearn.data.states import NOWHERE, places_of
from structlearn.errors import DataError, OptionError
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.relational.dependency import Dependency
from structlearn.models.relational.grounding import Grounding, Node
from structlearn.models.relational.relevance import bearing_on, with_ancestors
from structlearn.models.relational.sampling import sampled
from structlearn.naming import listed
from structlearn.options.seeds import generator_of
from structlearn.statistics.relational import n_valued

Codes = NDArray[np.int64]
Evidence = Mapping[str | tuple[str, Any, str], Any]


class OfInstances:
    """Networks, answers and samples for the objects of a database."""

    schema: Schema
    dependencies: Mapping[str, Dependency]

    def ground(self, database: Any, entities: Mapping[str, Sequence[Any]] | None = None) -> BayesianNetwork:
        """Give the Bayesian network of the objects of a small database: a node for each attribute of each.

        Nodes are called as "Student[17].intelligence". An aggregate is a node too, and where it is made of
        several objects it goes through them one by one ("… #1", "… #2", …), so that no table is large. What
        the database says of attributes is not looked at: keys and references make the network.

        Parameters
        ----------
        database : path, str, connection of duckdb, sqlite3 or ibis, or mapping of str to data frame
            A database with the tables and columns of the schema.
        entities : mapping of str to sequence of keys, optional
            The objects wanted, by class; all objects if not given. What they depend on is there too.
        """
        skeleton = self._skeleton(database)
        unknown = {node: np.full(len(codes), UNKNOWN) for node, codes in _stored(skeleton).items()}
        grounding = Grounding(skeleton, self.dependencies, unknown, {})
        return grounding.network(with_ancestors(grounding, self._wanted(skeleton, entities)))

    def query(
        self,
        database: Any,
        entity: str,
        key: Any,
        attribute: str,
        evidence: Evidence | None = None,
        *,
        stored: bool = True,
    ) -> Any:
        """Give the distribution of one attribute of one object, as an `Answer`.

        Everything else that the database says is taken for known, and a value that is missing for one that
        exists and is not known.

        Parameters
        ----------
        database : path, str, connection of duckdb, sqlite3 or ibis, or mapping of str to data frame
            A database with the tables and columns of the schema.
        entity, key, attribute : str, key, str
            The object and what to ask of it: "Registration", 5, "grade". The key is a tuple where it has
            several columns; {"student": 17, "course": 3} finds the object by its references.
        evidence : mapping, optional
            What else is known: {"Student[17].intelligence": "high"}, or ("Student", 17, "intelligence") as
            the name. It replaces what is stored; None makes a value unknown. Of numbers that were cut into
            intervals it is a number or an interval.
        stored : bool, default True
            Whether what the database says of attributes is known; if not, only `evidence` is.
        """
        skeleton = self._skeleton(database)
        known = {node: codes.copy() for node, codes in _stored(skeleton).items()}
        numbers = {
            node: column.copy() for each in skeleton.objects.values() for node, column in each.numbers.items()
        }
        if not stored:
            known = {node: np.full_like(codes, UNKNOWN) for node, codes in known.items()}
        for name, value in (evidence or {}).items():
            node, place = _node_of(skeleton, name)
            known[node][place], number = _said(self.schema.attribute(node), value)
            if node in numbers:
                numbers[node][place] = number
        asked = self.schema.attribute(f"{entity}.{attribute}").node, skeleton.objects[entity].place_of(key)
        known[asked[0]][asked[1]] = UNKNOWN
        grounding = Grounding(skeleton, self.dependencies, known, numbers)
        nodes = bearing_on(grounding, asked)
        said = {
            grounding.name(node): self.schema.attribute(node[0]).labels[known[node[0]][node[1]]]
            for node in nodes
            if grounding.is_known(node)
        }
        return grounding.network(nodes).query(grounding.name(asked), said)

    def sample(
        self, database: Any, *, random_state: int | np.random.Generator | None = None
    ) -> dict[str, dict[str, list[Any]]]:
        """Draw new values for every attribute of every object; keys and references stay as they are.

        Nothing is written to the database. A number that was cut into intervals is drawn from those that the
        database has in the interval. Columns that are neither keys, references nor attributes are left out.

        Parameters
        ----------
        database : path, str, connection of duckdb, sqlite3 or ibis, or mapping of str to data frame
            A database with the tables and columns of the schema.
        random_state : int or Generator, optional
            The seed.

        Returns
        -------
        dict of str to dict of str to list
            Columns by table, which `RelationalModel.fit` takes, and `pandas.DataFrame` each of them.
        """
        return sampled(self._skeleton(database), self.dependencies, generator_of("sample", random_state))

    def _skeleton(self, database: Any) -> Skeleton:
        with opened_database(database) as opened:
            skeleton = Skeleton(opened, self.schema)
            for objects in skeleton.objects.values():
                for each in objects.entity.attributes:
                    refuse_strange_values(opened, each, int((objects.codes[each.node] != UNKNOWN).sum()))
        return skeleton

    def _wanted(self, skeleton: Skeleton, entities: Mapping[str, Sequence[Any]] | None) -> Iterator[Node]:
        for name in entities or ():
            self.schema.entity(name)
        for name, objects in skeleton.objects.items():
            places = range(objects.n) if entities is None else map(objects.place_of, entities.get(name, ()))
            for place in places:
                yield from ((each.node, place) for each in objects.entity.attributes)


def refuse_strange_values(database: Database, attribute: Attribute, n_known: int) -> None:
    """Refuse a database with values of an attribute that the model has no state for."""
    if n_valued(database, attribute) > n_known:
        raise DataError(
            f"{attribute.node!r} has values in {database.name} that the model does not know; it has "
            f"{listed(attribute.labels)}."
        )


def _stored(skeleton: Skeleton) -> dict[str, Codes]:
    return {node: codes for each in skeleton.objects.values() for node, codes in each.codes.items()}


def _node_of(skeleton: Skeleton, name: str | tuple[str, Any, str]) -> Node:
    """The node that a name like "Student[17].intelligence" means, or its three parts."""
    if isinstance(name, str):
        return _node_called(skeleton, name)
    entity, key, attribute = name
    node = skeleton.schema.attribute(f"{entity}.{attribute}").node
    return node, skeleton.objects[entity].place_of(key)


def _node_called(skeleton: Skeleton, name: str) -> Node:
    for each in skeleton.schema.attributes:
        begins, ends = f"{each.owner}[", f"].{each.name}"
        label = name.removeprefix(begins).removesuffix(ends)
        if f"{begins}{label}{ends}" == name and label in skeleton.objects[each.owner].places:
            return each.node, skeleton.objects[each.owner].places[label]
    some = [
        each.name(0, a.name) for each in skeleton.objects.values() if each.n for a in each.entity.attributes
    ]
    raise OptionError(f"evidence: there is no {name!r}; names are like {listed(some)}.")


def _said(attribute: Attribute, value: Any) -> tuple[int, float]:
    """The code that evidence means, and the number that it gives; NaN where it gives none."""
    if value is None:
        return UNKNOWN, math.nan
    is_number = bool(attribute.cuts) and isinstance(value, Real) and not isinstance(value, bool)
    if is_number and math.isfinite(value):
        return int(np.searchsorted(attribute.cuts, float(value), side="left")), float(value)
    if not is_number and isinstance(value, Hashable):
        [code] = places_of([value], attribute.labels)
        if code != NOWHERE:
            return code, math.nan
    numbers = ", or a finite number" if attribute.cuts else ""
    raise OptionError(
        f"evidence: {attribute.node!r} is one of {listed(attribute.labels)}{numbers}, not {value!r}. None "
        "makes it unknown."
    )
