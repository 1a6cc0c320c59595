"""How distributions are shown: labelled tables and sums in words."""

from collections.abc import Iterable, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any

from structlearn.data import Label
from structlearn.shown import Listing, html_lines

MOST_STATES = 10  # columns of a table that fits a line
MOST_TERMS = 12  # of a sum that fits a line or two
States = Mapping[str, tuple[Label, ...]]


class ShownCPD:
    """A distribution that prints what it says; a network tells it the states of its parents."""

    parent_states: States = MappingProxyType({})
    """The states of discrete parents, where they are known; they are for the eye only."""

    def shown(self) -> Listing | str:
        """What a person reads: a table, or lines."""
        raise NotImplementedError

    def states_of(self, parent: str, n_states: int) -> tuple[Label, ...]:
        """The states of a parent; their codes where no network has told them."""
        return self.parent_states.get(parent, tuple(range(n_states)))

    def __str__(self) -> str:
        shown = self.shown()
        return shown.text() if isinstance(shown, Listing) else shown

    def _repr_html_(self) -> str:
        shown = self.shown()
        return shown.html() if isinstance(shown, Listing) else html_lines(shown)


def with_states(cpd: Any, states: States) -> Any:
    """The same distribution, which knows the states of its parents."""
    own = {parent: states[parent] for parent in cpd.parents if parent in states}
    if not isinstance(cpd, ShownCPD) or not own or cpd.parent_states == own:
        return cpd
    told = copy(cpd)
    told.parent_states = own
    return told


def states_shown(labels: tuple[Label, ...]) -> tuple[list[str], int]:
    """The states that head the columns of a table, and how many of them have numbers below."""
    n_shown = len(labels) if len(labels) <= MOST_STATES else MOST_STATES - 1
    more = [] if n_shown == len(labels) else [f"… {len(labels) - n_shown:,} more"]
    return [*map(str, labels[:n_shown]), *more], n_shown


def sum_in_words(constant: float, terms: Iterable[tuple[float, str]]) -> str:
    """A linear sum; a long one is cut."""
    every = list(terms)
    words = f"{constant:g}"
    for slope, name in every[:MOST_TERMS]:
        words += f" {'-' if slope < 0 else '+'} {abs(slope):g} {name}"
    more = len(every) - MOST_TERMS
    return words if more <= 0 else f"{words} + … ({more:,} more terms)"
