"""The ways to answer a query: one line per method."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from structlearn.errors import OptionError
from structlearn.naming import has_no, no_such
from structlearn.options import Between, Flag, OrNone, Rules, Whole, check_options
from structlearn.options.seeds import RANDOM_STATE

CELLS = Whole(1, "the cells of the largest table that may be made")


@dataclass(frozen=True)
class Method:
    """Where a method lives, `module:function`, and its options.

    The function takes a `Question` and the options by name, and gives an answer.
    """

    home: str
    rules: Rules = field(default_factory=dict)

    def load(self) -> Callable[..., Any]:
        """The function."""
        module, _, function = self.home.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"structlearn.inference.{module}"), function)
        return found


METHODS: dict[str, Method] = {
    "exact": Method("exact:exact_answer", {"cell_limit": CELLS}),
    "weighting": Method(
        "weighting:weighted_answer",
        {"n": Whole(1, "the number of rows to draw"), "random_state": RANDOM_STATE},
    ),
    "gibbs": Method(
        "gibbs:gibbs_answer",
        {
            "chains": Whole(1, "the number of Markov chains"),
            "sweeps": Whole(4, "how often each chain draws every node"),
            "burn_in": Whole(0, "how many sweeps come before those that count"),
            "blocking": Flag("whether nodes that zeros bind together are drawn together"),
            "random_state": RANDOM_STATE,
        },
    ),
    "loopy": Method(
        "loopy:loopy_answer",
        {
            "damping": OrNone(
                Between(0, 0.999, "the share of its last word that a message keeps"), "as needed"
            ),
            "sweeps": Whole(1, "how often all messages are sent, at most"),
            "tolerance": Between(0, 1, "the change of log messages at which they have settled"),
        },
    ),
}


def chosen(method: str, options: Mapping[str, Any]) -> Callable[..., Any]:
    """The function of a method, once its options are seen to be right."""
    found = METHODS.get(method) if isinstance(method, str) else None
    if found is None:
        raise OptionError(no_such("method", method, tuple(METHODS), owner=f"query(method={method!r})"))
    for name in options:
        if name not in found.rules:
            raise OptionError(has_no(f"query: method={method!r}", "option", name, found.rules))
    check_options("query", found.rules, options)
    return found.load()
