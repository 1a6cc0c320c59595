"""Slot chains: ways from an object to others, along references and against them."""

from collections.abc import Iterator
from dataclasses import dataclass

from structlearn.data.relational.schema import MARKS, Schema, Slot, quoted_where


@dataclass(frozen=True)
class Link:
    """A step along a slot, to the one object referred to, or against it, to all objects that refer."""

    slot: Slot
    is_inverse: bool = False

    @property
    def source(self) -> str:
        """The class where it begins."""
        return self.slot.target if self.is_inverse else self.slot.owner

    @property
    def target(self) -> str:
        """The class where it ends."""
        return self.slot.owner if self.is_inverse else self.slot.target

    @property
    def from_columns(self) -> tuple[str, ...]:
        """The columns of the class where it begins that have the values of `to_columns`."""
        return self.slot.target_columns if self.is_inverse else self.slot.columns

    @property
    def to_columns(self) -> tuple[str, ...]:
        """The columns of the class where it ends."""
        return self.slot.columns if self.is_inverse else self.slot.target_columns

    def __str__(self) -> str:
        return f"{quoted_where(self.slot.owner, MARKS)}[{self.slot}]" if self.is_inverse else str(self.slot)


Chain = tuple[Link, ...]


def chain_text(chain: Chain) -> str:
    """A chain as people read it: `student`, or `Registration[student]` for a student's registrations."""
    return ".".join(map(str, chain))


def is_single(chain: Chain) -> bool:
    """Whether a chain leads to one object at most."""
    return not any(link.is_inverse for link in chain)


def chains_from(schema: Schema, name: str, max_length: int) -> list[Chain]:
    """All chains of up to so many links from a class, shorter ones first, the empty one among them.

    Going against a slot and back along it leads nowhere, and is left out.
    """
    found: list[Chain] = [()]
    longest: list[Chain] = [()]
    for _ in range(max_length):
        longest = [(*chain, link) for chain in longest for link in _next_links(schema, name, chain)]
        found += longest
    return found


def chain_from_text(schema: Schema, name: str, text: str) -> Chain:
    """The chain from a class that is written so."""
    chain: Chain = ()
    while text:
        here = chain[-1].target if chain else name
        links = [link for link in _links(schema, here) if f"{text}.".startswith(f"{link}.")]
        if not links:
            raise KeyError(text)
        longest = max(links, key=lambda link: len(str(link)))
        chain, text = (*chain, longest), text[len(str(longest)) + 1 :]
    return chain


def _next_links(schema: Schema, name: str, chain: Chain) -> Iterator[Link]:
    if not chain:
        yield from _links(schema, name)
        return
    last = chain[-1]
    for link in _links(schema, last.target):
        if not (last.is_inverse and not link.is_inverse and link.slot == last.slot):
            yield link


def _links(schema: Schema, name: str) -> Iterator[Link]:
    yield from (Link(slot) for slot in schema.slots_of(name))
    yield from (Link(slot, is_inverse=True) for slot in schema.slots_to(name))
