"""One option, declared once: its default, the values it may have, and what it means."""

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, overload

from structlearn.options.rules import Rule

T = TypeVar("T")


class Required:
    """Stands where an option has no default."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = Required()


@dataclass(frozen=True)
class Option:
    """What a class says of an option; a `Rule` that knows its default.

    `says` is one sentence, and more where it helps; the first one stands in messages and tables.
    """

    rule: Rule
    says: str
    default: Any
    kw_only: bool = True

    @property
    def meaning(self) -> str:
        """The first sentence, as a part of another one."""
        first = self.says.partition(". ")[0].removesuffix(".").partition(":\n")[0]
        begins_with_a_name = first[1:2].isupper() or not first[1:2].isalpha()
        return first if begins_with_a_name and first[:2] != "A " else first[0].lower() + first[1:]

    @property
    def allowed(self) -> str:
        """The values it may have, in words."""
        return self.rule.allowed

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one of them."""
        return self.rule.accepts(value)

    def starting_at(self, default: Any) -> "Option":
        """The same option with another default."""
        return replace(self, default=default)


@overload
def option(rule: Rule, says: str, *, default: T, kw_only: bool = True) -> T: ...


@overload
def option(rule: Rule, says: str, *, kw_only: bool = True) -> Any: ...


def option(rule: Rule, says: str, *, default: Any = REQUIRED, kw_only: bool = True) -> Any:
    """Declare an option of a `Configured` class.

    Parameters
    ----------
    rule : Rule
        Which values it may have.
    says : str
        What it means, in a sentence that begins with a capital and ends with a full stop; more sentences
        may follow.
    default : optional
        Its value where none is given; without it, one must be given. (Type checkers look for this keyword.)
    kw_only : bool, default True
        Whether it is given by name only.
    """
    return Option(rule, says, default, kw_only=kw_only)


class Result:
    """Stands where a class says the type of something that `fit` finds."""


def result(*, init: Literal[False] = False) -> Any:  # noqa: ARG001, it tells type checkers: no argument
    """Declare the type of something that `fit` finds; it is no option."""
    return Result()
