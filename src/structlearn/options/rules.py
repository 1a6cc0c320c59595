"""Rules for options: each says its range once, for checks, help, docs and reports."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol, get_args

from structlearn.errors import OptionError
from structlearn.naming import meant


class Rule(Protocol):
    """What an option means, and which values it may have."""

    @property
    def meaning(self) -> str:
        """The option in a few words, without a full stop."""

    @property
    def allowed(self) -> str:
        """The values it may have, in words."""

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one of them."""


Rules = Mapping[str, Rule]


@dataclass(frozen=True)
class Between:
    """A number from `low` to `high`, ends included."""

    low: float
    high: float
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"

    def accepts(self, value: Any) -> bool:
        return _is_number(value) and self.low <= float(value) <= self.high


@dataclass(frozen=True)
class Above:
    """A number larger than `low`."""

    low: float
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return f"a number larger than {self.low:g}"

    def accepts(self, value: Any) -> bool:
        return _is_number(value) and float(value) > self.low


@dataclass(frozen=True)
class Whole:
    """A whole number, at least `low`."""

    low: int
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return f"a whole number, at least {self.low}"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= self.low


@dataclass(frozen=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return "one of " + ", ".join(repr(word) for word in self.words)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, str) and value in self.words


def one_of(literal: Any) -> OneOf:
    """One of the words of a `Literal` type."""
    return OneOf(get_args(literal))


@dataclass(frozen=True)
class Flag:
    """True or False."""

    meaning: str = ""
    allowed: str = "True or False"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class Instance:
    """An object of a given type."""

    kind: type
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return f"a {self.kind.__name__}"

    def accepts(self, value: Any) -> bool:
        return isinstance(value, self.kind) and not isinstance(value, type)  # classes have methods, too


@dataclass(frozen=True)
class ListOf:
    """A list or tuple of objects of a given type, not empty."""

    kind: type
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return f"a list of {self.kind.__name__}"

    def accepts(self, value: Any) -> bool:
        is_list = isinstance(value, list | tuple) and len(value) > 0
        return is_list and all(isinstance(member, self.kind) for member in value)


@dataclass(frozen=True)
class SomeOf:
    """A list or tuple of some of a few words, or of none."""

    words: tuple[str, ...]
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return "a list of some of " + ", ".join(repr(word) for word in self.words)

    def accepts(self, value: Any) -> bool:
        return isinstance(value, list | tuple) and all(member in self.words for member in value)


@dataclass(frozen=True)
class OrNone:
    """Another rule's values, or None."""

    rule: Rule
    none_means: str

    @property
    def meaning(self) -> str:
        return self.rule.meaning

    @property
    def allowed(self) -> str:
        return f"{self.rule.allowed}, or None ({self.none_means})"

    def accepts(self, value: Any) -> bool:
        return value is None or self.rule.accepts(value)


@dataclass(frozen=True)
class Either:
    """The values of any of several rules."""

    rules: tuple[Rule, ...]
    meaning: str = ""

    @property
    def allowed(self) -> str:
        return ", or ".join(rule.allowed for rule in self.rules)

    def accepts(self, value: Any) -> bool:
        return any(rule.accepts(value) for rule in self.rules)


def check_options(owner: str, rules: Rules, options: Mapping[str, Any]) -> None:
    """Refuse the first option whose value breaks its rule."""
    for name, value in options.items():
        rule = rules[name]
        if not rule.accepts(value):
            near = meant(value, _words(rule)) if isinstance(value, str) else ""
            what = ", ".join(filter(None, (rule.meaning, rule.allowed)))
            shown, hint = _as_made(value)
            raise OptionError(f"{owner}({name}={shown}){near}: {hint}{name} is {what}.")


def _as_made(value: Any) -> tuple[str, str]:
    """A value as it is shown, and what to pass where it makes objects: a class, or a function of ours."""
    module = str(getattr(value, "__module__", "builtins"))
    is_maker = isinstance(value, type) or (callable(value) and module.startswith("structlearn."))
    if not is_maker or module == "builtins" or not hasattr(value, "__name__"):
        return repr(value), ""
    return value.__name__, f"pass an object, {value.__name__}(). Here, "


def _words(rule: Any) -> tuple[str, ...]:
    """The words that a rule, or a rule within it, accepts."""
    within = (*getattr(rule, "rules", ()), *([rule.rule] if hasattr(rule, "rule") else ()))
    return (*getattr(rule, "words", ()), *(word for inner in within for word in _words(inner)))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and float(value) == float(value)
