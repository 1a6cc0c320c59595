"""Which objects a combination goes over: equality constraints between variables."""

from dataclasses import dataclass

from structlearn.models.formulas.scope import Scope


@dataclass(frozen=True)
class Same:
    """Two variables, or members of the domain, stand for the same object."""

    one: str
    other: str

    def holds(self, scope: Scope) -> bool:
        """Whether they do in this scope."""
        one, other = scope.objects(str(self), (self.one, self.other))
        return one == other

    def __str__(self) -> str:
        return f"{self.one} = {self.other}"


@dataclass(frozen=True)
class Different:
    """Two variables, or members of the domain, stand for different objects."""

    one: str
    other: str

    def holds(self, scope: Scope) -> bool:
        """Whether they do in this scope."""
        return not Same(self.one, self.other).holds(scope)

    def __str__(self) -> str:
        return f"{self.one} != {self.other}"


Condition = Same | Different
