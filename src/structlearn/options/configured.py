"""Classes whose options are fields: the constructor, the checks and the help come from the declarations."""

import copy
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from structlearn.errors import OptionError
from structlearn.naming import has_no
from structlearn.options.declared import REQUIRED, Option, Result, option, result
from structlearn.options.documented import documented
from structlearn.options.rules import check_options

C = TypeVar("C", bound="Configured")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(option, result))
class Configured:
    """Something with options, in scikit-learn's protocol: stored untouched, read and set by name.

    A class declares an option as a field, `tabu: int = option(Whole(0), "How many …", default=10)`, and has
    those of its bases after its own. To change the default of one that it has from a base, it assigns
    another: `max_parents = 4`. Values are checked by `check_options`, not by the constructor.

    The docstring says the idea. What else its help should have, from the attributes on, is in `details`, at
    the end of the class, so that a reader of the file comes to the steps first.
    """

    options: ClassVar[Mapping[str, Option]] = MappingProxyType({})
    details: ClassVar[str] = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls.options = MappingProxyType(_collected(cls))
        if "__init__" not in vars(cls):
            cls.__init__ = _constructor(cls)  # type: ignore[method-assign]  # as dataclasses do
        if cls.__doc__:
            cls.__doc__ = documented(cls.__doc__, cls.options, vars(cls).get("details", ""))

    @classmethod
    def lacking(cls, given: Collection[str]) -> str | None:
        """What to say if something that has no default is not given."""
        for name, declared in cls.options.items():
            if declared.default is REQUIRED and name not in given:
                return f"{cls.__name__} needs {name}=, {declared.meaning}: {declared.allowed}."
        return None

    @classmethod
    def no_option(cls, name: str, value: Any = None) -> str:  # noqa: ARG003, a class may say whose it is
        """What to say of an option that there is not."""
        return has_no(cls.__name__, "option", name, cls.options, shown=len(cls.options))

    def check_options(self) -> None:
        """Refuse the first option whose value breaks its rule."""
        check_options(type(self).__name__, self.options, self.get_params(deep=False))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by name; with `deep`, also those of a learner among them, as `learner__score`."""
        found = {name: getattr(self, name) for name in self.options}
        if deep:
            for name, value in list(found.items()):
                if hasattr(value, "get_params") and not isinstance(value, type):
                    found |= {f"{name}__{inner}": held for inner, held in value.get_params().items()}
        return found

    def set_params(self, **values: Any) -> Self:
        """Set options by name; `learner__score` is one of a learner among them."""
        inner: dict[str, dict[str, Any]] = {}
        for name, value in values.items():
            outer, dots, rest = name.partition("__")
            if outer not in self.options:
                raise OptionError(self.no_option(outer))
            if dots:
                inner.setdefault(outer, {})[rest] = value
            else:
                setattr(self, outer, value)
        for outer, parts in inner.items():
            held = getattr(self, outer)
            if not hasattr(held, "set_params") or isinstance(held, type):
                raise OptionError(
                    f"{type(self).__name__}({outer}={held!r}) has no options of its own, so that "
                    f"{outer}__{next(iter(parts))} cannot be set."
                )
            held.set_params(**parts)
        return self

    def __repr__(self) -> str:
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, declared in self.options.items()
            if repr(getattr(self, name)) != repr(declared.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def copy_of(configured: C) -> C:
    """Another one with the same options and nothing fitted."""
    values = {
        name: copy_of(value) if isinstance(value, Configured) else copy.deepcopy(value)
        for name, value in configured.get_params(deep=False).items()
    }
    return type(configured)(**values)


def _collected(cls: type[Configured]) -> dict[str, Option]:
    """The options of a class: its own, then those of its bases; a plain value is another default."""
    inherited: dict[str, Option] = {}
    for base in cls.__bases__:
        for name, declared in getattr(base, "options", {}).items():
            inherited.setdefault(name, declared)
    own: dict[str, Option] = {}
    for name, value in list(_fields(cls)):
        delattr(cls, name)
        if isinstance(value, Option):
            own[name] = value
        elif name in inherited:
            inherited[name] = inherited[name].starting_at(value)
    found = own | {name: declared for name, declared in inherited.items() if name not in own}
    return dict(sorted(found.items(), key=lambda item: item[1].kw_only))


def _fields(cls: type[Configured]) -> Iterator[tuple[str, Any]]:
    known = {name for base in cls.__mro__[1:] for name in getattr(base, "options", ())}
    for name, value in vars(cls).items():
        if isinstance(value, Option | Result) or name in known:
            yield name, value


def _constructor(cls: type[Configured]) -> Callable[..., None]:
    """An `__init__` that takes the options and stores them untouched."""
    signature = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *_parameters(cls)],
        return_annotation=None,
    )

    usual = {name: declared.default for name, declared in cls.options.items()}

    def __init__(self: Configured, *positional: Any, **named: Any) -> None:  # noqa: N807, it becomes one
        values = usual | named
        # Python's own way takes a tenth of a millisecond, and a small table is learned from in two.
        is_whole = len(values) == len(usual) and not any(value is REQUIRED for value in values.values())
        if positional or not is_whole:
            try:
                given = signature.bind(self, *positional, **named)
            except TypeError as error:
                said = _mistaken(type(self), positional, named) or f"{type(self).__name__}: {error}"
                raise TypeError(said) from None
            given.apply_defaults()
            values = given.arguments
        for name in cls.options:
            setattr(self, name, values[name])

    __init__.__signature__ = signature  # type: ignore[attr-defined]  # what `inspect` shows
    __init__.__qualname__ = f"{cls.__qualname__}.__init__"
    return __init__


def _mistaken(cls: type[Configured], positional: tuple[Any, ...], named: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments of a constructor, where more can be said than Python says."""
    unknown = next((name for name in named if name not in cls.options), None)
    if unknown is not None:
        return cls.no_option(unknown, named[unknown])
    return cls.lacking(named) if not positional else None


def _parameters(cls: type[Configured]) -> list[inspect.Parameter]:
    found = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY if declared.kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if declared.default is REQUIRED else declared.default,
            annotation=_annotation(cls, name),
        )
        for name, declared in cls.options.items()
    ]
    return sorted(found, key=lambda parameter: parameter.kind)


def _annotation(cls: type[Configured], name: str) -> Any:
    return next(
        (vars(base)["__annotations__"][name] for base in cls.__mro__ if name in _annotations(base)),
        inspect.Parameter.empty,
    )


def _annotations(cls: type) -> Mapping[str, Any]:
    found: Mapping[str, Any] = vars(cls).get("__annotations__", {})
    return found
