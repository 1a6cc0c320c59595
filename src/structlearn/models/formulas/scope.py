"""What the variables of a formula stand for, and what is known to be true."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from structlearn.errors import DataError

Objects = tuple[str, ...]


@dataclass(frozen=True)
class Scope:
    """A finite domain, the facts of known relations, and the objects that variables stand for."""

    domain: Objects
    facts: Mapping[str, frozenset[Objects]]
    binding: Mapping[str, str]

    def bound(self, variables: Sequence[str], objects: Sequence[str]) -> "Scope":
        """The scope in which these variables stand for these objects."""
        return replace(self, binding={**self.binding, **dict(zip(variables, objects, strict=True))})

    def every(self, variables: Sequence[str]) -> Iterator["Scope"]:
        """A scope for each way in which these variables can stand for objects of the domain."""
        for objects in product(self.domain, repeat=len(variables)):
            yield self.bound(variables, objects)

    def objects(self, where: str, arguments: Sequence[str]) -> Objects:
        """What these arguments stand for: a variable's object, or a member of the domain itself."""
        for name in arguments:
            if name not in self.binding and name not in self.domain:
                raise DataError(
                    f"{where}: {name!r} is neither a variable of the head, nor one that a combination goes "
                    "over, nor a member of the domain."
                )
        return tuple(self.binding.get(name, name) for name in arguments)

    def fact(self, relation: str, objects: Objects) -> bool | None:
        """Whether a relation of the facts holds; None where there are no facts of it."""
        return objects in self.facts[relation] if relation in self.facts else None
