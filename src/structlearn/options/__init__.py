"""Options: the values they may have, and how a class declares its own."""

from structlearn.options.configured import Configured, copy_of
from structlearn.options.declared import Option, option, result
from structlearn.options.rules import (
    Above,
    Between,
    Either,
    Flag,
    Instance,
    ListOf,
    OneOf,
    OrNone,
    Rule,
    Rules,
    SomeOf,
    Whole,
    check_options,
    one_of,
)

__all__ = [
    "Above",
    "Between",
    "Configured",
    "Either",
    "Flag",
    "Instance",
    "ListOf",
    "OneOf",
    "Option",
    "OrNone",
    "Rule",
    "Rules",
    "SomeOf",
    "Whole",
    "check_options",
    "copy_of",
    "one_of",
    "option",
    "result",
]
